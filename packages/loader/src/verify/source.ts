import type { Section } from './digests.js';

/** What the service has of one kind of an account (choice V1). */
export interface SectionContent {
  readonly count: number;
  readonly digest: string;
  /** Where they were asked for. */
  readonly rows?: readonly ContentRow[];
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
