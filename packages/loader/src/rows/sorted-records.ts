import { open, type FileHandle } from 'node:fs/promises';
import { UnreadableInput } from '../common/errors.js';
import { BlockReader } from './blocks.js';
import { PlainSource } from './byte-source.js';
import { FileRecords, toRow } from './file-records.js';
import { joinedRow } from './joined-record.js';
import { JsonRows } from './json-rows.js';
import { NO_MAPPING } from './mapping.js';
import type { ReadingOptions } from './prepare.js';
import type { RecordSource } from './record-source.js';
import { isReadable, NOT_UTF8, TOO_LONG } from './records.js';
import type { RowReader } from './row-reader.js';
import type { Preparation, ReadRow } from './row.js';
import { HEAD_BYTES, lengthAt, readHead } from './sorted-format.js';

/** A file from which records of the sorted copy come. */
interface SortedFile {
  readonly name: string;
  readonly reader: RowReader;
  /** Of a file whose rows were joined. */
  readonly joined?: JsonRows;
}

/** The records of a sorted copy. */
export class SortedRecords implements RecordSource {
  private at = 0;
  private blocks: BlockReader;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly files: readonly SortedFile[],
    private readonly blockBytes: number | undefined,
  ) {
    this.blocks = this.blocksFrom(0);
  }

  static async open(path: string, preparation: Preparation, options: ReadingOptions): Promise<SortedRecords> {
    const { kind } = preparation;
    const files: SortedFile[] = [];
    const joined = new JsonRows(kind, NO_MAPPING.of(''));
    for (const { name } of preparation.files) {
      if (options.mapping.of(name).join) {
        files.push({ name, reader: joined, joined });
        continue;
      }
      // The header of CSV is in the file itself.
      const records = await FileRecords.open({ ...options, kind }, name, 0);
      await records.close();
      files.push({ name, reader: records.rows });
    }
    return new SortedRecords(await open(path, 'r'), path, files, options.sizes?.block);
  }

  skipTo(position: number): Promise<void> {
    const { blocks } = this;
    if (position >= blocks.offset && position < blocks.offset + blocks.length) {
      this.at = position - blocks.offset;
    } else if (position > 0) {
      this.blocks = this.blocksFrom(position);
      this.at = 0;
    }
    return Promise.resolve();
  }

  async read(limit: number): Promise<ReadRow[] | undefined> {
    const rows: ReadRow[] = [];
    if (this.position >= limit) return undefined;
    await this.blocks.advance(this.at);
    this.at = 0;
    const { bytes, length } = this.blocks;
    while (this.position < limit && length - this.at >= HEAD_BYTES) {
      const recordBytes = lengthAt(bytes, this.at);
      if (length - this.at < recordBytes) break;
      rows.push(this.rowAt(bytes, this.at, recordBytes));
      this.at += recordBytes;
    }
    return rows.length === 0 && this.blocks.isLast ? undefined : rows;
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private get position(): number {
    return this.blocks.offset + this.at;
  }

  private blocksFrom(position: number): BlockReader {
    const source = new PlainSource(this.file, this.path, undefined, position);
    return new BlockReader(source, false, position, this.blockBytes);
  }

  private rowAt(bytes: Buffer, at: number, recordBytes: number): ReadRow {
    const { accountBytes, file, line, isCut } = readHead(bytes, at);
    const source = this.files[file];
    if (!source) throw new UnreadableInput(`${this.path} is damaged; remove it and start again.`);
    const { name, reader, joined } = source;
    const from = at + HEAD_BYTES + accountBytes;
    const to = at + recordBytes;
    const start = this.blocks.offset + at;
    const record = { bytes, from, to, file: name, line, start, end: start + recordBytes };
    if (joined) {
      const account = bytes.toString('utf8', at + HEAD_BYTES, from);
      return joinedRow(record, joined, account, (index) => this.files[index]?.name ?? '');
    }
    if (isCut) return toRow(record, TOO_LONG, reader);
    if (!isReadable(bytes, from, to)) return toRow(record, NOT_UTF8, reader);
    reader.finder.find(bytes, from, to, true);
    return toRow(record, reader.finder.problem, reader);
  }
}
