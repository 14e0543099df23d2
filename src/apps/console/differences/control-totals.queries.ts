import { recordedCounts, totalsAsJson } from '../../../accounts/counts/account-counts.queries.js';
import { query } from '../../../infrastructure/database/query.js';
import type { ComparedAccount, DifferingAccount } from './differences.types.js';

/** The control totals of an account that has some, with the sums of its requests' records. */
export const COMPARED_ACCOUNT = query<ComparedAccount>(
  'console.account_control',
  `SELECT ${totalsAsJson('c')} AS expected, ${totalsAsJson('found')} AS found
     FROM {account_control c}
    CROSS JOIN LATERAL (${recordedCounts('c.external_account_number')}) AS found
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = :external_account_number`,
);

/**
 * Accounts that differ, in the order of their numbers. They come from an index of only those that differ, by state: the
 * next accounts of each state are read.
 */
export const DIFFERING = query<DifferingAccount>(
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
