import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableInput, WrongUsage } from '../errors.js';
import { hashFile } from '../rows/byte-source.js';
import type { Sizes } from '../rows/blocks.js';
import { ContentWriter } from '../rows/content.js';
import { ExternalSort } from '../rows/external-sort.js';
import { toRow } from '../rows/file-records.js';
import type { KindMapping } from '../rows/mapping.js';
import { readWhole } from '../rows/prepare.js';
import type { Kind } from '../rows/row.js';
import { sha256 } from './digests.js';
import { ENTRY_BYTES_MAX, writeEntry } from './entry.js';
import { correctionsHash, type InputFile } from './input.js';

/** Changes with what stands in an entry. */
const FORMAT = 1;

export interface EntriesOptions {
  readonly folders: readonly string[];
  /** Where the entries are kept. */
  readonly workFolder: string;
  /** The mapping of each kind, and a text by which another one is recognised. */
  readonly mapping: { readonly of: (kind: Kind) => KindMapping; readonly text: (kind: Kind) => string };
  readonly signal?: AbortSignal;
  readonly sizes?: Partial<Sizes>;
  readonly progress?: (kind: Kind, share: number) => void;
}

export interface EntriesFile {
  readonly path: string;
  readonly rows: number;
}

/**
 * Write an entry of each row of some files into one file, sorted by account, in constant memory; or find the one that was written
 * of the same files.
 *
 * @throws UnreadableInput, WrongUsage naming the file
 */
export async function ensureEntries(
  files: readonly InputFile[],
  options: EntriesOptions,
): Promise<EntriesFile> {
  const { workFolder, signal } = options;
  const known = (await readdir(workFolder)).filter((name) => name.startsWith('entries-'));
  if (known.length > 0) {
    const hashes: string[] = [];
    for (const { folder, name } of files) hashes.push(await hashFile(join(folder, name), signal));
    const begin = await nameOf(files, hashes, options);
    const found = known.find((name) => name.startsWith(`${begin}-`));
    if (found) return { path: join(workFolder, found), rows: Number(found.slice(begin.length + 1)) };
  }
  await removeEntries(workFolder);
  try {
    return await sortEntries(files, options);
  } catch (error) {
    await removeEntries(workFolder);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new UnreadableInput(
      `The disk of ${workFolder} is full: it needs about 250 bytes for each row of the files.`,
      { cause: error },
    );
  }
}

async function sortEntries(files: readonly InputFile[], options: EntriesOptions): Promise<EntriesFile> {
  const { workFolder, signal, sizes, mapping, progress } = options;
  const sort = new ExternalSort(join(workFolder, 'sorting'), {
    ...(sizes && { sizes }),
    ...(signal && { signal }),
  });
  const entry = Buffer.alloc(ENTRY_BYTES_MAX);
  const writer = new ContentWriter();
  const hashes: string[] = [];
  let rows = 0;
  for (const [index, { folder, name, kind, replaced }] of files.entries()) {
    let found = 0;
    const reading = { folder, mapping: mapping.of(kind), ...(signal && { signal }), ...(sizes && { sizes }) };
    const { sha256: hash } = await readWhole(
      kind,
      name,
      reading,
      (record, problem, reader) => {
        if (replaced.has(record.line)) {
          found += 1;
          return;
        }
        const row = toRow(record, problem, reader);
        const to = writeEntry(entry, kind, row, writer);
        sort.add(row.account ?? '', index, { bytes: entry, from: 0, to, line: record.line }, false);
        rows += 1;
      },
      async () => {
        progress?.(kind, (index + 0.5) / files.length);
        if (sort.isFull) await sort.writeRun();
      },
    );
    if (found < replaced.size) {
      throw new WrongUsage(
        `${name} was changed after rows of it were corrected: ${replaced.size - found} lines that corrected/${kind}.replaces.csv names are no rows of it. Restore the file, or move corrected/ away and correct the file itself.`,
      );
    }
    hashes.push(hash);
  }
  const path = join(workFolder, `${await nameOf(files, hashes, options)}-${rows}`);
  await sort.finish(path);
  return { path, rows };
}

/** The name without the number of rows: it changes with everything that decides what the entries are. */
async function nameOf(
  files: readonly InputFile[],
  hashes: readonly string[],
  { folders, mapping }: EntriesOptions,
): Promise<string> {
  const parts = files.map(({ name, kind }, index) => [name, kind, hashes[index], mapping.text(kind)]);
  const text = JSON.stringify([FORMAT, folders.length, parts, await correctionsHash(folders)]);
  return `entries-${sha256(text).slice(0, 32)}`;
}

/** Remove entries, and what a process that was killed has left of them. */
export async function removeEntries(workFolder: string): Promise<void> {
  const own = (await readdir(workFolder)).filter((name) => /^(entries|sorting)-/.test(name));
  await Promise.all(own.map((name) => rm(join(workFolder, name), { force: true })));
}
