import { FileRecords, type ReadRow } from '@data-import/files';
import type { Intervals } from './intervals.js';
import { ensureJoined, isJoined } from './join.js';
import { changedMeanwhile, expectUnchanged, type ReadingOptions } from './prepare.js';
import type { RecordSource } from './record-source.js';
import { ensureSorted } from './sort.js';
import { SortedRecords } from './sorted-records.js';
import type { Preparation } from './preparation.js';
import { toRow } from './to-row.js';
import { FIELDS } from '../kinds/fields.js';

/**
 * Read the rows of a kind. The rows of an account come one after the other, in the order of the files. Kinds that are
 * not grouped are sorted first ({@link ensureSorted}, {@link ensureJoined}); remove the copy with `removeSorted` when
 * the load has ended.
 *
 * @param done the positions of rows to skip; they are not parsed. Only the positions at the start of the call count, so
 * others may be added meanwhile
 * @returns some hundred rows at a time
 * @throws UnreadableInput that names the file, also if it was changed since it was prepared; WrongUsage
 */
export async function* readRows(
  preparation: Preparation,
  options: ReadingOptions,
  done: Intervals,
): AsyncGenerator<ReadRow[]> {
  const gaps = done.gaps();
  const source: RecordSource = preparation.isGrouped
    ? new FilesSource(preparation, options)
    : await SortedRecords.open(await copyOf(preparation, options), preparation, options);
  try {
    for (const { from, to } of gaps) {
      await source.skipTo(from);
      for (let rows = await source.read(to); rows; rows = await source.read(to)) {
        options.signal?.throwIfAborted();
        if (rows.length > 0) yield rows;
      }
    }
  } finally {
    await source.close();
  }
}

function copyOf(preparation: Preparation, options: ReadingOptions): Promise<string> {
  const names = preparation.files.map(({ name }) => name);
  const ensure = isJoined(names, options.mapping) ? ensureJoined : ensureSorted;
  return ensure(preparation, options);
}

/** The files of a kind one after the other. */
class FilesSource implements RecordSource {
  private index = 0;
  private base = 0;
  /** The position at which the next record starts. */
  private start = 0;
  private records: FileRecords | undefined;

  constructor(
    private readonly preparation: Preparation,
    private readonly options: ReadingOptions,
  ) {}

  async skipTo(position: number): Promise<void> {
    this.start = position;
    for (let file = this.file; file && position >= this.base + file.unpackedBytes; file = this.file) {
      await this.nextFile(file.unpackedBytes);
    }
    if (this.file && position > this.base) await (await this.current()).skipTo(position - this.base);
  }

  async read(limit: number): Promise<ReadRow[] | undefined> {
    const { file } = this;
    if (!file || this.base >= limit) return undefined;
    const rows: ReadRow[] = [];
    const records = await this.current();
    // If a file has grown, only the prepared part is read. Later rows have no position in the stream.
    const end = this.base + file.unpackedBytes;
    const isMore = await records.read(Math.min(limit, end), (record, problem, reader) => {
      rows.push(toRow(record, problem, reader));
      this.start = record.end;
    });
    // The last prepared line has become longer.
    if (this.start > end) throw changedMeanwhile(file.name);
    if (isMore) return rows;
    if (records.isAtEnd || records.position >= end) {
      await this.nextFile(file.unpackedBytes);
      return rows;
    }
    return rows.length > 0 ? rows : undefined;
  }

  async close(): Promise<void> {
    await this.records?.close();
    this.records = undefined;
  }

  private get file(): Preparation['files'][number] | undefined {
    return this.preparation.files[this.index];
  }

  private async current(): Promise<FileRecords> {
    if (this.records) return this.records;
    const { file } = this;
    if (!file) throw new RangeError('There is no further file.');
    await expectUnchanged(this.options, file);
    const fields = FIELDS[this.preparation.kind];
    this.records = await FileRecords.open({ ...this.options, fields }, file.name, this.base, {
      start: this.start,
    });
    return this.records;
  }

  private async nextFile(bytes: number): Promise<void> {
    await this.close();
    this.base += bytes;
    this.index += 1;
  }
}
