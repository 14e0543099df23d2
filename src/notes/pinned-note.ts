/**
 * Pin a note to the accounts of an import query, as a common table expression.
 *
 * @param name of the common table expression
 * @param outcome name of another one that has the columns of the account access check, one row for each request
 * @param own as an import query is given it (imports/account-access.ts)
 * @param body SQL for the text, of a row `o` of the outcome; null where there is nothing to pin
 * @param now SQL for the present time in whole seconds
 */
export function pinNote(name: string, outcome: string, body: string, now: string): string {
  return `
  ${name} AS (
    INSERT INTO {note} (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent, is_pinned)
    SELECT :import_supplier_id, o.external_account_number, o.import_request_id, ${body}, ${now}, true, true
      FROM ${outcome} o
     WHERE ${body} IS NOT NULL
  )`;
}
