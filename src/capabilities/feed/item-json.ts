import type { FieldType, ItemKind } from '../../ingest/kinds/item-kind.js';

/**
 * SQL for a stored item as JSON text: its fields, and in `sent` the original values of the fields that are stored
 * differently. A member is null when nothing is stored, and in `sent` when nothing was sent.
 *
 * @returns the text of the expression, and the parts that follow `FROM table item`
 * Source: choice E2.
 */
export function itemJson({ fields, differs, inFeed = {} }: ItemKind): { text: string; from: string } {
  const stored = {
    ...Object.fromEntries(
      Object.entries(fields).map(([name, { type }]) => [name, valueOf(type, `item.${name}`)]),
    ),
    ...inFeed,
  };
  const members = columnsOf(stored);
  const from = ` CROSS JOIN LATERAL (SELECT ${members}) AS stored`;
  if (!differs) return { text: 'row_to_json(stored)::text', from };
  const sent = differs.fields.map((name) => {
    const { type = 'text', sent: sql = `item.${name}` } = fields[name] ?? {};
    return `'${name}', ${valueOf(type, sql)}`;
  });
  return {
    text: `CASE WHEN ${differs.when} THEN row_to_json(changed) ELSE row_to_json(stored) END::text`,
    from: `${from} CROSS JOIN LATERAL (SELECT ${members}, json_build_object(${sent.join(', ')}) AS sent) AS changed`,
  };
}

function columnsOf(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}

/**
 * A number within a list. The service has written the lists itself, without blanks and exponents
 * (src/ingest/item-columns.ts), and outside the lists numbers are strings already. A key ends with a lower-case letter, its
 * quote and a colon. Within a string, quotes are escaped. Its opening quote follows no letter, and its closing quote
 * precedes no colon.
 */
const NUMBER = /(?<=[a-z]":)-?\d[\d.]*/g;

/** An array of numbers within a list, with the end of its key. */
const NUMBERS = /[a-z]":\[-?\d[-\d.,]*\]/g;

/** Write the numbers within the lists of items as strings, so that no parser rounds them. PostgreSQL would take ten times as long. */
export function withExactNumbers(items: string): string {
  return items
    .replaceAll(NUMBERS, (list) => list.replaceAll(/-?\d[\d.]*/g, '"$&"'))
    .replaceAll(NUMBER, '"$&"');
}

/** SQL for a value as answers have it: a number as a string, and a time in UTC to the second. */
function valueOf(type: FieldType, sql: string): string {
  if (type === 'numeric') return `(${sql})::text`;
  if (type === 'timestamptz') return `to_char((${sql}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return sql;
}
