import type { ItemName } from '../../infrastructure/item-names/item-names.js';
import { IS_ALTERED, sentValue } from '../../ingest/item-sql.js';
import type { FieldType, ItemField } from '../../ingest/kinds/item-kind.js';
import { ITEMS, type KindOf } from '../../ingest/kinds/items.js';

/** SQL for the members of a row `item` in the feed that are not what is stored in a field. */
const FEED_FIELDS: {
  readonly [Name in ItemName]: Readonly<Record<keyof KindOf<Name>['feedFields'], string>>;
} = {
  notes: {
    document_paths: `CASE WHEN item.document_paths = '{}' THEN '[]'::json ELSE (
              SELECT json_agg(json_build_object('document_path', d.path, 'location', d.location,
                                                'found', CASE WHEN item.documents_seen_at IS NOT NULL THEN true
                                                              WHEN item.unseen_document_paths IS NOT NULL
                                                              THEN d.path <> ALL (item.unseen_document_paths) END)
                              ORDER BY d.position)
                FROM unnest(item.document_paths, item.document_locations) WITH ORDINALITY AS d (path, location, position)) END`,
  },
  transactions: {},
  statements: {
    document_location: 'item.document_location',
    document_found: 'CASE WHEN item.document_seen_at IS NOT NULL THEN true END',
  },
  payment_instructions: {},
};

/**
 * SQL for a stored item as JSON text: its fields, and in `sent` the original values of the fields that are stored
 * differently. A member is null when nothing is stored, and in `sent` when nothing was sent.
 *
 * @returns the text of the expression, and the parts that follow `FROM table item`
 * Source: choice E2.
 */
export function itemJson(kind: ItemName): { text: string; from: string } {
  const { alteredFields } = ITEMS[kind];
  const fields: Readonly<Record<string, ItemField>> = ITEMS[kind].fields;
  const typeOf = (name: string): FieldType => fields[name]?.type ?? 'text';
  const stored = {
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, valueOf(typeOf(name), `item.${name}`)])),
    ...FEED_FIELDS[kind],
  };
  const members = columnsOf(stored);
  const from = ` CROSS JOIN LATERAL (SELECT ${members}) AS stored`;
  const isAltered = IS_ALTERED[kind];
  if (isAltered === null) return { text: 'row_to_json(stored)::text', from };
  const sent = alteredFields.map((name) => `'${name}', ${valueOf(typeOf(name), sentValue(kind, name))}`);
  return {
    text: `CASE WHEN ${isAltered} THEN row_to_json(changed) ELSE row_to_json(stored) END::text`,
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
