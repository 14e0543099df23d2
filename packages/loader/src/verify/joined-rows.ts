import { stat } from 'node:fs/promises';
import { hashFile, pathOf, type Copies, type KindMapping, type ReadRow } from '@data-import/files';
import { Intervals } from '../rows/intervals.js';
import { isJoined } from '../rows/join.js';
import { readRows } from '../rows/read-rows.js';
import type { Kind } from '../kinds/kinds.js';
import { isCorrected, type InputFile } from './input.js';
import type { FileSummary } from '../rows/preparation.js';

/** The files of a kind of a folder of which rows are joined. */
export interface JoinedGroup {
  readonly folder: string;
  readonly kind: Kind;
  readonly copies: Copies | undefined;
  /** By name their indexes among all files. */
  readonly indexOf: ReadonlyMap<string, number>;
}

export interface JoinedOptions {
  readonly mappingOf: (kind: Kind) => KindMapping;
  /** Where sorted copies are, or are made. */
  readonly sortedFolder: string;
  readonly signal?: AbortSignal;
}

/** Find the kinds of folders of which rows are joined; rows that were corrected are whole. */
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
 * The rows of files that are joined.
 *
 * @param hashed is given the SHA-256 of each file, by its index among all files
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

/** The rows of the kind of a file, by its index, where they are joined. */
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
