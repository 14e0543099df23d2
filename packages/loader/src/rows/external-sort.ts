import { open, rm } from 'node:fs/promises';
import { UnreadableInput } from '../common/errors.js';
import { draftOf, removeFiles, writeWhole } from '../common/files.js';
import { SIZES, type Sizes } from './blocks.js';
import type { RecordBytes } from './sorted-format.js';
import { isBefore, RecordWriter, RunBuilder, RunCursor } from './sort-runs.js';

/** Records between two calls of the progress. */
const RECORDS_A_CALL = 65_536;

export interface SortingOptions {
  readonly sizes?: Partial<Sizes>;
  readonly signal?: AbortSignal;
  /** @param done records that were written so far: each once to a run and, as a rule, once when runs are merged */
  readonly progress?: (done: number) => void;
}

/**
 * Sorts records by account in constant memory, an external merge sort: by the bytes of the account, and those of one account in
 * the order of their files and lines.
 */
export class ExternalSort {
  private readonly builder: RunBuilder;
  private runs: string[] = [];
  private files = 0;
  private added = 0;

  /** @param path begins the paths of runs, which are drafts */
  constructor(
    private readonly path: string,
    private readonly options: SortingOptions,
  ) {
    this.builder = new RunBuilder(options.sizes?.run);
  }

  /** Whether {@link writeRun} is to be called before much more is added. */
  get isFull(): boolean {
    return this.builder.isFull;
  }

  /** @param file index of the file that the record comes from @param isCut see SortedHead */
  add(account: string, file: number, record: RecordBytes, isCut: boolean): void {
    this.added += 1;
    this.builder.add(account, file, record, isCut);
  }

  async writeRun(): Promise<void> {
    this.runs.push(await this.newRun((writer) => this.builder.write(writer)));
    this.options.progress?.(this.added);
  }

  /** Write what was added and is in no run yet. @returns the paths of all runs, for {@link finish} of another sort */
  async writeRuns(): Promise<readonly string[]> {
    if (!this.builder.isEmpty) await this.writeRun();
    const { runs } = this;
    this.runs = [];
    return runs;
  }

  /**
   * Write all records to a file that has its name only when it is complete, and survives a crash of the machine then.
   *
   * @param others runs of other sorts, whose records are added
   */
  async finish(path: string, others: readonly string[] = []): Promise<void> {
    const { merged: atOnce } = { ...SIZES, ...this.options.sizes };
    let rest = [...(await this.writeRuns()), ...others];
    while (rest.length > atOnce) {
      const merged: string[] = [];
      for (let at = 0; at < rest.length; at += atOnce) {
        merged.push(await this.newRun((writer) => this.merge(rest.slice(at, at + atOnce), writer)));
      }
      rest = merged;
    }
    await writeWhole(path, ({ file }) => this.merge(rest, new RecordWriter(file)));
  }

  private async merge(runs: readonly string[], writer: RecordWriter): Promise<void> {
    const cursors: RunCursor[] = [];
    let records = 0;
    try {
      for (const run of runs) cursors.push(new RunCursor(run));
      const heap = new Heap(cursors);
      for (let first = heap.first; first; first = heap.advance()) {
        if (writer.add(first.bytes, first.at, first.length)) await writer.flush();
        records += 1;
        if (records % RECORDS_A_CALL === 0) {
          this.options.signal?.throwIfAborted();
          this.options.progress?.(this.added + records);
        }
      }
      await writer.flush();
    } finally {
      for (const cursor of cursors) cursor.close();
    }
    await Promise.all(runs.map((run) => rm(run)));
  }

  /** @returns its path */
  private async newRun(write: (writer: RecordWriter) => Promise<void>): Promise<string> {
    this.files += 1;
    const path = draftOf(`${this.path}-${this.files}`);
    const file = await open(path, 'wx', 0o600);
    try {
      await write(new RecordWriter(file));
    } finally {
      await file.close();
    }
    return path;
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

/**
 * Do what needs the disk for a sort. Files of the folder whose names begin with what is given are removed before, and when it
 * fails.
 *
 * @param isFull the sentence for a disk that became full
 * @throws UnreadableInput with it
 */
export async function sortingIn<Result>(
  { folder, begin, isFull }: { folder: string; begin: string; isFull: string },
  sort: () => Promise<Result>,
): Promise<Result> {
  const remove = (): Promise<void> => removeFiles(folder, (name) => name.startsWith(begin));
  await remove();
  try {
    return await sort();
  } catch (error) {
    await remove();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new UnreadableInput(isFull, { cause: error });
  }
}
