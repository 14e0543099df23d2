import { HEAD_BYTES, readHead } from '../rows/sorted-format.js';
import { RunCursor } from '../rows/sort-runs.js';
import { readEntry, type Entry } from './entry.js';

/** All entries of one account, in the order of the files. */
export interface AccountEntries {
  readonly account: string;
  /** The account as it is compared, see account-order.ts. */
  readonly order: string;
  readonly entries: readonly Entry[];
  /** Position in the file behind them. */
  readonly end: number;
}

/** Reads a file with entries account by account. */
export class EntriesReader {
  private readonly cursor: RunCursor;

  /** @param position at which an account begins */
  constructor(path: string, position: number) {
    this.cursor = new RunCursor(path, position);
    this.cursor.next();
  }

  /** @returns undefined behind the last account */
  next(): AccountEntries | undefined {
    const { cursor } = this;
    if (cursor.length === 0) return undefined;
    const { account, order } = cursor;
    const entries: Entry[] = [];
    while (cursor.length > 0 && cursor.account === account) {
      const { bytes, at, length } = cursor;
      const { accountBytes, file, line } = readHead(bytes, at);
      entries.push(readEntry(bytes, at + HEAD_BYTES + accountBytes, at + length, { file, line }));
      cursor.next();
    }
    return { account, order, entries, end: cursor.offset };
  }

  close(): void {
    this.cursor.close();
  }
}

/** All accounts of a file with entries. */
export function* accountsIn(path: string): Generator<AccountEntries, void, undefined> {
  const reader = new EntriesReader(path, 0);
  try {
    for (let account = reader.next(); account; account = reader.next()) yield account;
  } finally {
    reader.close();
  }
}
