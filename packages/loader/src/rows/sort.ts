import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableInput, WrongUsage } from '../errors.js';
import { SIZES } from './blocks.js';
import { ACCOUNT } from './fields.js';
import { FileRecords } from './file-records.js';
import { expectUnchanged, type ReadingOptions } from './prepare.js';
import type { Preparation } from './row.js';
import { isBefore, RecordWriter, RunBuilder, RunCursor } from './sort-runs.js';
import { sortedBytesMax } from './sorted-format.js';

/** Rows between two calls of the progress. */
const ROWS_A_CALL = 65_536;

/** The name of the sorted copy in the work folder; it changes with the files and with how their accounts are read. */
function sortedName({ kind, files }: Preparation, { mapping }: ReadingOptions): string {
  const hash = createHash('sha256');
  for (const { sha256 } of files) hash.update(sha256);
  const values = [...(mapping.values.get(ACCOUNT) ?? [])];
  hash.update(JSON.stringify([mapping.columns.get(ACCOUNT), mapping.constants.get(ACCOUNT), values]));
  return `sorted-${kind}-${hash.digest('hex').slice(0, 16)}`;
}

/** Bytes that the sort of a kind needs on the disk of the work folder while it runs; half of them until the load has ended. */
function bytesForSort({ files, rows }: Preparation): number {
  return (
    2 *
    sortedBytesMax(
      files.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0),
      rows,
    )
  );
}

/**
 * Make the sorted copy of a kind whose rows are not grouped, unless it is there: all records, in the order of their accounts
 * and for each account in the order of the files; records without an account first. It is an external merge sort with
 * constant memory. The copy has its name only when it is complete; everything else is removed when this ends or fails, and
 * what a process that was killed has left when it begins.
 *
 * @returns its path
 * @throws WrongUsage when there is too little room; UnreadableInput
 */
export async function ensureSorted(preparation: Preparation, options: ReadingOptions): Promise<string> {
  const { workFolder } = options;
  const path = join(workFolder, sortedName(preparation, options));
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  if (await exists(path)) return path;
  await removeTemporaryFiles(workFolder, preparation.kind);
  await expectRoom(preparation, workFolder);
  const work = new Work(preparation, options);
  try {
    await work.merge(await work.writeRuns(), path);
    return path;
  } catch (error) {
    await removeTemporaryFiles(workFolder, preparation.kind);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new UnreadableInput(
      `The disk of ${workFolder} became full while ${preparation.kind} were sorted.`,
      {
        cause: error,
      },
    );
  }
}

/** Remove what sorting has left in a work folder: sorted copies, and parts of them. */
export async function removeTemporaryFiles(workFolder: string, kind?: string): Promise<void> {
  const names = (await exists(workFolder)) ? await readdir(workFolder) : [];
  const own = names.filter((name) => new RegExp(`^sort(?:ed|ing)-${kind ?? ''}`).test(name));
  await Promise.all(own.map((name) => rm(join(workFolder, name), { force: true })));
}

/** One sort. */
class Work {
  private files = 0;

  constructor(
    private readonly preparation: Preparation,
    private readonly options: ReadingOptions,
  ) {}

  /** @returns the paths of sorted runs, which in their order hold all records in the order of the files */
  async writeRuns(): Promise<string[]> {
    const { folder } = this.options;
    const { kind, files } = this.preparation;
    const runs: string[] = [];
    const builder = new RunBuilder(this.options.sizes?.run);
    let rows = 0;
    const writeRun = async (): Promise<void> => {
      const path = this.newPath();
      await builder.write(path);
      runs.push(path);
      // Half of the work: the runs are merged after it.
      this.say(rows / 2);
    };
    for (const [index, file] of files.entries()) {
      await expectUnchanged(folder, file);
      const records = await FileRecords.open({ ...this.options, kind }, file.name, 0, { isReused: true });
      try {
        for (let isMore = true; isMore;) {
          this.options.signal?.throwIfAborted();
          isMore = await records.read(Infinity, (record, problem, reader) => {
            rows += 1;
            builder.add((problem ? undefined : reader.account(record)) ?? '', index, record, problem);
          });
          if (builder.isFull) await writeRun();
        }
      } finally {
        await records.close();
      }
    }
    if (!builder.isEmpty) await writeRun();
    return runs;
  }

  /** Merge runs to the sorted copy and remove them. */
  async merge(runs: readonly string[], path: string): Promise<void> {
    const { merged: atOnce } = { ...SIZES, ...this.options.sizes };
    let rest = runs;
    while (rest.length > atOnce) {
      const merged: string[] = [];
      for (let at = 0; at < rest.length; at += atOnce) {
        const target = this.newPath();
        await this.mergeOnce(rest.slice(at, at + atOnce), target);
        merged.push(target);
      }
      rest = merged;
    }
    const target = this.newPath();
    await this.mergeOnce(rest, target, true);
    await rename(target, path);
  }

  /** @param isSynced whether the file must be whole after a crash of the machine */
  private async mergeOnce(runs: readonly string[], target: string, isSynced = false): Promise<void> {
    const writer = await RecordWriter.create(target);
    const cursors: RunCursor[] = [];
    let rows = 0;
    try {
      for (const run of runs) cursors.push(new RunCursor(run, cursors.length));
      const heap = new Heap(cursors);
      for (let first = heap.first; first; first = heap.advance()) {
        if (writer.add(first.bytes, first.at, first.length)) await writer.flush();
        rows += 1;
        if (rows % ROWS_A_CALL === 0) {
          this.options.signal?.throwIfAborted();
          this.say((this.preparation.rows + rows) / 2);
        }
      }
      await writer.flush();
      if (isSynced) await writer.sync();
    } finally {
      for (const cursor of cursors) cursor.close();
      await writer.close();
    }
    await Promise.all(runs.map((run) => rm(run)));
  }

  private newPath(): string {
    this.files += 1;
    return join(this.options.workFolder, `sorting-${this.preparation.kind}-${this.files}`);
  }

  private say(rowsDone: number): void {
    const { kind, files, rows } = this.preparation;
    const bytesTotal = files.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
    const share = rows === 0 ? 1 : Math.min(1, rowsDone / rows);
    const bytes = Math.round(bytesTotal * share);
    this.options.progress?.({ kind, phase: 'sorting', bytes, bytesTotal, rows: Math.floor(rowsDone) });
  }
}

/** Cursors that have a record, the one whose record comes first at the top (a binary heap). */
class Heap {
  private readonly cursors: RunCursor[] = [];

  constructor(cursors: readonly RunCursor[]) {
    for (const cursor of cursors) {
      cursor.next();
      if (cursor.length > 0) this.cursors.push(cursor);
    }
    for (let at = this.cursors.length >> 1; at >= 0; at -= 1) this.sink(at);
  }

  get first(): RunCursor | undefined {
    return this.cursors[0];
  }

  /** Go on in the first one. */
  advance(): RunCursor | undefined {
    const [first] = this.cursors;
    first?.next();
    if (first?.length === 0) {
      const last = this.cursors.pop();
      if (last && last !== first) this.cursors[0] = last;
    }
    this.sink(0);
    return this.first;
  }

  private sink(from: number): void {
    const { cursors } = this;
    let at = from;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        const [one, other] = [cursors[child], cursors[least]];
        if (one && other && isBefore(one, other)) least = child;
      }
      const [upper, lower] = [cursors[at], cursors[least]];
      if (least === at || !upper || !lower) return;
      cursors[at] = lower;
      cursors[least] = upper;
      at = least;
    }
  }
}

async function expectRoom(preparation: Preparation, workFolder: string): Promise<void> {
  const { bavail, bsize } = await statfs(workFolder);
  const needed = bytesForSort(preparation);
  if (bavail * bsize >= needed) return;
  throw new WrongUsage(
    `The rows of an account are not together in the files of ${preparation.kind}. To sort them ${inMebibytes(needed)} are needed in ${workFolder}, and ${inMebibytes(bavail * bsize)} are free.`,
  );
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_048_576)} MiB`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
