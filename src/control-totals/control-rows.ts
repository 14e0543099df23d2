import { arrayLiteral } from '../database/array-literal.js';
import { copyField, copyInto } from '../database/copy.js';
import { query, run, runForOne, type QueryParameters } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRecord } from '../account-files/line-reading.js';
import { CONTROL_NAMES, CONTROL_TYPES } from '../totals/account-counts.queries.js';
import type { ControlState, ControlTotals } from '../totals/account-counts.types.js';
import { recordOtherChange } from '../changes/record-changes.js';

export const CONTROL_COLUMN_LIST = CONTROL_NAMES.join(', ');

const COPY_NEW = `COPY account_control (external_account_number, ${CONTROL_COLUMN_LIST}, state, import_supplier_id) FROM STDIN`;

const IS_ANY = query<{ is_any: boolean }>(
  'accounts.is_any_control',
  `SELECT (SELECT 1 FROM account_control WHERE import_supplier_id = :import_supplier_id LIMIT 1) IS NOT NULL AS is_any`,
);

/** SQL for the records whose columns are {@link controlColumns}, as `l`. */
export const CONTROL_LINES = `unnest(:numbers::text[], ${CONTROL_NAMES.map((name) => `:${name}::${CONTROL_TYPES[name]}[]`).join(', ')}, :states::text[])
              AS l (external_account_number, ${CONTROL_COLUMN_LIST}, state)`;

const SET = query<never>(
  'accounts.set_new_controls',
  `INSERT INTO account_control (import_supplier_id, external_account_number, ${CONTROL_COLUMN_LIST}, state)
   SELECT :import_supplier_id, l.*
     FROM ${CONTROL_LINES}
       ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
      SET ${[...CONTROL_NAMES, 'state'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
);

const REMOVE = query<never>(
  'accounts.remove_controls',
  `DELETE FROM account_control
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:numbers::text[])`,
);

/** Whether any account of the supplier has control totals. */
export async function isAnyControlled(tx: Tx, importSupplierId: number): Promise<boolean> {
  return (await runForOne(tx, IS_ANY, { import_supplier_id: importSupplierId })).is_any;
}

/** Copy the totals of accounts that are new in this transaction into their table. */
export async function copyNewControls(
  tx: Tx,
  importSupplierId: number,
  records: readonly AccountRecord[],
): Promise<void> {
  await copyInto(tx, COPY_NEW, copyLines(records, importSupplierId));
}

/**
 * Set or remove the totals of accounts that are not imported. Such an account has no requests: its totals are judged without
 * reading, and any change comes later.
 *
 * @param records of accounts that this transaction has staged
 */
export async function replaceControls(
  tx: Tx,
  importSupplierId: number,
  records: readonly AccountRecord[],
): Promise<void> {
  const key = { import_supplier_id: importSupplierId };
  const removed = records.filter(({ control }) => !control);
  if (removed.length > 0) await run(tx, REMOVE, { ...key, numbers: numbersOf(removed) });
  const controlled = records.filter(({ control }) => control);
  if (controlled.length > 0) await run(tx, SET, { ...key, ...controlColumns(controlled) });
  await recordOtherChange(tx, importSupplierId);
}

/** How an account compares that is not imported, and so without any item. */
function stateOfStaged(control: ControlTotals): ControlState {
  const differs = Object.values(control).some((value: number | string | null) => Number(value ?? 0) !== 0);
  return differs ? 'not_imported' : 'agrees';
}

function* copyLines(records: readonly AccountRecord[], importSupplierId: number): Generator<string> {
  let lines = '';
  for (const { externalAccountNumber, control } of records) {
    if (!control) continue;
    const values = CONTROL_NAMES.map((name) => control[name] ?? '\\N');
    lines += `${copyField(externalAccountNumber)}\t${values.join('\t')}\t${stateOfStaged(control)}\t${importSupplierId}\n`;
  }
  if (lines !== '') yield lines;
}

export function numbersOf(records: readonly AccountRecord[]): string | null {
  return arrayLiteral(records, ({ externalAccountNumber }) => externalAccountNumber);
}

/** The parameters of {@link CONTROL_LINES}. */
export function controlColumns(records: readonly AccountRecord[]): QueryParameters {
  return {
    numbers: numbersOf(records),
    ...Object.fromEntries(
      CONTROL_NAMES.map((name) => [name, arrayLiteral(records, ({ control }) => control?.[name])]),
    ),
    states: arrayLiteral(records, ({ control }) => control && stateOfStaged(control)),
  };
}
