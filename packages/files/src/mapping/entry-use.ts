import { fileOf } from '../text/parts.js';

/** The part of a mapping entry that says for which files it is meant. */
export interface EntryFiles {
  /** The place in the mapping file, such as `files.2 ("LEDG*.csv")`. */
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
