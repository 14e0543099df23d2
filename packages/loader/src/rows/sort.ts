import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { namesIn, removeFiles, TOO_LONG, visitFile, type Visit } from '@data-import/files';
import { ExternalSort, sortingIn } from './external-sort.js';
import { expectUnchanged, type ReadingOptions } from './prepare.js';
import type { Preparation } from './preparation.js';
import { FIELDS } from '../kinds/fields.js';

/** Prefix of the names of sorted copies. */
export const SORTED = 'sorted-';

/** The name of the sorted copy in the work folder. It depends on the files and on the way in which they are read. */
export function sortedName({ kind, files }: Preparation, { mapping }: ReadingOptions): string {
  const hash = createHash('sha256');
  for (const { sha256 } of files) hash.update(sha256);
  hash.update(mapping.text);
  return `${SORTED}${kind}-${hash.digest('hex').slice(0, 16)}`;
}

/**
 * Make the sorted copy of a kind whose rows are not grouped, unless it exists. It has all records ordered by account and, within an
 * account, by file; records without an account come first. It is an external merge sort in constant memory. The copy gets its name
 * only when it is complete. All other files are removed when this ends or fails; the files of a killed process are removed at the
 * next start.
 *
 * @returns its path
 * @throws UnreadableInput
 */
export async function ensureSorted(preparation: Preparation, options: ReadingOptions): Promise<string> {
  const { workFolder } = options;
  const path = join(workFolder, sortedName(preparation, options));
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const known = await namesIn(workFolder);
  if (known.includes(basename(path))) return path;
  const { kind, rows } = preparation;
  await sortingIn(workFolder, `${SORTED}${kind}-`, async () => {
    const sort = new ExternalSort(path, {
      ...options,
      // This is half of the work: the runs are merged afterwards.
      progress: (done) => {
        options.progress?.(kind, rows === 0 ? 1 : Math.min(1, done / 2 / rows));
      },
    });
    await addRecords(sort, preparation, options);
    await sort.finish(path);
  });
  return path;
}

/** Remove the sorted copies and their parts from a work folder. */
export async function removeSorted(workFolder: string): Promise<void> {
  await removeFiles(workFolder, (name) => name.startsWith(SORTED));
}

/** Write the records of all files to runs. */
async function addRecords(
  sort: ExternalSort,
  preparation: Preparation,
  options: ReadingOptions,
): Promise<void> {
  const { kind, files } = preparation;
  for (const [index, file] of files.entries()) {
    await expectUnchanged(options, file);
    const visit: Visit = (record, problem, reader) => {
      sort.add((problem ? undefined : reader.account(record)) ?? '', index, record, problem === TOO_LONG);
    };
    await visitFile({ ...options, fields: FIELDS[kind] }, file.name, visit, {
      isReused: true,
      signal: options.signal,
      blockRead: async () => {
        if (sort.isFull) await sort.writeRun();
        return true;
      },
    });
  }
}
