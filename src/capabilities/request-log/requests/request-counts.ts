import { ITEMS } from '../../../ingest/kinds/items.js';

/**
 * SQL for a JSON object with the number of rows of each kind that a request has stored, including the note that it has
 * pinned.
 *
 * @param request alias of `import_request` in the query
 * Source: choice O6.
 */
export function requestCounts(request: string): string {
  const counts = Object.entries(ITEMS).map(([name, kind]) => {
    const stored = `CASE WHEN ${request}.kind = '${kind.request}' THEN ${request}.stored ELSE 0 END`;
    return `'${name}', ${stored}${name === 'notes' ? ` + ${request}.pinned_notes` : ''}`;
  });
  return `json_build_object(${counts.join(',\n                   ')})`;
}
