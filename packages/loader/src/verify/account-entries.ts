import { SortedReader } from '../rows/sorted-file.js';
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

/** The accounts of a file with entries. @param position at which an account begins */
export function* accountsIn(path: string, position = 0): Generator<AccountEntries, undefined, undefined> {
  const sorted = new SortedReader(path, position);
  try {
    let isMore = sorted.next();
    while (isMore) {
      const { account, order } = sorted;
      const entries: Entry[] = [];
      while (isMore && sorted.account === account) {
        const { file, line } = sorted.place;
        entries.push(readEntry(sorted.bytes, sorted.contentFrom, sorted.at + sorted.length, { file, line }));
        isMore = sorted.next();
      }
      yield { account, order, entries, end: sorted.offset };
    }
  } finally {
    sorted.close();
  }
}
