import { chmod, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { WorkFolder } from '../journal/work-folder.js';
import { ensureEntries, type EntriesFile } from '../verify/entries-file.js';
import type { Share, ShareTask } from '../verify/entries-share.js';
import type { InputFile } from '../verify/input.js';
import { shareInThread } from '../verify/share-thread.js';
import type { ServiceOptions } from './options.js';
import { readingOf, type Run } from './run.js';
import type { Preparation } from '../rows/preparation.js';

/** The built file is also the program of the thread (main.ts). Starting it takes as long as processing a few megabytes. */
const THREAD = {
  run: (task: ShareTask, signal: AbortSignal): Promise<Share> =>
    shareInThread(new URL(import.meta.url), task, signal),
  fromBytes: 8_000_000,
};

/** The folder in which comparisons keep their state. */
export async function verifyFolder({ verify: folder }: WorkFolder): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

export interface EntriesContext {
  readonly workFolder: string;
  /** Folder for the sorted copies of joined rows; by default the work folder. */
  readonly sortedFolder?: string;
  readonly options: ServiceOptions;
  readonly running: Run;
  /** Whether two threads write them. It takes half the time but a third more CPU time, because both read all files. */
  readonly isShared: boolean;
  /** The findings of an earlier reading; those files are not hashed again. */
  readonly preparations?: Iterable<Preparation>;
}

/** Make the entries of files, see {@link ensureEntries}. */
export function entriesOf(
  files: readonly InputFile[],
  folders: readonly string[],
  { workFolder, sortedFolder, options, running, isShared, preparations = [] }: EntriesContext,
): Promise<EntriesFile> {
  const known = new Map(
    [...preparations].flatMap(({ kind, files: all }) =>
      all.map((file) => [`${kind} ${file.name}`, file.sha256]),
    ),
  );
  return ensureEntries(files, {
    folders,
    workFolder,
    ...(sortedFolder !== undefined && { sortedFolder }),
    mapping: options.mapping,
    hashOf: ({ kind, name }) => known.get(`${kind} ${name}`),
    signal: running.stop.signal,
    progress: readingOf(running.progress),
    ...(isShared && availableParallelism() > 1 && { thread: THREAD }),
  });
}
