import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import { IS_SERVICE_NOTE, sentValue } from '../../ingest/item-sql.js';
import type { FieldType, ItemField } from '../../ingest/kinds/item-kind.js';
import { ITEMS, type Section } from '../../ingest/kinds/items.js';

/** A row of an account as PostgreSQL returns it: its fields as they were sent, null when a field was omitted. */
export interface StoredRow {
  readonly section: Section;
  readonly content: Readonly<Record<string, unknown>>;
}

/** How a member of the content is made from the value that PostgreSQL returns. */
interface Member {
  readonly name: string;
  readonly read: (value: unknown) => unknown;
}

/** The members of the content of each section's rows, in the order of their names. */
const MEMBERS: ReadonlyMap<Section, readonly Member[]> = new Map(
  Object.values(ITEMS).map(({ section, fields }) => [
    section,
    Object.entries<ItemField>(fields)
      .map(([name, field]) => ({ name, read: readerOf(field) }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  ]),
);

/**
 * SQL for the rows of an account, whose alias is `account`: `section` and `content`, a JSON object. It names tables in
 * braces (infrastructure/database/citus/placement.ts).
 *
 * @param condition selects the rows `item` of a kind's table that are the account's
 */
export function contentRows(condition: string): string {
  return ITEM_NAMES.map((kind) => {
    const { section, table, fields } = ITEMS[kind];
    const members = Object.entries<ItemField>(fields).map(
      ([name, { type }]) => `${asJson(type, sentValue(kind, name))} AS ${name}`,
    );
    const isServiceNote = IS_SERVICE_NOTE[kind];
    return `
        SELECT '${section}' AS section, row_to_json(r) AS content
          FROM (SELECT ${members.join(',\n                       ')}
                  FROM {${table} item}
                 WHERE ${condition}${isServiceNote === null ? '' : `\n                   AND NOT (${isServiceNote})`}) AS r`;
  }).join('\n        UNION ALL');
}

/**
 * The text of a row that its digest is made from: the item of the specification as it was sent, in the form of RFC 8785.
 *
 * Members are in the order of their names. JSON.stringify writes strings as RFC 8785 does, and numbers too, because a
 * number of more than 15 significant digits is never accepted (choice T13). Members that the specification does not name
 * cannot be stored (choice T8).
 *
 * Source: specification 2.3 to 2.6; choice V3.
 */
export function contentOf({ section, content }: StoredRow): string {
  const sent: Record<string, unknown> = {};
  for (const { name, read } of MEMBERS.get(section) ?? []) {
    const value = content[name];
    if (value !== null) sent[name] = read(value);
  }
  return JSON.stringify(sent);
}

/** JSON has no date-time, so it is read as seconds since 1970. */
function asJson(type: FieldType, sent: string): string {
  return type === 'timestamptz' ? `extract(epoch FROM ${sent})::bigint` : sent;
}

function readerOf({ type, members }: ItemField): Member['read'] {
  if (type === 'timestamptz') return (seconds) => formatDateTime((seconds as number) * 1_000);
  if (type === 'paths') return (paths) => (paths as string[]).map((path) => ({ document_path: path }));
  if (members === undefined) return (value) => value;
  // The members of an object are stored in the order in which they were sent.
  const ordered = [...members].sort();
  return (list) =>
    (list as Record<string, unknown>[]).map((object) => {
      // A loop, because Object.fromEntries takes three times as long and this runs for each line item that is read.
      const sorted: Record<string, unknown> = {};
      for (const name of ordered) sorted[name] = object[name];
      return sorted;
    });
}
