import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  ChangedInput,
  hashFile,
  isPacked,
  pathOf,
  unreadable,
  visitFile,
  type Copies,
  type FileOptions,
  type KindMapping,
  type Sizes,
  type Visit,
} from '@data-import/files';
import { Grouping } from './grouping.js';
import type { Kind } from '../kinds/kinds.js';
import type { FileSummary, Preparation } from './preparation.js';
import { FIELDS } from '../kinds/fields.js';

/** Called from time to time with the progress of reading or sorting, from 0 to 1. */
export type ReadingProgress = (kind: Kind, share: number) => void;

export interface ReadingOptions {
  readonly folder: string;
  /** Folder for temporary files; created when it does not exist. */
  readonly workFolder: string;
  readonly mapping: KindMapping;
  /** Copies of files that are inside others. */
  readonly copies?: Copies | undefined;
  readonly progress?: ReadingProgress | undefined;
  /** Ends the work by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sizes that replace {@link SIZES} in tests. */
  readonly sizes?: Partial<Sizes> | undefined;
}

/**
 * Read the files of a kind once: hash them, count their records, and find out whether the rows of each account are
 * together.
 *
 * @param names the names of the files, in order
 * @throws WrongUsage, UnreadableInput that name the file
 */
export async function prepare(
  kind: Kind,
  names: readonly string[],
  options: ReadingOptions,
): Promise<Preparation> {
  const grouping = new Grouping();
  const files: FileSummary[] = [];
  const sizes = await Promise.all(names.map((name) => stateOf(pathOf(options.folder, name, options.copies))));
  const bytesTotal = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  let rows = 0;
  for (const name of names) {
    const say = (read: number): void => {
      options.progress?.(kind, bytesTotal === 0 ? 1 : Math.min(1, (bytes + read) / bytesTotal));
    };
    const file = await summarise(kind, name, options, grouping, say);
    files.push(file);
    bytes += file.bytes;
    rows += file.rows;
  }
  return { kind, files, rows, isGrouped: grouping.isGrouped };
}

/**
 * Compare the files of a kind with an earlier preparation, by their hashes.
 *
 * @param names the names of the current files, in order
 * @returns each file that was removed, added or changed, as `notes.csv was added`. If there are none, the preparation is valid
 */
export async function recheck(
  known: Preparation,
  names: readonly string[],
  options: ReadingOptions,
): Promise<{ readonly changed: readonly string[]; readonly preparation: Preparation }> {
  const before = new Map(known.files.map((file) => [file.name, file]));
  const files: FileSummary[] = [];
  const changed = known.files
    .filter(({ name }) => !names.includes(name))
    .map(({ name }) => `${name} was removed`);
  for (const name of names) {
    const path = pathOf(options.folder, name, options.copies);
    const earlier = before.get(name);
    const { bytes, modified } = await stateOf(path);
    const isSame = earlier?.bytes === bytes && (await hashFile(path, options.signal)) === earlier.sha256;
    if (isSame) files.push({ ...earlier, modified });
    else changed.push(`${name} was ${earlier === undefined ? 'added' : 'changed'}`);
  }
  return { changed, preparation: { ...known, files } };
}

/** @throws ChangedInput if the size or time of a file shows that it is not the one that was prepared */
export async function expectUnchanged(
  { folder, copies }: Pick<ReadingOptions, 'folder' | 'copies'>,
  file: Omit<FileSummary, 'rows'>,
): Promise<void> {
  const { bytes, modified } = await stateOf(pathOf(folder, file.name, copies));
  if (bytes !== file.bytes || modified !== file.modified) throw changedMeanwhile(file.name);
}

export function changedMeanwhile(name: string): ChangedInput {
  return new ChangedInput(`${name} was changed while it was being read. Start again.`);
}

/** @throws UnreadableInput */
export async function fileBytes(path: string): Promise<number> {
  return (await stateOf(path)).bytes;
}

async function stateOf(path: string): Promise<{ readonly bytes: number; readonly modified: number }> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { bytes: size, modified: mtimeMs };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function summarise(
  kind: Kind,
  name: string,
  options: ReadingOptions,
  grouping: Grouping,
  say: (bytes: number) => void,
): Promise<FileSummary> {
  let rows = 0;
  const visit: Visit = (record, problem, reader) => {
    rows += 1;
    if (problem || !grouping.isGrouped) return;
    const account = reader.account(record);
    if (account !== undefined) grouping.add(account);
  };
  const read = await readWhole(kind, name, options, visit, (bytes) => {
    say(bytes);
    return Promise.resolve();
  });
  return { ...read, rows };
}

/**
 * Visit all records of a file.
 *
 * @param blockRead called after each block with the bytes of the file that were read; 0 while it is unknown
 * @throws UnreadableInput also when the file was changed meanwhile
 */
export async function readWhole(
  kind: Kind,
  name: string,
  options: Omit<ReadingOptions, 'workFolder' | 'progress'> & Pick<FileOptions, 'cameFrom'>,
  visit: Visit,
  blockRead: (bytes: number) => Promise<void>,
): Promise<Omit<FileSummary, 'rows'>> {
  const { folder, signal, copies } = options;
  const path = pathOf(folder, name, copies);
  const { bytes, modified } = await stateOf(path);
  const hash = createHash('sha256');
  const counting: Visit = (record, problem, reader) => {
    if (!problem) reader.count?.(record);
    visit(record, problem, reader);
  };
  const reading = { ...options, fields: FIELDS[kind] };
  const { unpackedBytes, leftOut, rules, others } = await visitFile(reading, name, counting, {
    hash,
    isReused: true,
    signal,
    blockRead: async (read) => {
      await blockRead(isPacked(name) ? 0 : read);
      return true;
    },
  });
  const sha256 = isPacked(name) ? await hashFile(path, signal) : hash.digest('hex');
  const { name: mapping, join: joined, form } = options.mapping.of(options.cameFrom ?? name);
  // Joined rows are written elsewhere as complete rows, and are then read without the mapping.
  const how = joined ? ({ isJoined: true } as const) : mapping !== '' && { mapping };
  const said = {
    ...how,
    ...(form.fixed !== undefined && !joined && { isFixed: true as const }),
    ...(leftOut > 0 && { leftOut }),
    ...(Object.keys(rules).length > 0 && { rules }),
    ...(others > 0 && { others }),
  };
  const file = { name, sha256, bytes, modified, unpackedBytes, ...said };
  await expectUnchanged(options, file);
  return file;
}
