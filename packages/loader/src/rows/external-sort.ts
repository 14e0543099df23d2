import { open, rm } from 'node:fs/promises';
import { draftOf, removeFiles, SIZES, writeWhole, type Sizes } from '@data-import/files';
import { byteOrderOf } from './account-order.js';
import {
  lengthAt,
  placeAt,
  sortedBytes,
  SortedReader,
  SortedWriter,
  writeSorted,
  type RecordBytes,
  type SortedPlace,
} from './sorted-file.js';

/** A run is full once it has reached its size, and the block being read may exceed it by this much. */
const SPARE_BYTES = 2 * SIZES.block;

/** Row limit of a run: the accounts of short rows take more memory than the rows. */
const RUN_ROWS_MAX = 250_000;

/** The number of records that are written between two progress calls. */
const RECORDS_A_CALL = 65_536;

export interface SortingOptions {
  readonly sizes?: Partial<Sizes> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * @param done the number of records written so far. Each is written once to a run and usually once more when runs are
   * merged
   */
  readonly progress?: (done: number) => void;
}

/**
 * External merge sort of records by account, in constant memory. Records are ordered by the bytes of the account, then by file and
 * line.
 */
export class ExternalSort {
  private readonly builder: RunBuilder;
  private runs: string[] = [];
  private files = 0;
  private added = 0;

  /** @param path the prefix of the paths of runs, which are drafts */
  constructor(
    private readonly path: string,
    private readonly options: SortingOptions,
  ) {
    this.builder = new RunBuilder(options.sizes?.run);
  }

  /** Whether {@link writeRun} must be called before much more is added. */
  get isFull(): boolean {
    return this.builder.isFull;
  }

  /**
   * @param file the index of the file that the record comes from
   * @param isCut see SortedPlace
   */
  add(account: string, file: number, record: RecordBytes, isCut: boolean): void {
    this.added += 1;
    this.builder.add(account, file, record, isCut);
  }

  async writeRun(): Promise<void> {
    this.runs.push(await this.newRun((writer) => this.builder.write(writer)));
    this.options.progress?.(this.added);
  }

  /** Write all records to a file. The file gets its name only when it is complete and would survive a crash of the machine. */
  async finish(path: string): Promise<void> {
    const { merged: atOnce } = { ...SIZES, ...this.options.sizes };
    if (!this.builder.isEmpty) await this.writeRun();
    let rest = this.runs;
    while (rest.length > atOnce) {
      const merged: string[] = [];
      for (let at = 0; at < rest.length; at += atOnce) {
        merged.push(await this.newRun((writer) => this.merge(rest.slice(at, at + atOnce), writer)));
      }
      rest = merged;
    }
    await writeWhole(path, ({ file }) => this.merge(rest, new SortedWriter(file)));
  }

  private async merge(runs: readonly string[], writer: SortedWriter): Promise<void> {
    const cursors: SortedReader[] = [];
    let records = 0;
    try {
      for (const run of runs) cursors.push(new SortedReader(run));
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

  /** @returns the path of the run */
  private async newRun(write: (writer: SortedWriter) => Promise<void>): Promise<string> {
    this.files += 1;
    const path = draftOf(`${this.path}-${this.files}`);
    const file = await open(path, 'wx', 0o600);
    try {
      await write(new SortedWriter(file));
    } finally {
      await file.close();
    }
    return path;
  }
}

/** Collects records in memory until they are written in the order of their accounts. */
class RunBuilder {
  private bytes: Buffer = Buffer.allocUnsafeSlow(0);
  private used = 0;
  /** Accounts in the form in which they are compared. */
  private accounts: string[] = [];
  private offsets: number[] = [];

  constructor(private readonly runBytes = SIZES.run) {}

  get isEmpty(): boolean {
    return this.offsets.length === 0;
  }

  get isFull(): boolean {
    return this.used >= this.runBytes || this.offsets.length >= RUN_ROWS_MAX;
  }

  /** @param file the index of the file in the preparation */
  add(account: string, file: number, record: RecordBytes, isCut: boolean): void {
    const needed = this.used + sortedBytes(account, record);
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.runBytes + SPARE_BYTES));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    this.accounts.push(byteOrderOf(account));
    this.offsets.push(this.used);
    this.used = writeSorted(this.bytes, this.used, account, file, record, isCut);
  }

  /** Write the records, ordered by account, file and line, and start over. */
  async write(writer: SortedWriter): Promise<void> {
    const { accounts, offsets, bytes } = this;
    const order = Uint32Array.from(offsets.keys()).sort((one, other) => {
      const [first = '', second = ''] = [accounts[one], accounts[other]];
      if (first !== second) return first < second ? -1 : 1;
      return orderOf(placeAt(bytes, offsets[one] ?? 0), placeAt(bytes, offsets[other] ?? 0)) || one - other;
    });
    for (const index of order) {
      const from = offsets[index] ?? 0;
      if (writer.add(bytes, from, lengthAt(bytes, from))) await writer.flush();
    }
    await writer.flush();
    this.used = 0;
    this.accounts = [];
    this.offsets = [];
  }
}

/** Binary heap of the cursors that have a record. The cursor with the first record is at the top. */
class Heap {
  private readonly cursors: SortedReader[] = [];

  constructor(cursors: readonly SortedReader[]) {
    for (const cursor of cursors) {
      if (cursor.next()) this.cursors.push(cursor);
    }
    for (let at = this.cursors.length >> 1; at >= 0; at -= 1) this.sink(at);
  }

  get first(): SortedReader | undefined {
    return this.cursors[0];
  }

  /** Advance the first cursor. */
  advance(): SortedReader | undefined {
    const [first] = this.cursors;
    if (first?.next() === false) {
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

/** Whether the record of one run comes before that of another. */
function isBefore(one: SortedReader, other: SortedReader): boolean {
  if (one.order !== other.order) return one.order < other.order;
  return orderOf(one.place, other.place) < 0;
}

/** @returns a negative number if the first place is before the other */
function orderOf(one: SortedPlace, other: SortedPlace): number {
  return one.file - other.file || one.line - other.line;
}

/**
 * Run a sort. Files in the folder whose names have the given prefix are removed before, and again when it fails, because its parts may
 * have filled the disk.
 */
export async function sortingIn<Result>(
  folder: string,
  begin: string,
  sort: () => Promise<Result>,
): Promise<Result> {
  const remove = (): Promise<void> => removeFiles(folder, (name) => name.startsWith(begin));
  await remove();
  try {
    return await sort();
  } catch (error) {
    await remove();
    throw error;
  }
}
