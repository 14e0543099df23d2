import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRef } from './account-ref.js';
import { accountState, type AccountState } from './account-state.js';

/** Which accounts a list holds (specification 4.6 to 4.8). */
export type AccountFilter = 'all' | 'pending' | 'imported';

export interface AccountStatusRow {
  readonly state: AccountState;
  readonly service_account_number: string | null;
}

export interface StretchWanted {
  readonly importSupplier: string;
  readonly filter: AccountFilter;
  /** The stretch begins behind this number, `''` for the start. */
  readonly after: string;
  /** Rows at most. */
  readonly countMax: number;
  /** Whether it opens the list. */
  readonly isFirst: boolean;
  /** Whether it closes the list even when there are more accounts. */
  readonly isPage: boolean;
}

/** A stretch of a list, in the bytewise order of the account numbers. */
export interface ListStretch {
  /** False when the supplier is unknown or not granted to the caller. */
  readonly is_known: boolean;
  /** This part of the JSON text of the list. */
  readonly text: string;
  readonly last_number: string | null;
  /** Whether there are accounts behind the last one. */
  readonly has_more: boolean;
}

/** A question for the status of one account. */
export interface StatusWanted {
  readonly caller: Caller;
  readonly ref: AccountRef;
}

const FIND_STATUS = query<AccountStatusRow & { position: number }>(
  'accounts.status',
  `SELECT asked.position::integer AS position, a.service_account_number,
          ${accountState('a')} AS state
     FROM unnest($1::uuid[], $2::text[], $3::text[])
            WITH ORDINALITY AS asked (organisation_id, supplier, account, position)
     JOIN import_supplier s ON s.code = asked.supplier
     JOIN import_supplier_grant g ON g.import_supplier_id = s.id AND g.organisation_id = asked.organisation_id
     JOIN account_import a ON a.import_supplier_id = s.id AND a.external_account_number = asked.account`,
);

/**
 * A stretch of a list as JSON text, which costs the process nothing but to pass it on: the array is opened in front of the
 * first element, and closed behind the last one or, in a page, behind the last of the page. The rows come in their order from
 * the index, and are put together in the order in which they come.
 */
function listStatement(filter: AccountFilter, condition: string): ReturnType<typeof query<ListStretch>> {
  return query<ListStretch>(
    `accounts.list_${filter}`,
    `WITH supplier AS MATERIALIZED (
      SELECT s.id
        FROM import_supplier s
        JOIN import_supplier_grant g ON g.import_supplier_id = s.id AND g.organisation_id = $1
       WHERE s.code = $2
    ),
    stretch AS MATERIALIZED (
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
            FROM account_import a
           WHERE a.import_supplier_id = (SELECT id FROM supplier)
             AND a.external_account_number > $3
             AND ${condition}
           ORDER BY a.external_account_number
           LIMIT $4::integer
        ) AS listed
    )
    SELECT EXISTS (SELECT FROM supplier) AS is_known, stretch.last_number, rest.has_more,
           CASE WHEN $5::boolean THEN '[' WHEN stretch.count > 0 THEN ',' ELSE '' END ||
             stretch.elements ||
             CASE WHEN $6::boolean OR NOT rest.has_more THEN ']' ELSE '' END AS text
      FROM stretch,
           LATERAL (
             SELECT stretch.count = $4::integer AND (
                      SELECT 1
                        FROM account_import a
                       WHERE a.import_supplier_id = (SELECT id FROM supplier)
                         AND a.external_account_number > stretch.last_number
                         AND ${condition}
                       LIMIT 1
                    ) IS NOT NULL
             OFFSET 0
           ) AS rest (has_more)`,
  );
}

const LIST = {
  all: listStatement('all', 'true'),
  pending: listStatement('pending', `a.status <> 'imported'`),
  // In the words of its index (migration 1763701200000); the same as status = 'imported'.
  imported: listStatement('imported', 'a.account_created_at IS NOT NULL'),
};

@Injectable()
export class AccountsRepository {
  /**
   * @returns one element for each question, in their order: nothing when the pair was never staged, or its supplier is
   *   not the caller's
   */
  async findStatus(tx: Tx, wanted: readonly StatusWanted[]): Promise<(AccountStatusRow | undefined)[]> {
    const rows = await run(tx, FIND_STATUS, [
      wanted.map(({ caller }) => caller.organisationId),
      wanted.map(({ ref }) => ref.importSupplier),
      wanted.map(({ ref }) => ref.externalAccountNumber),
    ]);
    const rowAt = new Map(rows.map((row) => [row.position, row]));
    return wanted.map((_one, index) => rowAt.get(index + 1));
  }

  listStretch(
    tx: Tx,
    caller: Caller,
    { importSupplier, filter, ...wanted }: StretchWanted,
  ): Promise<ListStretch> {
    const { after, countMax, isFirst, isPage } = wanted;
    const parameters = [caller.organisationId, importSupplier, after, countMax, isFirst, isPage];
    return runForOne(tx, LIST[filter], parameters);
  }
}
