import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { arrayLiteral } from '../../infrastructure/database/array-literal.js';
import { copyField, copyInto } from '../../infrastructure/database/copy.js';
import { query, run, runForOne, type QueryParameters } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { numbersOf } from '../files/account-batch.js';
import type { AccountRecord } from '../files/line-reading.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../ingest/kinds/items.js';
import { CONTROL_NAMES, CONTROL_TYPES } from '../counts/account-counts.queries.js';
import type { ControlState, ControlTotals } from '../counts/account-counts.types.js';
import { recordOtherChange } from '../../infrastructure/change-log/record-changes.js';

const CONTROL_COLUMN_LIST = CONTROL_NAMES.join(', ');

const COPY_NEW = `COPY account_control (external_account_number, ${CONTROL_COLUMN_LIST}, state, import_supplier_id) FROM STDIN`;

const IS_ANY = query<{ is_any: boolean }>(
  'accounts.is_any_control',
  // The order makes the planner use the primary key whatever the statistics say.
  `SELECT (SELECT 1 FROM account_control
            WHERE import_supplier_id = :import_supplier_id
            ORDER BY external_account_number LIMIT 1) IS NOT NULL AS is_any`,
);

/** SQL for records given as the parameters {@link controlColumns}, as `l`. */
const CONTROL_LINES = `unnest(:numbers::text[], ${CONTROL_NAMES.map((name) => `:${name}::${CONTROL_TYPES[name]}[]`).join(', ')}, :states::text[])
              AS l (external_account_number, ${CONTROL_COLUMN_LIST}, state)`;

const valuesIn = (alias: string): string => `(${CONTROL_NAMES.map((name) => `${alias}.${name}`).join(', ')})`;

/**
 * The columns of a row that is removed or set. Its audit details are built outside the data change, because Citus cannot build
 * JSON there.
 */
const returnedColumns = (version: 'old' | 'new', prefix: string): string =>
  CONTROL_NAMES.map((name) => `${version}.${name} AS ${prefix}_${name}`).join(', ');

/** The totals as the audit log records them: item counts but no amount, because an amount would outlive the customer's erasure. */
const auditedTotals = (prefix: string): string =>
  `json_strip_nulls(json_build_object(${ITEM_NAMES.map((name) => `'${ITEMS[name].section}', ${prefix}_${name}`).join(', ')}))`;

const details = (to: string, amountAfter: string): string =>
  `json_build_object('from', ${auditedTotals('old')}, 'to', ${to},
                      'is_amount_changed', old_amount IS DISTINCT FROM ${amountAfter})::text AS details`;

const CHANGE = query<ChangedAccount>(
  'accounts.change_controls',
  `WITH changed AS (
     INSERT INTO account_control AS c (import_supplier_id, external_account_number, ${CONTROL_COLUMN_LIST}, state)
     SELECT :import_supplier_id, l.*
       FROM ${CONTROL_LINES}
         ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
        SET ${[...CONTROL_NAMES, 'state'].map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE ${valuesIn('c')} IS DISTINCT FROM ${valuesIn('excluded')}
     RETURNING new.external_account_number, ${returnedColumns('old', 'old')}, ${returnedColumns('new', 'new')}
   )
   SELECT external_account_number, ${details(auditedTotals('new'), 'new_amount')} FROM changed`,
);

const REMOVE = query<ChangedAccount>(
  'accounts.withdraw_controls',
  `WITH removed AS (
     DELETE FROM account_control
      WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:numbers::text[])
     RETURNING old.external_account_number, ${returnedColumns('old', 'old')}
   )
   SELECT external_account_number, ${details("'{}'::json", 'NULL')} FROM removed`,
);

/** Whether any account of the supplier has control totals. */
export async function hasAnyControls(tx: Tx, importSupplierId: number): Promise<boolean> {
  return (await runForOne(tx, IS_ANY, { import_supplier_id: importSupplierId })).is_any;
}

/** Copy the control totals of accounts that are new in this transaction into their table. */
export async function copyNewControls(
  tx: Tx,
  importSupplierId: number,
  records: readonly AccountRecord[],
): Promise<void> {
  await copyInto(tx, COPY_NEW, copyLines(records, importSupplierId));
}

/**
 * Set or remove the control totals of accounts. The states written here assume that no account is imported. The caller updates
 * the states of imported ones afterwards, in the same transaction.
 *
 * @param records of accounts that exist
 * @returns the accounts that changed, as the audit log records them
 */
export async function setControls(
  tx: Tx,
  importSupplierId: number,
  records: readonly AccountRecord[],
): Promise<ChangedAccount[]> {
  const key = { import_supplier_id: importSupplierId };
  const withoutTotals = records.filter(({ control }) => !control);
  const withTotals = records.filter(({ control }) => control);
  const changed = [
    ...(withoutTotals.length > 0 ? await run(tx, REMOVE, { ...key, numbers: numbersOf(withoutTotals) }) : []),
    ...(withTotals.length > 0 ? await run(tx, CHANGE, { ...key, ...controlColumns(withTotals) }) : []),
  ];
  if (changed.length > 0) await recordOtherChange(tx, importSupplierId);
  return changed;
}

/** The control state of an account that is not imported and therefore has no items. */
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

/** The parameters of {@link CONTROL_LINES}. */
function controlColumns(records: readonly AccountRecord[]): QueryParameters {
  return {
    numbers: numbersOf(records),
    ...Object.fromEntries(
      CONTROL_NAMES.map((name) => [name, arrayLiteral(records, ({ control }) => control?.[name])]),
    ),
    states: arrayLiteral(records, ({ control }) => control && stateOfStaged(control)),
  };
}
