import { grouped } from '../common/grouped.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { sectionDigest } from './digests.js';
import type { Entry, RowDigests } from './entry.js';

/** A row that the service has. */
export interface ServiceRow extends RowDigests {
  readonly kind: Kind;
  /** Canonical text. */
  readonly text: string;
}

/** What is not the same on both sides. */
export type RowDifference =
  | { readonly problem: 'missing'; readonly entry: Entry }
  | { readonly problem: 'unexpected'; readonly row: ServiceRow }
  /** `row` is what the service has under the key of the entry. */
  | { readonly problem: 'different'; readonly entry: Entry; readonly row: ServiceRow };

export interface Comparison {
  readonly matched: number;
  readonly differences: readonly RowDifference[];
  /** By kind the digests of the rows of the files: those of the service exactly if nothing differs. */
  readonly expected: ReadonlyMap<Kind, readonly string[]>;
}

/**
 * The digests of the rows that the service has if it has all rows of some files and no others: rows of equal content once.
 * A later row with the key of an earlier one and other content is among them, so that the digest of its account is not that
 * of the service, whatever that keeps.
 *
 * @param entries of one account, in the order of the files
 * Source: choices V9, X5, N4, H3, P2.
 */
export function expectedRows(entries: readonly Entry[]): ReadonlyMap<Kind, readonly string[]> {
  const contents = new Map(KINDS.map((kind) => [kind, [] as string[]]));
  const repeats = repeatedNotes(entries);
  for (const entry of entries) if (!repeats.has(entry)) contents.get(entry.kind)?.push(entry.content);
  // A set takes longer: it hashes each text.
  for (const digests of contents.values()) digests.sort();
  return new Map(
    [...contents].map(([kind, digests]) => [kind, digests.filter((one, at) => one !== digests[at - 1])]),
  );
}

/** Notes without `created_at` behind one of the same content with it, which the service takes for that one (choice N4). */
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

/** The digests of sections. @param kinds those that are compared */
export function digestsOfSections(
  rows: ReadonlyMap<Kind, readonly string[]>,
  kinds: readonly Kind[] = KINDS,
): ReadonlyMap<Kind, string> {
  return new Map(kinds.map((kind) => [kind, sectionDigest(rows.get(kind) ?? [])]));
}

/**
 * Compare the rows of one account one by one.
 *
 * Rows of the same content match. What is left on both sides under the same key differs; so does a row of the files that is left
 * with a key which another row of the service has. The rest is missing or unexpected. Of several rows of the files with equal
 * content as many match as the service has, and at least one is expected.
 *
 * @param entries of one account, in the order of the files
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

/** Match rows of equal content. @returns also the entries and rows that are left */
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

/** Pair what has the same name, in order. */
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

/** Under which the service finds the row when a later one comes, see keys.ts. */
function keysOf({ key, note }: RowDigests): string[] {
  return [key, note?.text].filter((one) => one !== undefined);
}

/** Finds the rows which the service takes a later one for, or refuses it because of them. */
export function rowsByKey(rows: readonly ServiceRow[]): (later: RowDigests) => readonly ServiceRow[] {
  const byKey = grouped(
    rows.flatMap((row) => keysOf(row).map((key) => ({ key, row }))),
    ({ key }) => key,
  );
  return (later) => (byKey.get(earlierKeyOf(later) ?? '') ?? []).map(({ row }) => row);
}

/** Under which the service looks for an earlier row. */
export function earlierKeyOf({ key, note }: RowDigests): string | undefined {
  return note && !note.isDated ? note.text : key;
}
