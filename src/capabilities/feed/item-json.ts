import type { FieldType, ItemKind } from '../../ingest/kinds/item-kind.js';

/**
 * SQL for an item as JSON text, as it is stored: its fields, and beside them in `sent` those of which something else was sent. Where
 * nothing is stored, and where nothing was sent, the member is null.
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
 * A number within a list, whose text is the service's own: without blanks and exponents (src/ingest/item-columns.ts). Outside the lists
 * numbers are texts already. A key ends with a small letter, its quote and a colon; the quotes of a text have a backslash, the one that
 * begins it is behind no letter, and the one that ends it before no colon.
 */
const NUMBER = /(?<=[a-z]":)-?\d[\d.]*/g;

/** A list of numbers within such a value, with the end of its key. */
const NUMBERS = /[a-z]":\[-?\d[-\d.,]*\]/g;

/** Items with the numbers within their lists as text, so that no parser rounds them. In PostgreSQL it takes ten times as long. */
export function withExactNumbers(items: string): string {
  return items
    .replaceAll(NUMBERS, (list) => list.replaceAll(/-?\d[\d.]*/g, '"$&"'))
    .replaceAll(NUMBER, '"$&"');
}

/** As answers write it: a number as text, and a time in UTC to the second. */
function valueOf(type: FieldType, sql: string): string {
  if (type === 'numeric') return `(${sql})::text`;
  if (type === 'timestamptz') return `to_char((${sql}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return sql;
}
