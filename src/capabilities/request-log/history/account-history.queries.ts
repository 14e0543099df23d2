import { query, type Query } from '../../../infrastructure/database/query.js';
import { shortenedMembers } from '../../../infrastructure/database/shortened.js';
import type { Direction } from '../requests/sent-requests.types.js';
import type { AccountStateRow, ChangeRow } from './account-history.types.js';

export const STATE = query<AccountStateRow>(
  'accounts.history_state',
  `SELECT a.staged_at, a.account_created_at, a.service_account_number, a.failed_at, a.failure
     FROM {account_import a}
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number`,
);

/**
 * SQL for the id of an audit entry with its time in front. Some entries have an id of version 4. An account has so few
 * entries that all are read.
 */
function timeOrderedId(entry: string): string {
  const milliseconds = `floor(extract(epoch FROM ${entry}.at) * 1000)::bigint`;
  return `(lpad(to_hex(${milliseconds}), 12, '0') || substr(${entry}.id::text, 14))::uuid`;
}

const SIDE: Readonly<Record<Direction, '>' | '<'>> = { ASC: '>', DESC: '<' };

/**
 * The operators' changes that come next on one side of an event: every erasure, and changes since the account, or its whole
 * supplier, was last erased. Earlier changes concerned the erased account (choice O6).
 */
function changesQuery(name: string, direction: Direction): Query<ChangeRow> {
  return query<ChangeRow>(
    name,
    `SELECT change.id, e.at, 'operator_change' AS event,
          json_build_object('operator', e.operator, 'action', e.action, 'details',
                            ${direction === 'DESC' ? shortenedMembers('e.details') : 'e.details'}) AS members
     FROM audit_entry e, LATERAL (SELECT ${timeOrderedId('e')}) AS change (id)
    WHERE e.import_supplier = :import_supplier
      AND e.external_account_number = :external_account_number
      AND change.id ${SIDE[direction]} :after::uuid
      AND (e.action = 'account.erase' OR NOT EXISTS (
        SELECT
          FROM audit_entry erasure
         WHERE erasure.import_supplier = e.import_supplier
           AND (erasure.external_account_number = e.external_account_number AND erasure.action = 'account.erase'
                OR erasure.external_account_number IS NULL AND erasure.action = 'supplier.erase')
           AND erasure.at > e.at))
    ORDER BY change.id ${direction}
    LIMIT :count_max::integer`,
  );
}

/** Changes by operators in the order of their ids. */
export const CHANGES = {
  ASC: changesQuery('accounts.history_changes', 'ASC'),
  DESC: changesQuery('accounts.history_changes_backwards', 'DESC'),
};
