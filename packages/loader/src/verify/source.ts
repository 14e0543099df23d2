import type { Section } from './digests.js';

/** What the service has of one kind of an account (choice V1). */
export interface SectionContent {
  readonly count: number;
  readonly digest: string;
}

/** What the service has of an account, as far as it is compared (choices V1, V2). */
export interface AccountContent extends Readonly<Record<Section, SectionContent>> {
  readonly external_account_number: string;
  readonly digest: string;
}

/** The same with the rows. */
export interface AccountRows extends Readonly<
  Record<Section, SectionContent & { readonly rows: readonly ContentRow[] }>
> {
  readonly external_account_number: string;
  readonly digest: string;
}

export interface ContentRow {
  readonly digest: string;
  /** The item as it was sent (choice V3). */
  readonly content: object;
}

/** Where the accounts of the service come from. */
export interface ContentSource {
  /** Accounts in the order of choice S5. @param after number of an account: only those behind it */
  list(after: string | undefined, signal: AbortSignal): AsyncIterable<AccountContent>;
  /** @returns undefined for an account that is not imported */
  rows(account: string, signal: AbortSignal): Promise<AccountRows | undefined>;
}

/** What the service has answered cannot be: digests that are not those of what they are said to be of. */
export class ContradictoryAnswer extends Error {}
