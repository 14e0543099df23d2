import { Injectable } from '@nestjs/common';
import { query, run, runForOne, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { accountState } from './account-state.js';
import type {
  AccountFilter,
  AccountStatusRow,
  ChunkRequest,
  ListChunk,
  StatusRequest,
} from './accounts.types.js';

const FIND_STATUS = query<AccountStatusRow>(
  'accounts.status',
  `SELECT account.service_account_number, account.state
     FROM unnest(:organisation_ids::uuid[], :account_numbers::text[])
            WITH ORDINALITY AS request (organisation_id, account_number, request_number)
     LEFT JOIN LATERAL (
       SELECT a.service_account_number, ${accountState('a')} AS state
         FROM {account_import a}
        WHERE a.import_supplier_id = :import_supplier_id
          AND a.external_account_number = request.account_number
          AND (SELECT 1
                 FROM {import_supplier_grant g}
                WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = request.organisation_id
                LIMIT 1) IS NOT NULL
        LIMIT 1
     ) AS account ON true
    ORDER BY request.request_number`,
);

/**
 * A chunk of a list as JSON text that the process can pass on unchanged. The array opens before the first element. It closes
 * after the last element, or after the last element of a page. The rows come from the index in order, and are concatenated in
 * that order.
 */
function listQuery(filter: AccountFilter, condition: string): Query<ListChunk> {
  return query<ListChunk>(
    `accounts.list_${filter}`,
    `WITH supplier AS MATERIALIZED (
      SELECT EXISTS (
               SELECT FROM {import_supplier_grant g}
                WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = :organisation_id
             ) AS is_granted
    ),
    chunk AS MATERIALIZED (
      SELECT count(*)::integer AS count,
             coalesce(string_agg(
               '{"external_account_number":' || to_json(listed.external_account_number)::text ||
               ',"service_account_number":' || coalesce('"' || listed.service_account_number || '"', 'null') ||
               ',"account_created_at":' || coalesce(
                 to_char(listed.account_created_at AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS"Z\\""'), 'null') ||
               '}',
               ','), '') AS elements,
             max(listed.external_account_number) AS last_number
        FROM (
          SELECT a.external_account_number, a.service_account_number, a.account_created_at
            FROM {account_import a}
           WHERE a.import_supplier_id = :import_supplier_id
             AND (SELECT is_granted FROM supplier)
             AND a.external_account_number > :after
             AND ${condition}
           ORDER BY a.external_account_number
           LIMIT :count_max::integer
        ) AS listed
    )
    SELECT supplier.is_granted, chunk.last_number, rest.has_more,
           CASE WHEN :is_first::boolean THEN '[' WHEN chunk.count > 0 THEN ',' ELSE '' END ||
             chunk.elements ||
             CASE WHEN :is_page::boolean OR NOT rest.has_more THEN ']' ELSE '' END AS text
      FROM supplier, chunk,
           LATERAL (
             SELECT chunk.count = :count_max::integer AND (
                      SELECT 1
                        FROM {account_import a}
                       WHERE a.import_supplier_id = :import_supplier_id
                         AND a.external_account_number > chunk.last_number
                         AND ${condition}
                       ORDER BY a.external_account_number
                       LIMIT 1
                    ) IS NOT NULL
             OFFSET 0
           ) AS rest (has_more)`,
  );
}

const LIST = {
  all: listQuery('all', 'true'),
  pending: listQuery('pending', `a.status <> 'imported'`),
  // Written like the condition of the index account_import_imported; it means status = 'imported'.
  imported: listQuery('imported', 'a.account_created_at IS NOT NULL'),
};

@Injectable()
export class AccountsRepository {
  /** @returns one row for each request, in the order of the requests */
  findStatus(
    tx: Tx,
    importSupplierId: number,
    requests: readonly StatusRequest[],
  ): Promise<AccountStatusRow[]> {
    return run(tx, FIND_STATUS, {
      import_supplier_id: importSupplierId,
      organisation_ids: requests.map(({ caller }) => caller.organisationId),
      account_numbers: requests.map(({ externalAccountNumber }) => externalAccountNumber),
    });
  }

  listChunk(tx: Tx, { caller, filter, ...chunk }: ChunkRequest): Promise<ListChunk> {
    return runForOne(tx, LIST[filter], {
      import_supplier_id: chunk.importSupplierId,
      organisation_id: caller.organisationId,
      after: chunk.after,
      count_max: chunk.countMax,
      is_first: chunk.isFirst,
      is_page: chunk.isPage,
    });
  }
}
