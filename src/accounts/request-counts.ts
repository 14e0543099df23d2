/** SQL for the number of rows of one kind that a request stored. */
function countOf(request: string, kind: string): string {
  return `CASE WHEN ${request}.kind = '${kind}' THEN ${request}.stored ELSE 0 END`;
}

/**
 * SQL for a JSON object that says how many rows of each kind a request has stored, with the note that it has pinned.
 *
 * @param request alias of `import_request` in the query
 * Source: choice O6.
 */
export function requestCounts(request: string): string {
  return `json_build_object(
                   'notes', ${countOf(request, 'notes')} + ${request}.pinned_notes,
                   'transactions', ${countOf(request, 'transactions')},
                   'statements', ${countOf(request, 'statements')},
                   'payment_instructions', ${countOf(request, 'payment_instruction')})`;
}
