import { Injectable } from '@nestjs/common';
import { query, run, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { requestCounts } from './request-counts.js';
import type { AccountEventRow, AccountStateRow } from './account-history.types.js';

const STATE = query<AccountStateRow>(
  'accounts.history_state',
  `SELECT a.staged_at, a.account_created_at, a.service_account_number, a.failed_at, a.failure
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number`,
);

/** SQL for the trace id of a request, as its client sent it. */
function traceId(request: string): string {
  return `replace(${request}.trace_id::text, '-', '')`;
}

/** SQL for a date-time as choice T12 wants it. */
function dateTime(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/**
 * SQL for the id of an audit entry with its time in front. Some entries have an id of version 4; an account has so few of
 * them that all are read.
 */
function timeOrderedId(entry: string): string {
  const milliseconds = `floor(extract(epoch FROM ${entry}.at) * 1000)::bigint`;
  return `(lpad(to_hex(${milliseconds}), 12, '0') || substr(${entry}.id::text, 14))::uuid`;
}

/** The order of events, and which side of the given one they are on. */
type Direction = 'ASC' | 'DESC';

const SIDE: Readonly<Record<Direction, '>' | '<'>> = { ASC: '>', DESC: '<' };

/**
 * The next import requests and refusals on one side of an event. Their ids have version 7, so that each part reads as many rows
 * as it returns, by the order of its key.
 */
function requestsQuery(name: string, direction: Direction): Query<AccountEventRow> {
  return query<AccountEventRow>(
    name,
    `SELECT history.*
     FROM (
       (SELECT r.id, uuid_extract_timestamp(r.id) AS at, 'import_request' AS event,
               json_build_object(
                 'request_id', r.request_id, 'trace_id', ${traceId('r')}, 'api_key_id', r.api_key_id, 'kind', r.kind,
                 'counts', ${requestCounts('r')}, 'undone_at', ${dateTime('r.undone_at')}) AS members
          FROM import_request r
         WHERE r.import_supplier_id = :import_supplier_id
           AND r.external_account_number = :external_account_number
           AND r.id ${SIDE[direction]} :after::uuid
         ORDER BY r.id ${direction}
         LIMIT :count_max::integer)
       UNION ALL
       (SELECT f.id, f.at, 'refusal',
               json_build_object(
                 'request_id', f.request_id, 'trace_id', ${traceId('f')}, 'api_key_id', f.api_key_id, 'kind', f.kind,
                 'status', f.status, 'code', f.code, 'attr', f.attr, 'field_code', f.field_code, 'dry_run', f.is_dry_run)
          FROM import_refusal f
         WHERE f.import_supplier_id = :import_supplier_id
           AND f.external_account_number = :external_account_number
           AND f.id ${SIDE[direction]} :after::uuid
         ORDER BY f.id ${direction}
         LIMIT :count_max::integer)
     ) AS history
    ORDER BY history.id ${direction}
    LIMIT :count_max::integer`,
  );
}

const REQUESTS = {
  ASC: requestsQuery('accounts.history_requests', 'ASC'),
  DESC: requestsQuery('accounts.history_requests_backwards', 'DESC'),
};

/**
 * The next changes by operators on one side of an event: erasures, and those since the account, or everything of its supplier,
 * was last erased. What came before concerned what was erased (choice O6).
 */
function changesQuery(name: string, direction: Direction): Query<AccountEventRow> {
  return query<AccountEventRow>(
    name,
    `SELECT change.id, e.at, 'operator_change' AS event,
          json_build_object('operator', e.operator, 'action', e.action, 'details', e.details) AS members
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

const CHANGES = {
  ASC: changesQuery('accounts.history_changes', 'ASC'),
  DESC: changesQuery('accounts.history_changes_backwards', 'DESC'),
};

@Injectable()
export class AccountHistoryRepository {
  /** @returns nothing when the account is not staged */
  async findState(
    tx: Tx,
    importSupplierId: number,
    { externalAccountNumber }: AccountRef,
  ): Promise<AccountStateRow | undefined> {
    const [row] = await run(tx, STATE, {
      import_supplier_id: importSupplierId,
      external_account_number: externalAccountNumber,
    });
    return row;
  }

  /**
   * Events in the order of their ids. They come from two queries: entries of operators are not distributed.
   *
   * @param after id of the event before the first
   */
  async list(
    tx: Tx,
    importSupplierId: number,
    { importSupplier, externalAccountNumber }: AccountRef,
    after: string,
    countMax: number,
    direction: Direction = 'ASC',
  ): Promise<AccountEventRow[]> {
    const parameters = {
      import_supplier_id: importSupplierId,
      import_supplier: importSupplier,
      external_account_number: externalAccountNumber,
      after,
      count_max: countMax,
    };
    return [
      ...(await run(tx, REQUESTS[direction], parameters)),
      ...(await run(tx, CHANGES[direction], parameters)),
    ];
  }
}
