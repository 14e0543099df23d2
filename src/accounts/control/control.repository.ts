import { Injectable } from '@nestjs/common';
import type { ChangedAccount } from '../../audit/audit.types.js';
import { arrayLiteral } from '../../database/array-literal.js';
import { copyField, copyInto } from '../../database/copy.js';
import { query, run, runForOne, type QueryParameters } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { AccountRecord } from '../account-file/line-reading.js';
import { recordOtherChange } from '../totals/supplier-change.js';
import { CONTROL_NAMES, CONTROL_TYPES, isMisjudged } from './control.queries.js';
import type { ControlTotals } from './control.types.js';

const COLUMNS = CONTROL_NAMES.join(', ');

const COPY_NEW = `COPY account_control (external_account_number, ${COLUMNS}, differs, import_supplier_id) FROM STDIN`;

const IS_ANY = query<{ is_any: boolean }>(
  'accounts.is_any_control',
  `SELECT (SELECT 1 FROM account_control WHERE import_supplier_id = :import_supplier_id LIMIT 1) IS NOT NULL AS is_any`,
);

/** The lines of the parameters. */
const LINES = `unnest(:numbers::text[], ${CONTROL_NAMES.map((name) => `:${name}::${CONTROL_TYPES[name]}[]`).join(', ')}, :differs::boolean[])
              AS l (external_account_number, ${COLUMNS}, differs)`;

const valuesIn = (alias: string): string => `(${CONTROL_NAMES.map((name) => `${alias}.${name}`).join(', ')})`;

const SET = query<never>(
  'accounts.set_new_controls',
  `INSERT INTO account_control (import_supplier_id, external_account_number, ${COLUMNS}, differs)
   SELECT :import_supplier_id, l.*
     FROM ${LINES}
       ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
      SET ${[...CONTROL_NAMES, 'differs'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
);

const REMOVE = query<never>(
  'accounts.remove_controls',
  `DELETE FROM account_control
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:numbers::text[])`,
);

/** Locks the accounts, so that none is erased before its totals are set. */
const KNOWN = query<{ external_account_number: string }>(
  'accounts.lock_controlled',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])
    ORDER BY a.external_account_number
      FOR KEY SHARE`,
);

/** What is removed or set, from which its record is made outside of the change: Citus makes no JSON in it. */
const returned = (version: 'old' | 'new', prefix: string): string =>
  CONTROL_NAMES.map((name) => `${version}.${name} AS ${prefix}_${name}`).join(', ');

/** As it is recorded: the numbers of items, and not the amount, which would outlive the customer's erasure. */
const recorded = (prefix: string): string =>
  `json_strip_nulls(json_build_object('notes', ${prefix}_notes, 'transactions', ${prefix}_transactions,
                'historical_statements', ${prefix}_statements, 'payment_instructions', ${prefix}_payment_instructions))`;

const details = (to: string, amountAfter: string): string =>
  `json_build_object('from', ${recorded('old')}, 'to', ${to},
                      'is_amount_changed', old_amount IS DISTINCT FROM ${amountAfter})::text AS details`;

const CHANGE = query<ChangedAccount>(
  'accounts.change_controls',
  `WITH changed AS (
     INSERT INTO account_control AS c (import_supplier_id, external_account_number, ${COLUMNS}, differs)
     SELECT :import_supplier_id, l.*
       FROM ${LINES}
         ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
        SET ${CONTROL_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE ${valuesIn('c')} IS DISTINCT FROM ${valuesIn('excluded')}
     RETURNING new.external_account_number, ${returned('old', 'old')}, ${returned('new', 'new')}
   )
   SELECT external_account_number, ${details(recorded('new'), 'new_amount')} FROM changed`,
);

const WITHDRAW = query<ChangedAccount>(
  'accounts.withdraw_controls',
  `WITH removed AS (
     DELETE FROM account_control
      WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:numbers::text[])
     RETURNING old.external_account_number, ${returned('old', 'old')}
   )
   SELECT external_account_number, ${details("'{}'::json", 'NULL')} FROM removed`,
);

const JUDGE = query<never>(
  'accounts.judge_controls',
  `UPDATE account_control c
      SET differs = NOT c.differs
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ANY (:numbers::text[])
      AND ${isMisjudged('c')}`,
);

const MISJUDGED = query<{ count: number }>(
  'accounts.count_misjudged',
  `SELECT count(*)::integer AS count
     FROM account_control c
    WHERE c.import_supplier_id = :import_supplier_id
      AND NOT EXISTS (SELECT
                        FROM supplier_change w
                       WHERE w.import_supplier_id = :import_supplier_id
                         AND w.external_account_number = c.external_account_number)
      AND ${isMisjudged('c')}`,
);

const JUDGE_ALL = query<never>(
  'accounts.judge_all_controls',
  `UPDATE account_control c
      SET differs = NOT c.differs
    WHERE c.import_supplier_id = :import_supplier_id AND ${isMisjudged('c')}`,
);

/**
 * What accounts must hold. Whether an imported account differs is judged by whoever sets its totals, and again whenever changes
 * of it are taken (totals/carry-over.repository.ts). Both hold the lock of the supplier's totals, so each change is seen by one of
 * them. An account that is not imported has no requests: its totals are judged without reading, and any change comes later.
 */
@Injectable()
export class ControlRepository {
  /** Whether any account of the supplier has control totals. */
  async isAny(tx: Tx, importSupplierId: number): Promise<boolean> {
    return (await runForOne(tx, IS_ANY, { import_supplier_id: importSupplierId })).is_any;
  }

  /** Copy the totals of accounts that are new in this transaction into their table. */
  async copyNew(tx: Tx, importSupplierId: number, records: readonly AccountRecord[]): Promise<void> {
    await copyInto(tx, COPY_NEW, copyLines(records, importSupplierId));
  }

  /**
   * Set or remove the totals of accounts that are not imported.
   *
   * @param records of accounts that this transaction has staged
   */
  async replace(tx: Tx, importSupplierId: number, records: readonly AccountRecord[]): Promise<void> {
    const key = { import_supplier_id: importSupplierId };
    const removed = records.filter(({ control }) => !control);
    if (removed.length > 0) await run(tx, REMOVE, { ...key, numbers: numbersOf(removed) });
    const controlled = records.filter(({ control }) => control);
    if (controlled.length > 0) await run(tx, SET, { ...key, ...columnsOf(controlled) });
    await recordOtherChange(tx, importSupplierId);
  }

  /** Those of the numbers that have an account; it cannot be erased before the end of the transaction. */
  async lockKnown(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ReadonlySet<string>> {
    const rows = await run(tx, KNOWN, { import_supplier_id: importSupplierId, numbers: numbersOf(records) });
    return new Set(rows.map(({ external_account_number }) => external_account_number));
  }

  /**
   * Set or remove the totals of any accounts, and judge them by the records of their requests.
   *
   * @param tx the transaction that holds the lock of the supplier's totals (CarryOverRepository.lock)
   * @param records of accounts that exist
   * @returns those that were different, as they are recorded
   */
  async change(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ChangedAccount[]> {
    const key = { import_supplier_id: importSupplierId };
    const withdrawn = records.filter(({ control }) => !control);
    const given = records.filter(({ control }) => control);
    const removed =
      withdrawn.length > 0 ? await run(tx, WITHDRAW, { ...key, numbers: numbersOf(withdrawn) }) : [];
    const changed = given.length > 0 ? await run(tx, CHANGE, { ...key, ...columnsOf(given) }) : [];
    if (changed.length > 0) {
      const numbers = changed.map(({ external_account_number }) => external_account_number);
      await run(tx, JUDGE, { ...key, numbers });
    }
    if (removed.length + changed.length > 0) await recordOtherChange(tx, importSupplierId);
    return [...removed, ...changed];
  }

  /** Accounts that are judged wrongly, although no change of them waits; there is none unless something is broken. */
  async countMisjudged(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, MISJUDGED, { import_supplier_id: importSupplierId })).count;
  }

  /** Judge all accounts again. @param tx the transaction that holds the lock of the supplier's totals */
  async judgeAll(tx: Tx, importSupplierId: number): Promise<void> {
    await run(tx, JUDGE_ALL, { import_supplier_id: importSupplierId });
    await recordOtherChange(tx, importSupplierId);
  }
}

/** Whether an account without any item differs from its totals. */
function differsFromNothing(control: ControlTotals): boolean {
  return Object.values(control).some((value: number | string | null) => Number(value ?? 0) !== 0);
}

function* copyLines(records: readonly AccountRecord[], importSupplierId: number): Generator<string> {
  let lines = '';
  for (const { externalAccountNumber, control } of records) {
    if (!control) continue;
    const values = CONTROL_NAMES.map((name) => control[name] ?? '\\N');
    lines += `${copyField(externalAccountNumber)}\t${values.join('\t')}\t${differsFromNothing(control) ? 't' : 'f'}\t${importSupplierId}\n`;
  }
  if (lines !== '') yield lines;
}

function numbersOf(records: readonly AccountRecord[]): string | null {
  return arrayLiteral(records, ({ externalAccountNumber }) => externalAccountNumber);
}

/** The parameters of {@link LINES}. */
function columnsOf(records: readonly AccountRecord[]): QueryParameters {
  return {
    numbers: numbersOf(records),
    ...Object.fromEntries(
      CONTROL_NAMES.map((name) => [name, arrayLiteral(records, ({ control }) => control?.[name])]),
    ),
    differs: arrayLiteral(records, ({ control }) => control && differsFromNothing(control)),
  };
}
