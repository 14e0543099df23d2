import { stat } from 'node:fs/promises';
import { hashFile, pathOf, type Copies, type KindMapping, type ReadRow } from '@data-import/files';
import { Intervals } from '../rows/intervals.js';
import { isJoined } from '../rows/join.js';
import { readRows } from '../rows/read-rows.js';
import type { Kind } from '../kinds/kinds.js';
import { isCorrected, type InputFile } from './input.js';
import type { FileSummary } from '../rows/preparation.js';

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
  readonly signal?: AbortSignal;
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

/**
 * Read the rows of joined files.
 *
 * @param hashed receives the SHA-256 of each file and its index among all files
 */
export async function* joinedRows(
  { folder, kind, copies, indexOf }: JoinedGroup,
  { mappingOf, sortedFolder, signal }: JoinedOptions,
  hashed: (index: number, sha256: string) => void = () => undefined,
): AsyncGenerator<ReadRow[]> {
  const files: FileSummary[] = [];
  for (const [name, index] of indexOf) {
    const path = pathOf(folder, name, copies);
    const sha256 = await hashFile(path, signal);
    const { size: bytes, mtimeMs: modified } = await stat(path);
    files.push({ name, sha256, bytes, modified, unpackedBytes: bytes, rows: 0 });
    hashed(index, sha256);
  }
  const mapping = mappingOf(kind);
  const options = { folder, copies, workFolder: sortedFolder, mapping, ...(signal && { signal }) };
  yield* readRows({ kind, files, rows: 0, isGrouped: false }, options, new Intervals());
}

/** A function that reads the joined rows for a file, given its index. */
export function joinedRowsOf(
  files: readonly InputFile[],
  options: JoinedOptions,
): (index: number) => AsyncIterable<readonly ReadRow[]> | undefined {
  const groups = joinedGroups(files, options.mappingOf);
  return (index) => {
    const group = groups.find(({ indexOf }) => [...indexOf.values()].includes(index));
    return group && joinedRows(group, options);
  };
}
