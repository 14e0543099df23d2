import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors.js';
import type { Tx } from '../database/unit-of-work.js';
import { readAccounts, type ReadRow } from './account-reading.js';
import { ContentsRepository } from './contents.repository.js';
import type { AccountContent, AccountRange, ContentRow } from './contents.types.js';

/** What the imported accounts of a supplier hold, computed from what is stored. */
@Injectable()
export class ContentsService {
  constructor(private readonly repository: ContentsRepository) {}

  /**
   * What accounts hold, in the order of the lists (choice S5). They are read by a single query, so all of them are from one
   * moment, and in constant memory, whatever their number and size. An account that is being erased is not there.
   *
   * @param tx of one query, or a transaction; of level REPEATABLE READ where other queries must be of the same moment
   * @param onRow is called with each row of an account before the account is handed over
   * @returns the accounts one after the other. A caller that stops before the last one closes the connection, and so ends its
   *   transaction
   * @throws AppError when the range names an organisation to which the supplier is not granted: `account_not_found` of one
   *   account, otherwise `not_found`
   * Source: choices V3, V4, S5.
   */
  accounts(
    tx: Tx,
    importSupplierId: number,
    range: AccountRange = {},
    onRow?: (row: ReadRow) => void,
  ): AsyncGenerator<AccountContent, void, undefined> {
    const lists = this.repository.rows(tx, importSupplierId, range);
    const notGranted = range.only === undefined ? 'not_found' : 'account_not_found';
    return readAccounts(
      granted(lists, notGranted),
      (account, row) => {
        account.add(row, onRow);
      },
      range.beforeFile,
    );
  }
}

/** @throws AppError when the supplier is not granted */
async function* granted(
  lists: AsyncIterable<ContentRow[]>,
  notGranted: 'not_found' | 'account_not_found',
): AsyncGenerator<ContentRow[], void, undefined> {
  for await (const rows of lists) {
    // Then there is no other row.
    if (rows[0]?.is_granted === false) throw new AppError(notGranted);
    yield rows;
  }
}
