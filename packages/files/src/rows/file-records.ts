import { isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ChangedInput, WrongUsage } from '../common/errors.js';
import type { Fields, RowError } from '../fields/fields.js';
import { countLineFeeds, SheetLines, type BlockReader, type Sizes } from '../text/blocks.js';
import { sourceOf, type ByteSource } from '../text/byte-source.js';
import { pathOf, type Copies } from '../containers/copies.js';
import { CsvFinder } from '../records/csv-finder.js';
import { FixedFinder } from '../records/fixed-finder.js';
import { CsvRows } from './csv-rows.js';
import { fieldsIn, isTable, mappingOf } from './file-mapping.js';
import { delimiterOf, isWorkbook } from '../text/file-names.js';
import { JsonRows } from './json-rows.js';
import { openText } from '../text/text-source.js';
import type { Form } from '../mapping/form.js';
import type { KindMapping } from '../mapping/mapping.js';
import { NOT_UTF8, RECORD_BYTES_MAX, TOO_LONG, type CellFinder } from '../records/records.js';
import type { FoundRecord, RowReader } from './row-reader.js';
import type { MappingUse } from './rules.js';

const LINE_FEED = 0x0a;

/** The number of bytes kept of an over-long record. */
const KEPT_OF_TOO_LONG = 1_000;

/** The options for reading a file. */
export interface FileOptions {
  readonly folder: string;
  /** The fields of the rows. */
  readonly fields: Fields;
  readonly mapping: KindMapping;
  /**
   * The original file of the rows, if they have been written to another one since. The fields, delimiter and quote in
   * its mapping apply. The new file is UTF-8 and contains no lines before the header and no lines that were left out.
   */
  readonly cameFrom?: string | undefined;
  /** Whether the file is a table, if this does not follow from its name. */
  readonly isTable?: boolean | undefined;
  /** The bytes of the file, if they do not come from its folder. */
  readonly bytes?: AsyncIterable<Buffer> | undefined;
  /** Copies of files that are inside others. */
  readonly copies?: Copies | undefined;
  readonly sizes?: Partial<Sizes> | undefined;
}

/** Called with each record in order. `problem` says why it cannot be read. */
export type Visit = (record: FoundRecord, problem: RowError | undefined, reader: RowReader) => void;

/** The records of one file, in its order. */
export class FileRecords {
  private at = 0;
  private line = 1;
  /** Position in the stream at which the next record starts. */
  private start: number;

  /** The number of lines that the mapping excludes, before the header or by their text. */
  leftOut = 0;
  private skipped = 0;
  /** The number of records that are read for other kinds. */
  private others = 0;

  /** Counts the rows of a sheet, whose cells may contain line breaks. */
  private readonly sheetLines: SheetLines | undefined;

  /** Finds the lines of a file of fixed width whose rows carry earlier records. */
  private carrying: FixedFinder | undefined;

  private constructor(
    private readonly name: string,
    private readonly base: number,
    private readonly source: ByteSource,
    private readonly blocks: BlockReader,
    private reader: RowReader,
    start: number,
    isSheet: boolean,
    /** Whether each record follows the number of its line in a JSON document. */
    private readonly hasLines: boolean,
  ) {
    this.start = start;
    if (isSheet) this.sheetLines = new SheetLines();
  }

  /**
   * @param base the position of the file in the stream
   * @param use `hash` receives the bytes of a file that is not packed. `isReused` is true if each record is used only
   * while it is visited. `start` is the position at which the first record starts, when earlier files end with blank
   * lines
   * @throws UnreadableInput, WrongUsage that name the file
   */
  static async open(
    options: FileOptions,
    name: string,
    base: number,
    use: { readonly hash?: Hash; readonly isReused?: boolean; readonly start?: number } = {},
  ): Promise<FileRecords> {
    const mapping = mappingOf(options, name);
    const records = await FileRecords.begun(options, name, base, use);
    try {
      const header = isTable(options, name) ? await records.readHeader(mapping.form) : undefined;
      // A table without a header is empty: it has no rows.
      if (header) {
        const { cells, finder } = header;
        records.reader = new CsvRows(fieldsIn(options.fields, mapping), mapping, cells, name, finder);
        if (finder instanceof FixedFinder && mapping.form.fixed?.carry) records.carrying = finder;
      }
      return records;
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  /**
   * The header of a table as written in its file, but in UTF-8 and without its line end; undefined for NDJSON.
   *
   * @param isSame compares the header with another one, cell by cell
   * @throws UnreadableInput, WrongUsage that name the file
   */
  static async header(
    options: FileOptions,
    name: string,
  ): Promise<{ readonly text: string; readonly isSame: (header: string) => boolean } | undefined> {
    if (!isTable(options, name)) return undefined;
    const records = await FileRecords.begun(options, name, 0, {});
    try {
      const header = await records.readHeader(mappingOf(options, name).form);
      const isSame = (other: string): boolean => {
        if (!header || header.text === '') return other === '';
        const bytes = Buffer.from(other);
        header.finder.find(bytes, 0, bytes.length, true);
        return isDeepStrictEqual(cellsOf(header.finder, bytes), header.cells);
      };
      return { text: header?.text ?? '', isSame };
    } finally {
      await records.close();
    }
  }

  /** Open a file and advance to the first line that may be a header or a record. */
  private static async begun(
    options: FileOptions,
    name: string,
    base: number,
    use: { readonly hash?: Hash; readonly isReused?: boolean; readonly start?: number },
  ): Promise<FileRecords> {
    const { bytes, folder, sizes, copies, cameFrom } = options;
    const mapping = mappingOf(options, name);
    const { encoding, skipLines = 0, records: path } = mapping.form;
    const text = { encoding, hash: use.hash, isReused: use.isReused ?? false, blockBytes: sizes?.block };
    const opened = bytes ? sourceOf(bytes, name) : pathOf(folder, name, copies);
    const { source, blocks, from } = await openText(opened, name, text);
    const reader = new JsonRows(fieldsIn(options.fields, mapping), mapping);
    const isSheet = cameFrom === undefined && isWorkbook(name);
    const start = use.start ?? base;
    const records = new FileRecords(name, base, source, blocks, reader, start, isSheet, path !== undefined);
    records.at = from;
    try {
      for (let line = 0; line < skipLines; line += 1) await records.passLine();
    } catch (error) {
      await source.close();
      throw error;
    }
    records.skipped = records.line - 1;
    records.leftOut = records.skipped;
    return records;
  }

  /** Offset up to which the unpacked file was read; after the last block, its length. */
  get offset(): number {
    return this.blocks.offset + this.blocks.length;
  }

  /** Position in the stream up to which records were visited or excluded. */
  get position(): number {
    return this.base + this.blocks.offset + this.at;
  }

  /** Whether the whole file has been read. */
  get isAtEnd(): boolean {
    return this.blocks.isLast && this.at >= this.blocks.length;
  }

  /** The use of the mapping, by the records that were visited so far. */
  get use(): MappingUse {
    const { leftOut, skipped, others } = this;
    const rules = { ...(skipped > 0 && { skip_lines: skipped }), ...this.reader.rules?.found };
    return { leftOut, others, rules };
  }

  get rows(): RowReader {
    return this.reader;
  }

  /**
   * Visit the records of the next block.
   *
   * @param limit position in the stream at which no further record is visited
   * @returns whether there may be more
   */
  async read(limit: number, visit: Visit): Promise<boolean> {
    const { blocks } = this;
    const { bytes, length } = blocks;
    const complete = blocks.isLast ? length : bytes.lastIndexOf(LINE_FEED, length - 1) + 1;
    const isValid = complete <= this.at || isUtf8(bytes.subarray(this.at, complete));
    while (this.at < length && this.position < limit) {
      let next = this.reader.finder.find(bytes, this.at, length, blocks.isLast);
      if (next === -1) {
        if (length - this.at <= RECORD_BYTES_MAX) break;
        if (complete <= this.at) {
          await this.passTooLong(visit);
          return true;
        }
        // The quote is not closed.
        next = this.reader.finder.find(bytes, this.at, length, true);
      }
      this.visitRecord(next, isValid, visit);
    }
    if (this.position >= limit) return false;
    if (blocks.isLast) return this.at < length;
    await blocks.advance(this.at);
    this.at = 0;
    return true;
  }

  /** Skip to an offset of the unpacked file at which a record is known to end. Skipped lines are counted. */
  async skipTo(offset: number): Promise<void> {
    const { blocks } = this;
    if (this.carrying) while (await this.read(this.base + offset, () => undefined));
    this.start = this.base + offset;
    while (offset > blocks.offset + blocks.length && !blocks.isLast) {
      this.line += this.linesTo(blocks.length);
      await blocks.advance(blocks.length);
      this.at = 0;
    }
    const target = offset - blocks.offset;
    if (target > blocks.length) throw new ChangedInput(`${this.name} has become shorter; it was changed.`);
    // The offset may be before the header, which has already been read.
    if (target <= this.at) return;
    this.line += this.linesTo(target);
    this.at = target;
  }

  private linesTo(end: number): number {
    const { bytes } = this.blocks;
    return this.sheetLines?.count(bytes, this.at, end) ?? countLineFeeds(bytes, this.at, end);
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
      let record = { bytes, from, to, file: this.name, line: this.line, start: this.start, end };
      if (this.carrying) record = withCarried(record, this.carrying);
      else if (this.hasLines) record = withLine(record);
      const isText = isValid || isUtf8(record.bytes.subarray(record.from, record.to));
      const problem = isTooLong ? TOO_LONG : isText ? finder.problem : NOT_UTF8;
      if (this.reader.isOfOther?.(record, problem)) {
        this.others += 1;
      } else if (!problem && this.reader.isLeftOut?.(record)) {
        this.leftOut += 1;
      } else {
        visit(record, problem, this.reader);
        this.start = end;
      }
    }
    this.line += this.sheetLines ? 1 : finder.lineFeeds;
  }

  /** Skip a line that is longer than the block. */
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
    let record = { bytes, from: 0, to: bytes.length, ...place };
    if (this.hasLines) record = withLine(record);
    if (!this.reader.isOfOther?.(record, TOO_LONG)) {
      visit(record, TOO_LONG, this.reader);
      this.start = end;
    }
    this.line += 1;
  }

  private async passLine(): Promise<void> {
    for (;;) {
      const { bytes, length, isLast } = this.blocks;
      const found = this.sheetLines
        ? this.sheetLines.find(bytes, this.at, length)
        : bytes.subarray(0, length).indexOf(LINE_FEED, this.at);
      this.at = found === -1 ? length : found + 1;
      if (found !== -1) this.line += 1;
      if (found !== -1 || isLast) return;
      await this.blocks.advance(length);
      this.at = 0;
    }
  }

  /** @returns undefined when there are only blank lines */
  private async readHeader({
    delimiter,
    quote,
    trim,
    header,
    fixed,
  }: Form): Promise<{ finder: CellFinder; cells: readonly string[]; text: string } | undefined> {
    const { blocks } = this;
    if (fixed) {
      const fixedFinder = new FixedFinder(fixed);
      return { finder: fixedFinder, cells: fixedFinder.names, text: '' };
    }
    const finder = new CsvFinder(delimiter ?? delimiterOf(this.name), quote, trim);
    if (header) return { finder, cells: header, text: '' };
    while (this.at < blocks.length || !blocks.isLast) {
      const { bytes, length, isLast } = blocks;
      const next = finder.find(bytes, this.at, length, isLast || length - this.at > RECORD_BYTES_MAX);
      if (next === -1 || this.at >= length) {
        await blocks.advance(this.at);
        this.at = 0;
        continue;
      }
      const from = this.at;
      this.at = next;
      this.line += this.sheetLines ? 1 : finder.lineFeeds;
      if (finder.isBlank) continue;
      if (!isUtf8(bytes.subarray(from, finder.to))) {
        throw new WrongUsage(
          `${this.name} has a header that is not UTF-8, or not in the "encoding" that the mapping file names.`,
        );
      }
      if (finder.problem)
        throw new WrongUsage(`${this.name} has a header that cannot be read: ${finder.problem.detail}`);
      return { finder, cells: cellsOf(finder, bytes), text: bytes.toString('utf8', from, finder.to) };
    }
    return undefined;
  }
}

/** A record of a file of fixed width, together with the record that it carries. */
function withCarried<Of extends FoundRecord>(record: Of, { carried, ownFrom, lead }: FixedFinder): Of {
  const line = record.line + lead;
  if (!carried) return { ...record, from: ownFrom, line };
  const bytes = Buffer.concat([carried, record.bytes.subarray(ownFrom, record.to)]);
  return { ...record, bytes, from: 0, to: bytes.length, line };
}

/** A record of the copy of a JSON document (json-document.ts), without its line in the document. */
function withLine<Of extends FoundRecord>(record: Of): Of {
  const { bytes, from } = record;
  const space = bytes.indexOf(' ', from);
  return { ...record, from: space + 1, line: Number(bytes.toString('latin1', from, space)) };
}

/** The cells of the record that a finder found last. */
function cellsOf(finder: CellFinder, bytes: Buffer): string[] {
  return Array.from({ length: finder.count }, (_, index) => finder.cell(bytes, index));
}
