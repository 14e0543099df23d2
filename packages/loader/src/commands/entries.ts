import { chmod, mkdir } from 'node:fs/promises';
import type { WorkFolder } from '../journal/work-folder.js';
import type { Preparation } from '../rows/preparation.js';
import { ensureEntries, type EntriesFile } from '../verify/entries-file.js';
import type { InputFile } from '../verify/input.js';
import type { ServiceOptions } from './options.js';
import { readingOf, type Run } from './run.js';

export interface EntriesContext {
  readonly work: WorkFolder;
  /** Folder for the sorted copies of joined rows; by default the folder of the entries. */
  readonly sortedFolder?: string;
  readonly options: ServiceOptions;
  readonly running: Run;
  /** The findings of an earlier reading; those files are not hashed again. */
  readonly preparations?: Iterable<Preparation>;
}

/** Make the entries of files, see {@link ensureEntries}. */
export async function entriesOf(
  files: readonly InputFile[],
  folders: readonly string[],
  { work, sortedFolder, options, running, preparations = [] }: EntriesContext,
): Promise<EntriesFile> {
  const known = new Map(
    [...preparations].flatMap(({ kind, files: all }) =>
      all.map((file) => [`${kind} ${file.name}`, file.sha256]),
    ),
  );
  await mkdir(work.verify, { recursive: true, mode: 0o700 });
  await chmod(work.verify, 0o700);
  return ensureEntries(files, {
    folders,
    workFolder: work.verify,
    sortedFolder,
    mapping: options.mapping,
    hashOf: ({ kind, name }) => known.get(`${kind} ${name}`),
    signal: running.stop.signal,
    progress: readingOf(running.progress),
  });
}
