import { byteOrderOf } from '../rows/account-order.js';
import type { Section } from './digests.js';
import { ContradictoryAnswer } from '../common/contradictory-answer.js';

/** What the service has of one kind of an account (choice V1). */
export interface SectionContent {
  readonly count: number;
  readonly digest: string;
  /** Where they were asked for. */
  readonly rows?: readonly ContentRow[];
  /** Where they were asked for. */
  readonly row_digests?: readonly string[];
}

export interface ContentRow {
  readonly digest: string;
  /** The item as it was sent (choice V3). */
  readonly content: object;
}

/** What the service has of an account, as far as it is compared (choices V1, V2). */
export interface AccountContent extends Readonly<Record<Section, SectionContent>> {
  readonly external_account_number: string;
  readonly digest: string;
}

/** Where the accounts of the service come from. */
export interface ContentSource {
  /** Accounts in the order of choice S5. @param after number of an account: only those behind it */
  list(after: string | undefined, signal: AbortSignal): AsyncIterable<AccountContent>;
  /** @returns the account with its rows; undefined for one that is not imported */
  rows(account: string, signal: AbortSignal): Promise<AccountContent | undefined>;
}

/** The accounts of a list, behind one. @throws ContradictoryAnswer when they are not in the order of choice S5 */
export async function* inOrder(
  list: AsyncIterable<AccountContent>,
  after: string,
): AsyncGenerator<AccountContent, void, undefined> {
  let before = byteOrderOf(after);
  for await (const content of list) {
    const { external_account_number: account } = content;
    const order = byteOrderOf(account);
    if (order <= before)
      throw new ContradictoryAnswer(
        `The service lists account ${account} out of order. Please report this to its operator`,
      );
    before = order;
    yield content;
  }
}
