import { rename, rm } from 'node:fs/promises';
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
 * the order of their files and lines, in which they must be added.
 */
export class ExternalSort {
  private readonly builder: RunBuilder;
  private runs: string[] = [];
  private files = 0;
  private added = 0;

  /** @param path begins the paths of temporary files */
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
    const path = this.newPath();
    await this.builder.write(path);
    this.runs.push(path);
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
      if (isSynced) await writer.sync();
    } finally {
      for (const cursor of cursors) cursor.close();
      await writer.close();
    }
    await Promise.all(runs.map((run) => rm(run)));
  }

  private newPath(): string {
    this.files += 1;
    return `${this.path}-${this.files}`;
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
