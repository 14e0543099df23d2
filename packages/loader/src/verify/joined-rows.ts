import type { Copies, KindMapping, ReadRow } from '@data-import/files';
import { Intervals } from '../rows/intervals.js';
import { isJoined } from '../rows/join.js';
import { readRows } from '../rows/read-rows.js';
import type { Kind } from '../kinds/kinds.js';
import { isCorrected, type InputFile } from './input.js';
import type { ReadingOptions } from '../rows/prepare.js';

/** The files of one kind in a folder whose rows are joined. */
export interface JoinedGroup {
  readonly folder: string;
  readonly kind: Kind;
  readonly copies: Copies | undefined;
  /** The index of each file among all files, by name. */
  readonly indexOf: ReadonlyMap<string, number>;
}

export interface JoinedOptions {
  readonly mappingOf: (kind: Kind) => KindMapping;
  /** The folder for sorted copies. */
  readonly sortedFolder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Find the kinds whose rows are joined, in each folder. Corrected rows are already complete. */
export function joinedGroups(
  files: readonly InputFile[],
  mappingOf: JoinedOptions['mappingOf'],
): JoinedGroup[] {
  const groups = new Map<string, JoinedGroup & { readonly indexOf: Map<string, number> }>();
  for (const [index, file] of files.entries()) {
    const { folder, kind, name, copies } = file;
    if (isCorrected(file)) continue;
    const place = JSON.stringify([folder, kind]);
    const group = groups.get(place) ?? { folder, kind, copies, indexOf: new Map<string, number>() };
    group.indexOf.set(name, index);
    groups.set(place, group);
  }
  return [...groups.values()].filter(({ kind, indexOf }) => isJoined([...indexOf.keys()], mappingOf(kind)));
}

/** How the rows of a group are read. */
export function joinedReading(
  { folder, kind, copies }: JoinedGroup,
  { mappingOf, sortedFolder, signal }: JoinedOptions,
): ReadingOptions {
  return { folder, copies, workFolder: sortedFolder, mapping: mappingOf(kind), signal };
}

/**
 * A function that reads the joined rows for a file, given its index.
 *
 * @param hashes the SHA-256 of each file, by which a sorted copy is found
 */
export function joinedRowsOf(
  files: readonly InputFile[],
  hashes: readonly string[],
  options: JoinedOptions,
): (index: number) => AsyncIterable<readonly ReadRow[]> | undefined {
  const groups = joinedGroups(files, options.mappingOf);
  return (index) => {
    const group = groups.find(({ indexOf }) => [...indexOf.values()].includes(index));
    if (!group) return undefined;
    const unknown = { bytes: 0, modified: 0, unpackedBytes: 0, rows: 0 };
    const read = Array.from(group.indexOf, ([name, at]) => ({ ...unknown, name, sha256: hashes[at] ?? '' }));
    const preparation = { kind: group.kind, files: read, rows: 0, isGrouped: false };
    return readRows(preparation, joinedReading(group, options), new Intervals());
  };
}
