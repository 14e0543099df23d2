import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { run, runForOne, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRef } from './account-ref.js';

/** Which accounts a list holds (specification 4.6 to 4.8). */
export type AccountFilter = 'all' | 'pending' | 'imported';

export interface AccountStatusRow {
  readonly status: 'pending' | 'imported' | 'failed';
  readonly is_claimed: boolean;
  readonly service_account_number: string | null;
}

/** A stretch of a list, in the bytewise order of the account numbers. */
export interface ListStretch {
  /** False when the supplier is unknown or not granted to the caller. */
  readonly is_known: boolean;
  readonly count: number;
  /** The elements as JSON, separated by commas; empty when there are none. */
  readonly elements: string;
  readonly last_number: string | null;
  /** Whether there are accounts behind the last one. */
  readonly has_more: boolean;
}

const FIND_STATUS = statement<AccountStatusRow>(
  'accounts.status',
  `SELECT a.status, a.service_account_number,
          a.status = 'pending' AND EXISTS (
            SELECT FROM import_claim c
             WHERE c.import_supplier_id = a.import_supplier_id
               AND a.external_account_number BETWEEN c.first_number AND c.last_number
               AND c.expires_at > now()
          ) AS is_claimed
     FROM import_supplier s
     JOIN import_supplier_grant g ON g.import_supplier_id = s.id AND g.organisation_id = $1
     JOIN account_import a ON a.import_supplier_id = s.id AND a.external_account_number = $3
    WHERE s.code = $2`,
);

/**
 * A stretch of a list as JSON text, which costs the process nothing but to pass it on. One row more than wanted is
 * looked at, to know whether the list goes on.
 */
function listStatement(filter: AccountFilter, condition: string): ReturnType<typeof statement<ListStretch>> {
  return statement<ListStretch>(
    `accounts.list_${filter}`,
    `WITH supplier AS (
      SELECT s.id
        FROM import_supplier s
        JOIN import_supplier_grant g ON g.import_supplier_id = s.id AND g.organisation_id = $1
       WHERE s.code = $2
    ),
    looked_at AS (
      SELECT a.external_account_number, a.service_account_number, a.account_created_at,
             row_number() OVER (ORDER BY a.external_account_number) AS position
        FROM account_import a
       WHERE a.import_supplier_id = (SELECT id FROM supplier)
         AND a.external_account_number > $3
         AND ${condition}
       ORDER BY a.external_account_number
       LIMIT $4::integer + 1
    )
    SELECT EXISTS (SELECT FROM supplier) AS is_known,
           (count(*) FILTER (WHERE position <= $4::integer))::integer AS count,
           coalesce(string_agg(
             '{"external_account_number":' || to_json(external_account_number)::text ||
             ',"service_account_number":' || coalesce('"' || service_account_number || '"', 'null') ||
             ',"account_created_at":' ||
               coalesce(to_char(account_created_at AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS"Z\\""'), 'null') || '}',
             ',' ORDER BY position) FILTER (WHERE position <= $4::integer), '') AS elements,
           max(external_account_number) FILTER (WHERE position <= $4::integer) AS last_number,
           count(*) > $4::integer AS has_more
      FROM looked_at`,
  );
}

const LIST = {
  all: listStatement('all', 'true'),
  pending: listStatement('pending', `a.status <> 'imported'`),
  imported: listStatement('imported', `a.status = 'imported'`),
};

@Injectable()
export class AccountQueriesRepository {
  /** @returns nothing when the pair was never staged, or its supplier is not the caller's */
  async findStatus(tx: Tx, caller: Caller, ref: AccountRef): Promise<AccountStatusRow | undefined> {
    const parameters = [caller.organisationId, ref.importSupplier, ref.externalAccountNumber];
    const [row] = await run(tx, FIND_STATUS, parameters);
    return row;
  }

  /** @param after the stretch begins behind this number, `''` for the start; @param countMax rows at most */
  listStretch(
    tx: Tx,
    caller: Caller,
    importSupplier: string,
    filter: AccountFilter,
    after: string,
    countMax: number,
  ): Promise<ListStretch> {
    return runForOne(tx, LIST[filter], [caller.organisationId, importSupplier, after, countMax]);
  }
}
