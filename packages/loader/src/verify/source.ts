import {
  NotFoundError,
  type AccountContent,
  type ContentOptions,
  type DataImportClient,
} from '@data-import/client';
import { ContradictoryAnswer } from '../common/contradictory-answer.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import { byteOrderOf } from '../rows/account-order.js';
import { canonicalContent } from '../rows/content.js';
import type { ServiceRow } from './compare.js';
import { accountDigest, sectionDigest, type SectionDigests } from './digests.js';
import { digestsOf } from './entry.js';

/** The number of accounts in one page of the list. A page is one answer, which the service reads in one snapshot. */
const PAGE_SIZE = 1_000;

/** The content of a supplier's accounts at the service. The client retries, and continues a list that breaks off. */
export class ClientSource {
  constructor(
    private readonly client: DataImportClient,
    private readonly supplier: string,
  ) {}

  /**
   * Accounts in the order of choice S5.
   *
   * @param after the number of an account; only accounts after it are listed
   */
  list(after: string | undefined, signal: AbortSignal): AsyncIterable<AccountContent> {
    const from = after === undefined ? {} : { after };
    return this.client.listAccountContents(this.supplier, { ...from, pageSize: PAGE_SIZE, signal });
  }

  /** Like {@link list}, with the digests of the rows. */
  listDigests(after: string, signal: AbortSignal): AsyncIterable<AccountContent> {
    const options = { after, pageSize: PAGE_SIZE, rowDigests: true, signal };
    return this.client.listAccountContents(this.supplier, options);
  }

  /** @returns the account with its rows; undefined if it is not imported */
  rows(account: string, signal: AbortSignal): Promise<AccountContent | undefined> {
    return this.account(account, { rows: true, signal });
  }

  /** @returns the account with the digests of its rows; undefined if it is not imported */
  digests(account: string, signal: AbortSignal): Promise<AccountContent | undefined> {
    return this.account(account, { rowDigests: true, signal });
  }

  private async account(account: string, options: ContentOptions): Promise<AccountContent | undefined> {
    try {
      return await this.client.getAccountContent(this.supplier, account, options);
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'account_not_found') return undefined;
      throw error;
    }
  }
}

/**
 * Check the order of the accounts in a list, which begins after an account.
 *
 * @throws ContradictoryAnswer if they are not in the order of choice S5
 */
export async function* inOrder<Account extends { readonly external_account_number: string }>(
  list: AsyncIterable<Account>,
  after: string,
): AsyncGenerator<Account, void, undefined> {
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

/**
 * The digests that the service states for an account.
 *
 * @throws ContradictoryAnswer if the digest of the account does not fit the digests of its sections
 */
export function statedDigests(content: AccountContent): SectionDigests {
  const sections = new Map(KINDS.map((kind) => [kind, content[FACTS[kind].section].digest]));
  if (accountDigest(sections) !== content.digest) throw contradiction(content, 'the account');
  return sections;
}

export function countOf(content: AccountContent, kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + content[FACTS[kind].section].count, 0);
}

/**
 * The rows that the service has for an account.
 *
 * @throws ContradictoryAnswer if a digest does not fit its row or its section
 */
export function rowsOf(account: AccountContent, kinds: readonly Kind[]): ServiceRow[] {
  return kinds.flatMap((kind) => {
    const { rows = [], digest, count } = account[FACTS[kind].section];
    const found = rows.map((row) => {
      const text = canonicalContent(kind, JSON.stringify(row.content));
      const digests = digestsOf(kind, text);
      if (digests.content !== row.digest) throw contradiction(account, `a row of ${kind}`);
      return { kind, text, ...digests };
    });
    const isWhole = found.length === count && sectionDigest(found.map(({ content }) => content)) === digest;
    if (!isWhole) throw contradiction(account, kind);
    return found;
  });
}

function contradiction(
  { external_account_number: account }: { external_account_number: string },
  of: string,
): Error {
  return new ContradictoryAnswer(
    `The service contradicts itself about account ${account}: the digest of ${of} is not that of what it names. Please report this to its operator`,
  );
}
