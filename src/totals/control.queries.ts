import { ITEMS } from '../items/items.js';
import type { ControlTotals } from './control.types.js';

/** The columns of control totals, with their types. */
export const CONTROL_TYPES: Readonly<Record<keyof ControlTotals, string>> = {
  notes: 'bigint',
  transactions: 'bigint',
  amount: 'numeric',
  statements: 'bigint',
  payment_instructions: 'bigint',
};
export const CONTROL_NAMES = Object.keys(CONTROL_TYPES) as (keyof ControlTotals)[];

/**
 * SQL for what the import requests of an account have stored, by their records: a query of one row with the columns of the
 * control totals. Undone requests and pinned notes are not counted.
 *
 * @param number SQL for the account's number; the supplier is the parameter `:import_supplier_id`
 */
export function recordedTotals(number: string): string {
  const counts = Object.entries(ITEMS).map(
    ([name, { request }]) => `coalesce(sum(r.stored) FILTER (WHERE r.kind = '${request}'), 0) AS ${name}`,
  );
  return `SELECT ${counts.join(', ')}, coalesce(sum(r.amount), 0.00) AS amount
            FROM import_request r
           WHERE r.import_supplier_id = :import_supplier_id AND r.external_account_number = ${number}
             AND r.undone_at IS NULL`;
}

/** SQL for whether control totals differ from what is found. @param control, found aliases in the query */
export function differs(control: string, found: string): string {
  return `(${CONTROL_NAMES.map((name) => `coalesce(${control}.${name} <> ${found}.${name}, false)`).join(' OR ')})`;
}

/**
 * SQL for the conditions of an update that judges accounts again by the records of their requests.
 *
 * @param control alias of the updated account_control, whose supplier is the parameter `:import_supplier_id`
 */
export function isMisjudged(control: string): string {
  return `${control}.differs <> (SELECT ${differs(control, 'found')}
                           FROM (${recordedTotals(`${control}.external_account_number`)}) AS found)`;
}

/** SQL for totals as JSON. The amount is a text, so that it stays exact. @param alias of a row with the columns of control totals */
export function totalsAsJson(alias: string): string {
  const members = CONTROL_NAMES.map((name) =>
    name === 'amount' ? `'amount', ${alias}.amount::text` : `'${name}', ${alias}.${name}`,
  );
  return `json_build_object(${members.join(', ')})`;
}
