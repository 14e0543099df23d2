import { grouped } from '../common/grouped.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { sectionDigest } from './digests.js';
import type { Entry, RowDigests } from './entry.js';

/** A row that the service has. */
export interface ServiceRow extends RowDigests {
  readonly kind: Kind;
  /** The canonical text of its content. */
  readonly text: string;
}

/** A row that differs between the two sides. */
export type RowDifference =
  | { readonly problem: 'missing'; readonly entry: Entry }
  | { readonly problem: 'unexpected'; readonly row: ServiceRow }
  /** `row` is the service's row with the key of the entry. */
  | { readonly problem: 'different'; readonly entry: Entry; readonly row: ServiceRow };

export interface Comparison {
  readonly matched: number;
  readonly differences: readonly RowDifference[];
  /** For each kind, the digests of the rows in the files. They equal the digests of the service exactly if nothing differs. */
  readonly expected: ReadonlyMap<Kind, readonly string[]>;
}

/**
 * The digests that the service has if it stores all rows of the files and no others. Rows with equal content count once.
 *
 * A later row with the key of an earlier one and other content is included. The service cannot store both, so the digest
 * of the account then never equals that of the service.
 *
 * @param entries the entries of one account, in the order of the files
 * Source: choices V9, X5, N4, H3, P2.
 */
export function expectedRows(entries: readonly Entry[]): ReadonlyMap<Kind, readonly string[]> {
  const contents = new Map(KINDS.map((kind) => [kind, [] as string[]]));
  const repeats = repeatedNotes(entries);
  for (const entry of entries) if (!repeats.has(entry)) contents.get(entry.kind)?.push(entry.content);
  // Sorting is faster than a set, which would hash each text.
  for (const digests of contents.values()) digests.sort();
  return new Map(
    [...contents].map(([kind, digests]) => [kind, digests.filter((one, at) => one !== digests[at - 1])]),
  );
}

/**
 * Notes without `created_at` that follow a note with `created_at` and the same content. The service treats them as that
 * note (choice N4).
 */
function repeatedNotes(entries: readonly Entry[]): ReadonlySet<Entry> {
  const dated = new Set<string>();
  const repeats = new Set<Entry>();
  for (const entry of entries) {
    const { note } = entry;
    if (!note) continue;
    if (note.isDated) dated.add(note.text + note.rest);
    else if (dated.has(note.text + note.rest)) repeats.add(entry);
  }
  return repeats;
}

/**
 * The digests of sections.
 *
 * @param kinds the kinds that are compared
 */
export function digestsOfSections(
  rows: ReadonlyMap<Kind, readonly string[]>,
  kinds: readonly Kind[] = KINDS,
): ReadonlyMap<Kind, string> {
  return new Map(kinds.map((kind) => [kind, sectionDigest(rows.get(kind) ?? [])]));
}

/**
 * Compare the rows of one account one by one.
 *
 * Rows with equal content match. If several rows of the files have equal content, as many of them match as the service
 * has, and at least one is expected. A remaining row of the files is different if the service has a row with its key;
 * otherwise it is missing. The rows of the service that are left after this are unexpected.
 *
 * @param entries the entries of one account, in the order of the files
 */
export function compareRows(entries: readonly Entry[], rows: readonly ServiceRow[]): Comparison {
  const sections = KINDS.map((kind) => {
    const isOfKind = (row: { readonly kind: Kind }): boolean => row.kind === kind;
    return [kind, compareSection(entries.filter(isOfKind), rows.filter(isOfKind))] as const;
  });
  return {
    matched: sections.reduce((sum, [, { matched }]) => sum + matched, 0),
    differences: sections.flatMap(([, { differences }]) => differences),
    expected: new Map(sections.map(([kind, { expected }]) => [kind, expected])),
  };
}

interface SectionComparison extends Omit<Comparison, 'expected'> {
  readonly expected: readonly string[];
}

function compareSection(all: readonly Entry[], rows: readonly ServiceRow[]): SectionComparison {
  const { matched, expected, entries, rest } = matchContents(all, rows);
  const withKey = pair(entries, rest, ({ key }) => key);
  const withText = pair(withKey.entries, withKey.rows, ({ note }) => note?.text);
  const found = new Map([...withKey.pairs, ...withText.pairs]);
  const rowsOf = rowsByKey(rows);
  const differences = entries.map((entry): RowDifference => {
    const row = found.get(entry) ?? rowsOf(entry).at(-1);
    return row ? { problem: 'different', entry, row } : { problem: 'missing', entry };
  });
  const unexpected = withText.rows.map((row): RowDifference => ({ problem: 'unexpected', row }));
  return { matched, expected, differences: [...differences, ...unexpected] };
}

/**
 * Match rows with equal content.
 *
 * @returns also the remaining entries and rows
 */
function matchContents(all: readonly Entry[], rows: readonly ServiceRow[]) {
  const repeats = repeatedNotes(all);
  const ofService = grouped(rows, ({ content }) => content);
  const entries: Entry[] = [];
  const expected: string[] = [];
  let matched = 0;
  for (const [content, same] of grouped(all, (entry) => entry.content)) {
    const found = ofService.get(content) ?? [];
    const count = Math.min(same.length, found.length);
    found.splice(0, count);
    matched += count;
    const first = count === 0 ? same.find((entry) => !repeats.has(entry)) : undefined;
    if (first) entries.push(first);
    for (let copies = first ? 1 : count; copies > 0; copies -= 1) expected.push(content);
  }
  return { matched, expected, entries, rest: [...ofService.values()].flat() };
}

/** Pair entries and rows with the same name, in order. */
function pair(
  entries: readonly Entry[],
  rows: readonly ServiceRow[],
  nameOf: (row: RowDigests) => string | undefined,
): { pairs: (readonly [Entry, ServiceRow])[]; entries: Entry[]; rows: ServiceRow[] } {
  const byName = grouped(rows, (row) => nameOf(row) ?? '');
  const pairs: (readonly [Entry, ServiceRow])[] = [];
  const left: Entry[] = [];
  const taken = new Set<ServiceRow>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const row = name === undefined ? undefined : byName.get(name)?.shift();
    if (row) {
      pairs.push([entry, row]);
      taken.add(row);
    } else left.push(entry);
  }
  return { pairs, entries: left, rows: rows.filter((row) => !taken.has(row)) };
}

/** The keys under which the service finds a row when it receives a later one, see keys.ts. */
function keysOf({ key, note }: RowDigests): string[] {
  return [key, note?.text].filter((one) => one !== undefined);
}

/** Find the rows with which the service identifies a later row, or because of which it refuses the later row. */
export function rowsByKey(rows: readonly ServiceRow[]): (later: RowDigests) => readonly ServiceRow[] {
  const byKey = grouped(
    rows.flatMap((row) => keysOf(row).map((key) => ({ key, row }))),
    ({ key }) => key,
  );
  return (later) => (byKey.get(earlierKeyOf(later) ?? '') ?? []).map(({ row }) => row);
}

/** The key under which the service looks for an earlier row. */
export function earlierKeyOf({ key, note }: RowDigests): string | undefined {
  return note && !note.isDated ? note.text : key;
}
