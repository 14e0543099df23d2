import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { prefixEnd } from '../../../infrastructure/database/prefix-end.js';
import { HITS_MAX, type FoundAccountRow, type FoundKey, type SearchedPart } from './search.types.js';

const ACCOUNT_COLUMNS = `a.import_supplier_id, a.external_account_number, a.service_account_number, a.status AS state`;

const BY_NUMBER = query<FoundAccountRow>(
  'console.find_accounts',
  `SELECT found.*
     FROM unnest(:first_numbers::text[], :ends::text[]) AS form (first_number, "end")
    CROSS JOIN LATERAL (
            SELECT ${ACCOUNT_COLUMNS}
              FROM account_import a
             WHERE a.import_supplier_id = :import_supplier_id
               AND a.external_account_number >= form.first_number AND a.external_account_number < form."end" COLLATE "C"
             ORDER BY a.external_account_number
             LIMIT ${HITS_MAX + 1}) AS found
    ORDER BY found.external_account_number`,
);

/** The most platform account numbers that are read to find those of the suppliers that the signed-in user may see. */
const PLATFORM_NUMBERS_MAX = 500;

/**
 * Ordered by the unique index, which has the numbers of all suppliers. The end of the range is not a condition on the
 * index, because PostgreSQL would then read the whole range before it sorts and returns the first rows.
 */
const BY_PLATFORM_NUMBER = query<FoundAccountRow & { readonly is_last: boolean }>(
  'console.find_platform_accounts',
  `SELECT found.*
     FROM (SELECT ${ACCOUNT_COLUMNS}, row_number() OVER () = ${PLATFORM_NUMBERS_MAX} AS is_last
             FROM (SELECT a.*
                     FROM account_import a
                    WHERE a.service_account_number >= :first_number
                    ORDER BY a.service_account_number
                    LIMIT ${PLATFORM_NUMBERS_MAX}) AS a) AS found
    WHERE found.service_account_number < :end COLLATE "C"
      AND (found.import_supplier_id = ANY (:import_supplier_ids::integer[]) OR found.is_last)
    LIMIT ${HITS_MAX + 1}`,
);

/** Keys whose label, or a word of it, begins with a text, ignoring case; of one organisation or of all. */
const KEYS_BY_LABEL = query<FoundKey>(
  'console.find_api_keys',
  `SELECT k.id, k.label, o.name AS organisation, k.revoked_at IS NOT NULL AS "isRevoked"
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE (:owner_id::uuid IS NULL OR k.organisation_id = :owner_id)
      AND position(lower(' ' || :text) IN lower(' ' || k.label)) > 0
    ORDER BY lower(k.label), k.id
    LIMIT ${HITS_MAX}`,
);

/** Applies to the rest of the transaction. */
const LIMIT_TIME = query<never>(
  'console.limit_time',
  `SELECT set_config('statement_timeout', :milliseconds::text, true)`,
);

/**
 * The id is the third column of both primary keys. For a range of accounts PostgreSQL reads that whole part of the index,
 * but no rows. Nothing is read twice, however many items an account has.
 */
const IN_ITEMS = query<SearchedPart>(
  'console.find_items',
  `WITH searched AS MATERIALIZED (
    SELECT max(listed.external_account_number) AS last
      FROM (SELECT a.external_account_number
              FROM account_import a
             WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number > :after
             ORDER BY a.external_account_number
             LIMIT :accounts_max::integer) AS listed
  )
  SELECT (SELECT last FROM searched) AS last,
         (SELECT coalesce(json_agg(found), '[]')
            FROM (SELECT items.*
                    FROM (SELECT 'transaction' AS kind, t.transaction_id AS id, t.external_account_number
                            FROM transaction t
                           WHERE t.import_supplier_id = :import_supplier_id
                             AND t.external_account_number > :after AND t.external_account_number <= (SELECT last FROM searched)
                             AND t.transaction_id = ANY (:item_ids::text[])
                           UNION ALL
                          SELECT 'statement', s.statement_id, s.external_account_number
                            FROM statement s
                           WHERE s.import_supplier_id = :import_supplier_id
                             AND s.external_account_number > :after AND s.external_account_number <= (SELECT last FROM searched)
                             AND s.statement_id = ANY (:item_ids::text[])
                           LIMIT ${HITS_MAX + 1}) AS items
                   WHERE (SELECT 1
                            FROM account_import a
                           WHERE a.import_supplier_id = :import_supplier_id
                             AND a.external_account_number = items.external_account_number
                           LIMIT 1) IS NOT NULL) AS found) AS found`,
);

/** Finds accounts by number, and items by id. */
@Injectable()
export class SearchRepository {
  /** The accounts of a supplier whose external numbers begin with one of some texts, none of which begins with another. */
  listByNumber(tx: Tx, importSupplierId: number, prefixes: readonly string[]): Promise<FoundAccountRow[]> {
    const ranges = { first_numbers: prefixes, ends: prefixes.map(prefixEnd) };
    return run(tx, BY_NUMBER, { import_supplier_id: importSupplierId, ...ranges });
  }

  /**
   * The accounts of some suppliers whose platform number begins with a text. For a short text only the first numbers are
   * read.
   *
   * @returns the accounts, and whether there may be more
   */
  async listByPlatformNumber(
    tx: Tx,
    importSupplierIds: readonly number[],
    prefix: string,
  ): Promise<{ readonly rows: FoundAccountRow[]; readonly hasMore: boolean }> {
    const range = { first_number: prefix, end: prefixEnd(prefix) };
    const found = await run(tx, BY_PLATFORM_NUMBER, { import_supplier_ids: importSupplierIds, ...range });
    const rows = found.filter(({ import_supplier_id: id }) => importSupplierIds.includes(id));
    return { rows, hasMore: found.some(({ is_last }) => is_last) };
  }

  /** @param organisationId the organisation of the keys; undefined for all */
  listKeys(tx: Tx, organisationId: string | undefined, text: string): Promise<FoundKey[]> {
    return run(tx, KEYS_BY_LABEL, { owner_id: organisationId ?? null, text });
  }

  /**
   * Look for transactions and statements with one of some ids on the next accounts of a supplier.
   *
   * @param after the last account number that was searched before
   * @param timeMs the query is cancelled after this time
   */
  async searchItems(
    tx: Tx,
    importSupplierId: number,
    itemIds: readonly string[],
    { after, accountsMax, timeMs }: { after: string; accountsMax: number; timeMs: number },
  ): Promise<SearchedPart> {
    await run(tx, LIMIT_TIME, { milliseconds: String(Math.ceil(timeMs)) });
    const wanted = { import_supplier_id: importSupplierId, item_ids: itemIds };
    return runForOne(tx, IN_ITEMS, { ...wanted, after, accounts_max: accountsMax });
  }
}
