/**
 * Pin a note to the account behind the door, as a common table expression of a load's statement. The service names the
 * moment of such a note, so that two of the same text are two notes.
 *
 * @param name of the common table expression
 * @param body SQL query for the text, with one row, or none when there is nothing to say
 * @param now SQL for the present moment in whole seconds
 */
export function pinNote(name: string, body: string, now: string): string {
  return `
  ${name} AS (
    INSERT INTO note (import_supplier_id, external_account_number, load_id, body, created_at, created_at_sent, is_pinned)
    SELECT door.import_supplier_id, door.external_account_number, door.load_id, pinned.body, ${now}, true, true
      FROM door, (${body}) AS pinned (body)
        ON CONFLICT DO NOTHING
  )`;
}
