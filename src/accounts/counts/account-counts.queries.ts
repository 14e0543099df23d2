import { forEachItem, ITEM_NAMES, type ItemName } from '../../infrastructure/item-names/item-names.js';
import { IS_SERVICE_NOTE } from '../../ingest/item-sql.js';
import { ITEMS } from '../../ingest/kinds/items.js';
import type { ControlTotals } from './account-counts.types.js';

/** The columns of control totals, with their SQL types. */
export const CONTROL_TYPES: Readonly<Record<keyof ControlTotals, string>> = {
  ...forEachItem(() => 'bigint'),
  amount: 'numeric',
};
export const CONTROL_NAMES = Object.keys(CONTROL_TYPES) as (keyof ControlTotals)[];

/** SQL for the number of items of one kind that the import requests `r` stored. */
const storedOf = (request: string): string =>
  `coalesce(sum(r.stored) FILTER (WHERE r.kind = '${request}'), 0)`;

/**
 * SQL for what an account has according to the records of its import requests: the numbers that pages show. It is a query of one
 * row with the columns of the control totals, and it ignores undone requests. `pinned_notes` counts the service's own notes.
 * Ordering by the primary key keeps the planner from an index without the account while it believes that the table is empty.
 *
 * @param number SQL for the account's number; the supplier is the parameter `:import_supplier_id`
 */
export function recordedCounts(number: string): string {
  return `SELECT ${forEachSql((name) => storedOf(ITEMS[name].request))}, coalesce(sum(r.amount), 0.00) AS amount,
                 coalesce(sum(r.pinned_notes), 0) AS pinned_notes, count(*) AS requests, max(r.stored_at) AS last_request_at
            FROM (SELECT *
                    FROM {import_request}
                   WHERE import_supplier_id = :import_supplier_id AND external_account_number = ${number}
                     AND undone_at IS NULL
                   ORDER BY id
                  OFFSET 0) AS r`;
}

/**
 * SQL for what an account has according to its rows, which is the proof: a query of one row with the columns of the control
 * totals.
 *
 * @param number SQL for the account's number; the supplier is the parameter `:import_supplier_id`
 */
export function countedRows(number: string): string {
  const condition = `item.import_supplier_id = :import_supplier_id AND item.external_account_number = ${number}`;
  const counts = forEachSql((name) => {
    const isServiceNote = IS_SERVICE_NOTE[name];
    return `(SELECT count(*) FROM {${ITEMS[name].table} item} WHERE ${condition}${isServiceNote === null ? '' : ` AND NOT (${isServiceNote})`})`;
  });
  return `SELECT ${counts},
                 (SELECT coalesce(sum(item.amount), 0.00) FROM {${ITEMS.transactions.table} item} WHERE ${condition}) AS amount`;
}

/** A list of columns, one for each kind of item. */
function forEachSql(sql: (name: ItemName) => string): string {
  return ITEM_NAMES.map((name) => `${sql(name)} AS ${name}`).join(',\n                 ');
}

/** SQL for whether control totals differ from the totals found. @param control, found aliases in the query */
export function differs(control: string, found: string): string {
  return `(${CONTROL_NAMES.map((name) => `coalesce(${control}.${name} <> ${found}.${name}, false)`).join(' OR ')})`;
}

/** SQL for whether an account has more items of a kind than expected. */
const HAS_TOO_MANY = (control: string, found: string): string =>
  `(${ITEM_NAMES.map((name) => `coalesce(${found}.${name} > ${control}.${name}, false)`).join(' OR ')})`;

/**
 * SQL for whether all transactions are there but their sum is wrong. If no count of transactions is expected, any that are there
 * count as all.
 */
const HAS_WRONG_AMOUNT = (control: string, found: string): string =>
  `(coalesce(${control}.amount <> ${found}.amount, false)
             AND coalesce(${control}.transactions = ${found}.transactions, ${found}.transactions > 0))`;

/**
 * SQL for the {@link ControlState} of an account according to the records of its requests: a query of one value.
 *
 * @param control alias of account_control; its supplier is the parameter `:import_supplier_id`
 * Source: choice V6; decision 14 (docs/decisions/).
 */
export function controlState(control: string): string {
  const number = `${control}.external_account_number`;
  return `(SELECT CASE WHEN NOT ${differs(control, 'found')} THEN 'agrees'
                   WHEN (SELECT account.status FROM {account_import account}
                          WHERE account.import_supplier_id = :import_supplier_id AND account.external_account_number = ${number}
                          LIMIT 1) <> 'imported' THEN 'not_imported'
                   WHEN ${HAS_TOO_MANY(control, 'found')} THEN 'too_many'
                   WHEN ${HAS_WRONG_AMOUNT(control, 'found')} THEN 'wrong_amount'
                   ELSE 'incomplete' END
             FROM (${recordedCounts(number)}) AS found)`;
}

/**
 * SQL that updates control states: the assignment, and the condition for rows whose state changed. @param control alias of the
 * updated account_control
 */
export const compared = (control: string): { readonly set: string; readonly where: string } => ({
  set: `state = ${controlState(control)}`,
  where: `${control}.state <> ${controlState(control)}`,
});

/** SQL for totals as JSON. The amount is a string, so that it stays exact. @param alias of a row with the columns of control totals */
export function totalsAsJson(alias: string): string {
  const members = CONTROL_NAMES.map((name) =>
    name === 'amount' ? `'amount', ${alias}.amount::text` : `'${name}', ${alias}.${name}`,
  );
  return `json_build_object(${members.join(', ')})`;
}
