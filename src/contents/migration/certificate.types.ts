import type { AccountState } from '../../accounts/account-state.js';
import type { ItemCounts } from '../../items/items.js';

/** What both sides compare at the end of a migration, all of it from one moment (choice V8). */
export interface Certificate {
  readonly importSupplier: string;
  readonly at: Date;
  readonly accounts: Readonly<Record<AccountState, number>>;
  readonly rows: ItemCounts;
  /** Sums of the transactions in hundredths, exact, by type, in the order of the types; only those that are there. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** Accounts with control totals, and those of them that differ. */
  readonly control: { readonly with: number; readonly differ: number };
  /** SHA-256 of the digests of the imported accounts (choice V4), lower-case hexadecimal. */
  readonly digest: string;
}
