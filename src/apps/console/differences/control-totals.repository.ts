import { Injectable } from '@nestjs/common';
import { recordedCounts, totalsAsJson } from '../../../accounts/counts/account-counts.queries.js';
import type { Difference } from '../../../accounts/counts/account-counts.types.js';
import { query, run } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { ComparedAccount, DifferingAccount } from './differences.types.js';

const COMPARED_ACCOUNT = query<ComparedAccount>(
  'console.account_control',
  `SELECT ${totalsAsJson('c')} AS expected, ${totalsAsJson('found')} AS found
     FROM {account_control c}
    CROSS JOIN LATERAL (${recordedCounts('c.external_account_number')}) AS found
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = :external_account_number`,
);

/** The accounts come from an index of only those that differ, by state: the next accounts of each state are read. */
const DIFFERING = query<DifferingAccount>(
  'console.differing_accounts',
  `SELECT c.external_account_number AS "externalAccountNumber", c.state, ${totalsAsJson('c')} AS expected,
          ${totalsAsJson('found')} AS found
     FROM (SELECT of_state.*
             FROM unnest(:states::text[]) AS wanted (state)
            CROSS JOIN LATERAL (
              SELECT k.*
                FROM {account_control k}
               WHERE k.import_supplier_id = :import_supplier_id AND k.state = wanted.state AND k.state <> 'agrees'
                 AND k.external_account_number > :after
               ORDER BY k.external_account_number
               LIMIT :count_max::integer) AS of_state
            ORDER BY of_state.external_account_number
            LIMIT :count_max::integer) AS c
    CROSS JOIN LATERAL (${recordedCounts('c.external_account_number')}) AS found
    ORDER BY c.external_account_number`,
);

/** The control totals of accounts, with the sums of their requests' records. */
@Injectable()
export class ControlTotalsRepository {
  /** @returns undefined when the account has no control totals */
  async ofAccount(tx: Tx, importSupplierId: number, number: string): Promise<ComparedAccount | undefined> {
    const [row] = await run(tx, COMPARED_ACCOUNT, {
      import_supplier_id: importSupplierId,
      external_account_number: number,
    });
    return row;
  }

  /**
   * Accounts that differ, in the order of their numbers.
   *
   * @param states how they differ
   * @param after the last account number before the page
   */
  listDiffering(
    tx: Tx,
    importSupplierId: number,
    states: readonly Difference[],
    after: string,
    countMax: number,
  ): Promise<DifferingAccount[]> {
    return run(tx, DIFFERING, {
      ...{ import_supplier_id: importSupplierId, states, after, count_max: countMax },
    });
  }
}
