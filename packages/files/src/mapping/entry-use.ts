import { fileOf } from '../text/parts.js';

/**
 * An entry of a mapping file by what is written in it, such as `"Ledger.xlsx" (transactions, 2025)`.
 *
 * @param number its number, which names an entry without a pattern
 */
export function entryName(entry: unknown, number: number): string {
  const { match, kind, rows, form } = (entry ?? {}) as Record<string, unknown>;
  const { sheet, records } = (form ?? {}) as Record<string, unknown>;
  const name = match === undefined ? `entry ${number}` : JSON.stringify(match);
  const about = [kind ?? 'no kind', sheet ?? records, rows].filter((part) => part !== undefined);
  const said = about.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));
  return `${name} (${said.join(', ')})`;
}

/** The part of a mapping entry that says for which files it is meant. */
export interface EntryFiles {
  /** The place in the mapping file, such as `"LEDG*.csv" (transactions)`. */
  readonly place: string;
  readonly kind: { readonly name: string };
  readonly fits: (file: string) => boolean;
  readonly isOptional: boolean;
  readonly lists: readonly { readonly field: string; readonly fits: (file: string) => boolean }[];
}

/**
 * Find the entries with which no file is read, and describe each in a sentence.
 *
 * @param names the names of all files that are loaded
 * @param kinds the kinds that are loaded; entries of other kinds do not matter
 * @param takes whether a file is read with an entry
 * Source: choice L1.
 */
export function unusedEntries<Entry extends EntryFiles>(
  entries: readonly Entry[],
  names: readonly string[],
  kinds: readonly string[],
  takes: (entry: Entry, name: string) => boolean,
): string[] {
  return entries.flatMap((entry) => {
    const { place, kind, fits, isOptional, lists } = entry;
    if (!kinds.includes(kind.name)) return [];
    const own = names.filter((name) => fits(fileOf(name)));
    if (own.length > 0 && !own.some((name) => takes(entry, name)))
      return [`${place}: other entries take every file that it fits (${own.slice(0, 3).join(', ')}).`];
    if (own.length === 0 && isOptional) return [];
    const advice = 'Correct the pattern, or set "optional": true where a folder need not have such a file.';
    const unfit = own.length === 0 ? [`${place}: no file fits it. ${advice}`] : [];
    const missing = lists.filter((list) => !names.some((name) => list.fits(fileOf(name))));
    return [...unfit, ...missing.map(({ field }) => `${place}: no file fits "from" of ${field}.`)];
  });
}
