import { isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import { join } from 'node:path';
import { ChangedInput, UnreadableInput, WrongUsage } from '../common/errors.js';
import { BlockReader, countLineFeeds, type Sizes } from './blocks.js';
import { openSource, type ByteSource } from './byte-source.js';
import { CsvFinder } from './csv-finder.js';
import { CsvRows } from './csv-rows.js';
import { delimiterOf, isCsv } from './folder.js';
import { JsonRows } from './json-rows.js';
import type { KindMapping } from './mapping.js';
import { isReadable, NOT_UTF8, RECORD_BYTES_MAX, TOO_LONG } from './records.js';
import { unreadableRow, type FoundRecord, type RowReader } from './row-reader.js';
import type { Kind } from '../kinds/kinds.js';
import type { ReadRow, RowError } from './row.js';

const LINE_FEED = 0x0a;

/** Bytes that are kept of a record that is too long. */
const KEPT_OF_TOO_LONG = 1_000;

/** What a file is read with. */
export interface FileOptions {
  readonly folder: string;
  readonly kind: Kind;
  readonly mapping: KindMapping;
  readonly sizes?: Partial<Sizes>;
}

/** Called with each record in order; `problem` says why it cannot be read. */
export type Visit = (record: FoundRecord, problem: RowError | undefined, reader: RowReader) => void;

/** The records of one file, in its order. */
export class FileRecords {
  private at = 0;
  private line = 1;
  /** Position in the stream at which the next record starts. */
  private start: number;

  private constructor(
    private readonly name: string,
    private readonly base: number,
    private readonly source: ByteSource,
    private readonly blocks: BlockReader,
    private reader: RowReader,
    start: number,
  ) {
    this.start = start;
  }

  /**
   * @param base position of the file in the stream
   * @param use `hash` is given the bytes of a file that is not packed; `isReused`: whether a record is used only while it is
   *   visited; `start`: position at which its first record starts, when earlier files end with blank lines
   * @throws UnreadableInput, WrongUsage naming the file
   */
  static async open(
    { folder, kind, mapping, sizes }: FileOptions,
    name: string,
    base: number,
    use: { readonly hash?: Hash; readonly isReused?: boolean; readonly start?: number } = {},
  ): Promise<FileRecords> {
    const source = await openSource(join(folder, name), use.hash);
    const blocks = new BlockReader(source, use.isReused ?? false, 0, sizes?.block);
    const records = new FileRecords(
      name,
      base,
      source,
      blocks,
      new JsonRows(kind, mapping),
      use.start ?? base,
    );
    try {
      await records.begin(kind, mapping);
    } catch (error) {
      await source.close();
      throw error;
    }
    return records;
  }

  /** Offset in the unpacked file of the end of what was read; after the last block its length. */
  get offset(): number {
    return this.blocks.offset + this.blocks.length;
  }

  /** Whether nothing is left of the file. */
  get isAtEnd(): boolean {
    return this.blocks.isLast && this.at >= this.blocks.length;
  }

  /** What its rows are read with. */
  get rows(): RowReader {
    return this.reader;
  }

  /**
   * Visit the records of the next block.
   *
   * @param limit position in the stream at which no further record is visited; `start`: position at which its first record starts, when earlier files end with blank lines
   * @returns whether there may be more
   */
  async read(limit: number, visit: Visit): Promise<boolean> {
    const { blocks } = this;
    const { bytes, length } = blocks;
    const complete = blocks.isLast ? length : bytes.lastIndexOf(LINE_FEED, length - 1) + 1;
    const isValid = complete <= this.at || isUtf8(bytes.subarray(this.at, complete));
    while (this.at < length && this.start < limit) {
      let next = this.reader.finder.find(bytes, this.at, length, blocks.isLast);
      if (next === -1) {
        if (length - this.at <= RECORD_BYTES_MAX) break;
        if (complete <= this.at) {
          await this.passTooLong(visit);
          return true;
        }
        // A quote that is not closed.
        next = this.reader.finder.find(bytes, this.at, length, true);
      }
      this.visitRecord(next, isValid, visit);
    }
    if (this.start >= limit) return false;
    if (blocks.isLast) return this.at < length;
    await blocks.advance(this.at);
    this.at = 0;
    return true;
  }

  /** Pass over everything before an offset of the unpacked file at which a record was found to end; its lines are counted. */
  async skipTo(offset: number): Promise<void> {
    const { blocks } = this;
    this.start = this.base + offset;
    while (offset > blocks.offset + blocks.length && !blocks.isLast) {
      this.line += countLineFeeds(blocks.bytes, this.at, blocks.length);
      await blocks.advance(blocks.length);
      this.at = 0;
    }
    const target = offset - blocks.offset;
    if (target > blocks.length) throw new ChangedInput(`${this.name} has become shorter; it was changed.`);
    // It may be before the header, which has been read.
    if (target <= this.at) return;
    this.line += countLineFeeds(blocks.bytes, this.at, target);
    this.at = target;
  }

  async close(): Promise<void> {
    await this.source.close();
  }

  private visitRecord(next: number, isValid: boolean, visit: Visit): void {
    const { bytes, offset } = this.blocks;
    const { finder } = this.reader;
    const from = this.at;
    const isTooLong = finder.to - from > RECORD_BYTES_MAX;
    const end = this.base + offset + next;
    this.at = next;
    if (!finder.isBlank) {
      const to = isTooLong ? from + KEPT_OF_TOO_LONG : finder.to;
      const record = { bytes, from, to, file: this.name, line: this.line, start: this.start, end };
      const isText = isValid || isReadable(bytes, from, to);
      const problem = isTooLong ? TOO_LONG : isText ? finder.problem : NOT_UTF8;
      visit(record, problem, this.reader);
      this.start = end;
    }
    this.line += finder.lineFeeds;
  }

  /** The block holds nothing but a part of one line. */
  private async passTooLong(visit: Visit): Promise<void> {
    const { blocks } = this;
    const bytes = Buffer.from(blocks.bytes.subarray(this.at, this.at + KEPT_OF_TOO_LONG));
    let found = -1;
    while (found === -1 && !blocks.isLast) {
      await blocks.advance(blocks.length);
      found = blocks.bytes.subarray(0, blocks.length).indexOf(LINE_FEED);
    }
    this.at = found === -1 ? blocks.length : found + 1;
    const end = this.base + blocks.offset + this.at;
    const place = { file: this.name, line: this.line, start: this.start, end };
    visit({ bytes, from: 0, to: bytes.length, ...place }, TOO_LONG, this.reader);
    this.start = end;
    this.line += 1;
  }

  /** Read what stands before the first record. */
  private async begin(kind: Kind, mapping: KindMapping): Promise<void> {
    const { blocks } = this;
    await blocks.advance(0);
    this.expectText();
    if (blocks.bytes.subarray(0, blocks.length).indexOf('\uFEFF') === 0) this.at = 3;
    if (isCsv(this.name)) this.reader = await this.readHeader(kind, mapping);
  }

  private expectText(): void {
    const [first, second] = this.blocks.bytes.subarray(0, this.blocks.length);
    if (first === 0x1f && second === 0x8b) {
      throw new UnreadableInput(`${this.name} is packed with gzip; add .gz to its name.`);
    }
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      throw new UnreadableInput(`${this.name} is UTF-16; save it as UTF-8.`);
    }
  }

  private async readHeader(kind: Kind, mapping: KindMapping): Promise<RowReader> {
    const { blocks } = this;
    const finder = new CsvFinder(delimiterOf(this.name));
    while (this.at < blocks.length) {
      const { bytes, length, isLast } = blocks;
      const next = finder.find(bytes, this.at, length, isLast || length > RECORD_BYTES_MAX);
      if (next === -1) {
        await blocks.advance(0);
        continue;
      }
      const from = this.at;
      this.at = next;
      this.line += finder.lineFeeds;
      if (finder.isBlank) continue;
      if (!isReadable(bytes, from, finder.to))
        throw new WrongUsage(`${this.name} has a header that is not UTF-8.`);
      if (finder.problem)
        throw new WrongUsage(`${this.name} has a header that cannot be read: ${finder.problem.detail}`);
      const header = Array.from({ length: finder.count }, (_, index) => finder.cell(bytes, index));
      return new CsvRows(kind, mapping, header, this.name, finder);
    }
    // The file is empty, and has no rows.
    return this.reader;
  }
}

/**
 * Visit the records of a file, from its beginning.
 *
 * @param use as for {@link FileRecords.open}; `signal` ends the work by throwing its reason; `blockRead` is called after each
 *   block of records with the bytes of the file that were unpacked, and says whether to go on
 * @returns bytes of the unpacked file that were read
 */
export async function visitFile(
  options: FileOptions,
  name: string,
  visit: Visit,
  use: {
    readonly hash?: Hash;
    readonly isReused?: boolean;
    readonly signal?: AbortSignal | undefined;
    readonly blockRead?: (bytes: number) => Promise<boolean>;
  } = {},
): Promise<number> {
  const records = await FileRecords.open(options, name, 0, use);
  try {
    for (let isMore = true; isMore;) {
      use.signal?.throwIfAborted();
      isMore = await records.read(Infinity, visit);
      if (use.blockRead && !(await use.blockRead(records.offset))) break;
    }
    return records.offset;
  } finally {
    await records.close();
  }
}

/** Read a record as a row. */
export function toRow(record: FoundRecord, problem: RowError | undefined, reader: RowReader): ReadRow {
  return problem ? unreadableRow(record, problem) : reader.row(record);
}
