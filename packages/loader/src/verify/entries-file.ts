import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hashFile,
  isDraft,
  namesIn,
  pathOf,
  WrongUsage,
  type KindMapping,
  type Sizes,
  writeWhole,
} from '@data-import/files';
import { ExternalSort, sortingIn } from '../rows/external-sort.js';
import { changedMeanwhile, fileBytes } from '../rows/prepare.js';
import type { UsedFile } from '../rows/left-out.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { sha256 } from './digests.js';
import { writeJoinedShare, writeShare, type Share, type ShareTask } from './entries-share.js';
import { correctionsHash, type InputFile } from './input.js';

/** The size of a run. It is small, because two threads each need such a run and a block of the file at the same time. */
const RUN_BYTES = 16_777_216;

/** The prefix of files with entries and of their parts. */
const ENTRIES = 'entries-';

/** The suffix of the file that describes the use of the mapping. */
const USES = '.uses';

/** The version of the format. It changes with the content of entries and of the files next to them. */
const FORMAT = 3;

export interface EntriesOptions {
  readonly folders: readonly string[];
  /** The folder in which the entries are kept. */
  readonly workFolder: string;
  /** The folder for sorted copies of joined rows; by default the work folder. */
  readonly sortedFolder?: string;
  /** The mapping of each kind, and a text that shows whether the mapping has changed. */
  readonly mapping: { readonly of: (kind: Kind) => KindMapping; readonly text: (kind: Kind) => string };
  /** The SHA-256 of a file, if it is known. */
  readonly hashOf?: (file: InputFile) => string | undefined;
  readonly signal?: AbortSignal;
  readonly sizes?: Partial<Sizes>;
  /** Writes half of the entries in a separate thread, if the files together have at least `fromBytes` bytes. */
  readonly thread?: {
    readonly run: (task: ShareTask, signal: AbortSignal) => Promise<Share>;
    readonly fromBytes: number;
  };
  readonly progress?: (kind: Kind, share: number) => void;
}

export interface EntriesFile {
  readonly path: string;
  readonly rows: number;
  /** The SHA-256 of each file. */
  readonly hashes: readonly string[];
  /** The use of the mapping by files that are not joined. */
  readonly uses: readonly UsedFile[];
}

/**
 * Write an entry for each row of the files into one file, sorted by account, in constant memory. An existing file for
 * the same input is reused.
 *
 * @throws UnreadableInput, WrongUsage that name the file
 */
export async function ensureEntries(
  files: readonly InputFile[],
  options: EntriesOptions,
): Promise<EntriesFile> {
  const { workFolder, signal } = options;
  const known = (await namesIn(workFolder)).filter((name) => name.startsWith(ENTRIES) && !isDraft(name));
  if (known.length > 0) {
    const hashes: string[] = [];
    for (const file of files)
      hashes.push(
        options.hashOf?.(file) ?? (await hashFile(pathOf(file.folder, file.name, file.copies), signal)),
      );
    const begin = await nameOf(files, hashes, options);
    const found = known.find((name) => name.startsWith(`${begin}-`) && !name.endsWith(USES));
    if (found) {
      const path = join(workFolder, found);
      const uses = JSON.parse(await readFile(path + USES, 'utf8')) as UsedFile[];
      return { path, rows: Number(found.slice(begin.length + 1)), hashes, uses };
    }
  }
  const isFull = `The disk of ${workFolder} is full: it needs about 250 bytes for each row of the files.`;
  return sortingIn({ folder: workFolder, begin: ENTRIES, isFull }, () => sortEntries(files, options));
}

async function sortEntries(files: readonly InputFile[], options: EntriesOptions): Promise<EntriesFile> {
  const { workFolder, signal, sizes } = options;
  const read = await writeShares(files, options);
  const joined = await writeJoinedShare(
    { files, path: join(workFolder, `${ENTRIES}joined`), sizes: { run: RUN_BYTES, ...sizes } },
    {
      ...(signal && { signal }),
      mappingOf: options.mapping.of,
      sortedFolder: options.sortedFolder ?? workFolder,
    },
  );
  const shares = [...read, joined];
  const hashes = files.map((_file, index) => shares.map((share) => share.hashes[index]).find(Boolean) ?? '');
  for (const [index, { name, kind, replaced }] of files.entries()) {
    if (read.some((share) => share.hashes[index] !== read[0]?.hashes[index])) throw changedMeanwhile(name);
    const found = shares.reduce((sum, share) => sum + (share.replaced[index] ?? 0), 0);
    if (found < replaced.size) {
      throw new WrongUsage(
        `${name} was changed after rows of it were corrected: ${replaced.size - found} lines that corrected/${kind}.replaces.csv names are no rows of it. Restore the file, or move corrected/ away and correct the file itself.`,
      );
    }
  }
  const rows = shares.reduce((sum, share) => sum + share.rows, 0);
  const path = join(workFolder, `${await nameOf(files, hashes, options)}-${rows}`);
  const sort = new ExternalSort(path, {
    ...(sizes && { sizes }),
    ...(signal && { signal }),
  });
  const uses = read[0]?.uses ?? [];
  // The use of the mapping is written first, so that it exists whenever the entries do.
  await writeWhole(path + USES, (file) => {
    file.add(JSON.stringify(uses));
  });
  await sort.finish(
    path,
    shares.flatMap(({ runs }) => runs),
  );
  return { path, rows, hashes, uses };
}

/**
 * Write the entries of all files, in two threads if the files are large. If several fail, the first error is thrown once
 * all have ended.
 */
async function writeShares(files: readonly InputFile[], options: EntriesOptions): Promise<Share[]> {
  const { workFolder, signal, sizes, mapping, progress, thread } = options;
  const isShared = thread !== undefined && (await bytesOf(files)) >= thread.fromBytes;
  const kinds = KINDS.map((kind) => [kind, mapping.text(kind)] as const);
  const mappings = new Map(kinds.filter(([, text]) => text !== ''));
  const of = isShared ? 2 : 1;
  const taskOf = (share: number): ShareTask => {
    const path = join(workFolder, `${ENTRIES}${share}`);
    return { files, mappings, path, sizes: { run: RUN_BYTES, ...sizes }, share, of };
  };
  const failure = new AbortController();
  const stop = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
  const own = writeShare(taskOf(0), { mappingOf: mapping.of, signal: stop, ...(progress && { progress }) });
  const threads = [own, ...(isShared ? [thread.run(taskOf(1), stop)] : [])];
  const ended = await Promise.allSettled(
    threads.map((share) =>
      share.catch((error: unknown) => {
        failure.abort(error);
        throw error;
      }),
    ),
  );
  stop.throwIfAborted();
  return ended.flatMap((share) => (share.status === 'fulfilled' ? [share.value] : []));
}

async function bytesOf(files: readonly InputFile[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(({ folder, name, copies }) => fileBytes(pathOf(folder, name, copies))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The name of the file, without the number of rows. It depends on everything that determines the entries. */
async function nameOf(
  files: readonly InputFile[],
  hashes: readonly string[],
  { folders, mapping }: EntriesOptions,
): Promise<string> {
  const parts = files.map(({ name, kind }, index) => [name, kind, hashes[index], mapping.text(kind)]);
  const text = JSON.stringify([FORMAT, folders.length, parts, await correctionsHash(folders)]);
  return `${ENTRIES}${sha256(text).slice(0, 32)}`;
}
