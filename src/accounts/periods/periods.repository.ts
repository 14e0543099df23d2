import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { AccountBatch } from '../account-file/account-batch.js';
import { StagingRepository } from '../staging/staging.repository.js';

/** The open statement period of an account (choice S6). */
export interface Period {
  readonly open_statement_from: string;
  readonly open_statement_to: string | null;
}

/** A number without an imported account. */
export interface UnknownAccount {
  readonly external_account_number: string;
  /** Whether it is staged. */
  readonly is_staged: boolean;
}

const LOCK = query<Partial<Period> & { status: string }>(
  'accounts.lock_period',
  `SELECT status, open_statement_from, open_statement_to
     FROM account_import
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = :account_number
      FOR NO KEY UPDATE`,
);

const SET = query<never>(
  'accounts.set_period',
  `UPDATE account_import
      SET open_statement_from = :from::date, open_statement_to = :to::date
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = :account_number`,
);

/** The lines of a batch are looked up by number. */
const INDEX_LINES = query<never>(
  'accounts.index_staged_line',
  `CREATE UNIQUE INDEX ON pg_temp.staged_line (external_account_number)`,
);

/**
 * Sets the periods of a batch that differ, and records each of them as the audit module does. A join would read every account
 * of the supplier when the planner expects few of them.
 */
const SET_ALL = query<{ changed: number }>(
  'accounts.set_periods',
  `WITH changed AS (
     UPDATE account_import a
        SET (open_statement_from, open_statement_to) = (
              SELECT l.open_statement_from, l.open_statement_to
                FROM pg_temp.staged_line l
               WHERE l.external_account_number = a.external_account_number
            )
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.external_account_number = ANY (ARRAY(SELECT l.external_account_number FROM pg_temp.staged_line l))
        AND a.status = 'imported'
        AND EXISTS (
              SELECT
                FROM pg_temp.staged_line l
               WHERE l.external_account_number = a.external_account_number
                 AND (l.open_statement_from, l.open_statement_to)
                     IS DISTINCT FROM (a.open_statement_from, a.open_statement_to)
            )
     RETURNING a.external_account_number, old.open_statement_from AS old_from, old.open_statement_to AS old_to,
               new.open_statement_from AS new_from, new.open_statement_to AS new_to
   ),
   recorded AS (
     INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
     SELECT :operator, 'account.set_period', external_account_number, :code, external_account_number,
            jsonb_build_object(
              'from', jsonb_build_object('open_statement_from', old_from, 'open_statement_to', old_to),
              'to', jsonb_build_object('open_statement_from', new_from, 'open_statement_to', new_to))
       FROM changed
   )
   SELECT count(*)::integer AS changed FROM changed`,
);

const UNKNOWN = query<UnknownAccount>(
  'accounts.unknown_periods',
  `SELECT line.external_account_number, line.status IS NOT NULL AS is_staged
     FROM (SELECT l.external_account_number,
                  ( SELECT a.status
                      FROM account_import a
                     WHERE a.import_supplier_id = :import_supplier_id
                       AND a.external_account_number = l.external_account_number
                     LIMIT 1 ) AS status
             FROM pg_temp.staged_line l) AS line
    WHERE line.status IS DISTINCT FROM 'imported'
    ORDER BY line.external_account_number`,
);

@Injectable()
export class PeriodsRepository {
  constructor(private readonly lines: StagingRepository) {}

  /** Lock an account, so that its period changes once at a time. @returns nothing when there is none */
  async lock(
    tx: Tx,
    importSupplierId: number,
    accountNumber: string,
  ): Promise<(Partial<Period> & { status: string }) | undefined> {
    const [row] = await run(tx, LOCK, {
      import_supplier_id: importSupplierId,
      account_number: accountNumber,
    });
    return row;
  }

  async set(tx: Tx, importSupplierId: number, accountNumber: string, period: Period): Promise<void> {
    await run(tx, SET, {
      import_supplier_id: importSupplierId,
      account_number: accountNumber,
      from: period.open_statement_from,
      to: period.open_statement_to,
    });
  }

  /**
   * Set the periods of the imported accounts of a batch and record them.
   *
   * @returns how many periods were different, and the numbers without an imported account
   */
  async setAll(
    tx: Tx,
    supplier: { readonly id: number; readonly code: string },
    operator: string,
    batch: AccountBatch,
  ): Promise<{ changed: number; unknown: UnknownAccount[] }> {
    await this.lines.copyLines(tx, batch);
    await run(tx, INDEX_LINES, {});
    const parameters = { import_supplier_id: supplier.id, code: supplier.code, operator };
    const { changed } = await runForOne(tx, SET_ALL, parameters);
    return { changed, unknown: await run(tx, UNKNOWN, parameters) };
  }
}
