import { Injectable } from '@nestjs/common';
import { copyInto } from '../../infrastructure/database/copy.js';
import { inPages } from '../../infrastructure/database/in-pages.js';
import { joinJson, jsonList } from '../../infrastructure/database/json-list.js';
import { run, runForOne, query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { Spool } from '../../infrastructure/files/spool.js';
import { copyNewControls, hasAnyControls, setControls } from '../control-totals/control-rows.js';
import { recordChanges } from '../../infrastructure/change-log/record-changes.js';
import { numbersOf, periodColumns, type AccountBatch } from '../files/account-batch.js';
import type { AccountRecord } from '../files/line-reading.js';

/** Outcome of a batch. */
export interface StagedCounts {
  readonly staged: number;
  readonly replaced: number;
  /** Already imported, so not changed. */
  readonly skipped: number;
  /** Numbers of accounts that are being erased and cannot be staged. They are in none of the counts. */
  readonly beingErased: readonly string[];
}

/** A line of a file whose number is in another line too. */
export interface Repeat {
  readonly line: number;
  /** The first line with the number, or for that line one with other content. */
  readonly otherLine: number;
  /** Whether all lines with the number have the same content; the first of these is no repeat. */
  readonly isSame: boolean;
}

/**
 * Lets PostgreSQL keep the rows of one batch in memory for the trigger. A usual batch is smaller; the rest of a larger one goes
 * to a temporary file.
 */
const HOLD_IN_MEMORY = query<never>('accounts.hold_in_memory', `SELECT set_config('work_mem', '32MB', true)`);

const COPY_NEW = `COPY account_import (external_account_number, open_statement_from, open_statement_to, account,
                                       import_supplier_id) FROM STDIN`;

const IS_ANY_BEING_ERASED = query<{ is_any: boolean }>(
  'accounts.is_any_being_erased',
  `SELECT EXISTS (SELECT FROM account_erasure WHERE import_supplier_id = :import_supplier_id) AS is_any`,
);

const BEING_ERASED = query<{ external_account_number: string }>(
  'accounts.list_being_erased',
  `SELECT e.external_account_number
     FROM account_erasure e
    WHERE e.import_supplier_id = :import_supplier_id AND e.external_account_number = ANY (:numbers::text[])`,
);

/** Rows are written in the order of the numbers as sent, which is sorted, so two batches with common rows cannot deadlock. */
const STAGE = query<{ staged: number; written: number; failed: number; numbers: string[] | null }>(
  'accounts.stage',
  `WITH written AS (
     INSERT INTO account_import AS a
            (import_supplier_id, external_account_number, open_statement_from, open_statement_to, account)
     SELECT :import_supplier_id, l.external_account_number, l.open_statement_from, l.open_statement_to, l.account::jsonb
       FROM unnest(:numbers::text[], :froms::date[], :tos::date[], ${jsonList(':accounts')})
              AS l (external_account_number, open_statement_from, open_statement_to, account)
         ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
        SET status = 'pending',
            open_statement_from = excluded.open_statement_from,
            open_statement_to = excluded.open_statement_to,
            account = excluded.account,
            staged_at = excluded.staged_at,
            failure = NULL,
            failed_at = NULL
      WHERE a.status <> 'imported'
     RETURNING new.external_account_number, old.external_account_number IS NULL AS is_new,
               old.status IS NOT DISTINCT FROM 'failed' AS was_failed
   )
   SELECT count(*) FILTER (WHERE written.is_new)::integer AS staged,
          count(*)::integer AS written,
          count(*) FILTER (WHERE written.was_failed)::integer AS failed,
          array_agg(written.external_account_number) FILTER (WHERE :are_numbers_wanted::boolean) AS numbers
     FROM written`,
);

/** Looks up each number of the batch. A join could read every account of the supplier instead. */
const SKIPPED = query<{ external_account_number: string }>(
  'accounts.skipped',
  `SELECT l.external_account_number
     FROM unnest(:numbers::text[]) AS l (external_account_number)
    WHERE ( SELECT true
              FROM account_import a
             WHERE a.import_supplier_id = :import_supplier_id
               AND a.external_account_number = l.external_account_number
               AND a.status = 'imported'
             LIMIT 1
          ) IS NOT NULL
    ORDER BY l.external_account_number COLLATE "C"
    LIMIT :limit`,
);

const STORED = query<{ external_account_number: string }>(
  'accounts.stored_numbers',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])`,
);

/** Lines of a file; a line can have a fraction, see NumberedReading. On several nodes, the table is the coordinator's. */
const CREATE_LINES = `CREATE TEMPORARY TABLE file_line (line double precision, number text COLLATE "C", content jsonb) ON COMMIT DROP`;

const COPY_LINES = `COPY file_line FROM STDIN`;

/** The lines that share a number, as {@link Repeat}. Without content, the first line of each number is among them. */
const DECLARE_REPEATS = `DECLARE repeat NO SCROLL CURSOR FOR
  SELECT line, CASE line WHEN first_line THEN different_line ELSE first_line END AS "otherLine",
         different_line IS NULL AS "isSame"
    FROM (SELECT *, min(line) FILTER (WHERE content <> first_content) OVER (PARTITION BY number) AS different_line
            FROM (SELECT *, first_value(line) OVER lines AS first_line, first_value(content) OVER lines AS first_content
                    FROM file_line
                   WHERE number IN (SELECT number FROM file_line GROUP BY number HAVING count(*) > 1)
                  WINDOW lines AS (PARTITION BY number ORDER BY line)))
   WHERE content IS NULL OR line > first_line OR different_line IS NOT NULL
   ORDER BY line`;

/** Repeats in memory. */
const PAGE_ROWS = 10_000;

const ANALYZE = query<never>('accounts.analyze', `ANALYZE account_import, account_control`);

@Injectable()
export class StagingRepository {
  /**
   * Copy a batch of accounts that are all new into their table.
   *
   * @throws an error with SQLSTATE 23505 if one of them exists; the transaction has then failed
   */
  async insert(tx: Tx, importSupplierId: number, batch: AccountBatch): Promise<StagedCounts> {
    await run(tx, HOLD_IN_MEMORY, {});
    await copyInto(tx, COPY_NEW, batch.copyLines(importSupplierId));
    if (batch.hasControls) await copyNewControls(tx, importSupplierId, batch.records());
    await recordChanges(tx, importSupplierId, [{ pending: batch.accounts }]);
    return { staged: batch.accounts, replaced: 0, skipped: 0, beingErased: [] };
  }

  /** Whether accounts of the supplier are being erased; if so, a batch must be merged. */
  async isAnyBeingErased(tx: Tx, importSupplierId: number): Promise<boolean> {
    return (await runForOne(tx, IS_ANY_BEING_ERASED, { import_supplier_id: importSupplierId })).is_any;
  }

  /**
   * Write any batch. New numbers are inserted. Pending and failed accounts are replaced, with their control totals. Imported
   * accounts stay unchanged, and accounts that are being erased are left out.
   *
   * @throws an error with SQLSTATE 40001 if the erasure of one of them begins at the same time; retry it
   */
  async merge(tx: Tx, importSupplierId: number, batch: AccountBatch): Promise<StagedCounts> {
    const all = batch.records();
    const beingErased = (await this.isAnyBeingErased(tx, importSupplierId))
      ? await this.beingErased(tx, importSupplierId, all)
      : new Set<string>();
    const records = all.filter(({ externalAccountNumber }) => !beingErased.has(externalAccountNumber));
    const hasControls = batch.hasControls || (await hasAnyControls(tx, importSupplierId));
    const { staged, written, failed, numbers } = await runForOne(tx, STAGE, {
      import_supplier_id: importSupplierId,
      ...periodColumns(records),
      accounts: joinJson(records.map(({ account }) => account)),
      are_numbers_wanted: hasControls,
    });
    if (hasControls) {
      const areWritten = new Set(numbers);
      const replaced = records.filter(({ externalAccountNumber }) => areWritten.has(externalAccountNumber));
      await setControls(tx, importSupplierId, replaced);
    }
    await recordChanges(tx, importSupplierId, [{ pending: staged + failed, failed: -failed }]);
    return {
      staged,
      replaced: written - staged,
      skipped: records.length - written,
      beingErased: [...beingErased],
    };
  }

  private async beingErased(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<Set<string>> {
    const rows = await run(tx, BEING_ERASED, {
      import_supplier_id: importSupplierId,
      numbers: numbersOf(records),
    });
    return new Set(rows.map(({ external_account_number }) => external_account_number));
  }

  /** @returns numbers of a batch just written that were skipped because they are already imported, at most `limit` */
  async skippedNumbers(
    tx: Tx,
    importSupplierId: number,
    batch: AccountBatch,
    limit: number,
  ): Promise<string[]> {
    const numbers = numbersOf(batch.records());
    const rows = await run(tx, SKIPPED, { import_supplier_id: importSupplierId, numbers, limit });
    return rows.map(({ external_account_number }) => external_account_number);
  }

  /** @returns those of the records' numbers that are stored, whatever their status */
  async storedNumbers(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ReadonlySet<string>> {
    const rows = await run(tx, STORED, {
      import_supplier_id: importSupplierId,
      numbers: numbersOf(records),
    });
    return new Set(rows.map(({ external_account_number }) => external_account_number));
  }

  /**
   * Compare the lines of a file that have the same number. Content is the same if `jsonb` takes it as equal.
   *
   * @param rows line, number and content in COPY's text format; if no content is given, the repeats are all lines that share a number
   * @returns in the order of lines
   */
  async repeats(tx: Tx, rows: AsyncIterable<string>): Promise<Spool<Repeat>> {
    await tx.query(CREATE_LINES);
    await copyInto(tx, COPY_LINES, rows);
    await tx.query(DECLARE_REPEATS);
    const repeats = new Spool<Repeat>();
    const next = (): Promise<Repeat[]> => tx.query(`FETCH ${PAGE_ROWS} FROM repeat`);
    for await (const page of inPages(PAGE_ROWS, next)) {
      for (const repeat of page) repeats.add(repeat);
    }
    return repeats;
  }

  /** Update the planner's statistics of tables that have just changed a lot. */
  async analyze(tx: Tx): Promise<void> {
    await run(tx, ANALYZE, {});
  }
}
