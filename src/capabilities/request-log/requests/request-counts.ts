import { ITEMS } from '../../../ingest/kinds/items.js';

/**
 * SQL for a JSON object with the number of rows of each kind that a request has stored, including the note that it has
 * pinned.
 *
 * @param request alias of `import_request` in the query
 * @param total SQL for the total of a count over several requests
 * Source: choice O6.
 */
export function requestCounts(request: string, total = (count: string) => count): string {
  const counts = Object.entries(ITEMS).map(([name, kind]) => {
    const stored = `CASE WHEN ${request}.kind = '${kind.request}' THEN ${request}.stored ELSE 0 END`;
    return `'${name}', ${total(name === 'notes' ? `${stored} + ${request}.pinned_notes` : stored)}`;
  });
  return `json_build_object(${counts.join(',\n                   ')})`;
}
