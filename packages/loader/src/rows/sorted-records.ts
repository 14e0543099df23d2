import { isUtf8 } from 'node:buffer';
import {
  FileRecords,
  JsonRows,
  NO_MAPPING,
  NOT_UTF8,
  SIZES,
  TOO_LONG,
  UnreadableInput,
  type ReadRow,
  type RowReader,
} from '@data-import/files';
import { joinedRow } from './joined-record.js';
import type { ReadingOptions } from './prepare.js';
import type { RecordSource } from './record-source.js';
import { HEAD_BYTES, SortedReader } from './sorted-file.js';
import type { Preparation } from './preparation.js';
import { toRow } from './to-row.js';
import { FIELDS } from '../kinds/fields.js';

/** A file from which records of the sorted copy come. */
interface SourceFile {
  readonly name: string;
  readonly reader: RowReader;
  /** Set for a file whose rows were joined. */
  readonly joined?: JsonRows;
}

/** The records of a sorted copy. */
export class SortedRecords implements RecordSource {
  private readonly sorted: SortedReader;

  private constructor(
    private readonly path: string,
    private readonly files: readonly SourceFile[],
    private readonly bytesAtOnce: number,
  ) {
    this.sorted = new SortedReader(path, 0, false);
  }

  static async open(path: string, preparation: Preparation, options: ReadingOptions): Promise<SortedRecords> {
    const fields = FIELDS[preparation.kind];
    const files: SourceFile[] = [];
    const joined = new JsonRows(fields, NO_MAPPING.of(''));
    for (const { name } of preparation.files) {
      if (options.mapping.of(name).join) {
        files.push({ name, reader: joined, joined });
        continue;
      }
      // The header of a CSV file is in the file itself, not in the copy.
      const records = await FileRecords.open({ ...options, fields }, name, 0);
      await records.close();
      files.push({ name, reader: records.rows });
    }
    return new SortedRecords(path, files, options.sizes?.block ?? SIZES.block);
  }

  skipTo(position: number): Promise<void> {
    this.sorted.seek(position);
    return Promise.resolve();
  }

  read(limit: number): Promise<ReadRow[] | undefined> {
    const { sorted } = this;
    const rows: ReadRow[] = [];
    const end = Math.min(limit, sorted.offset + sorted.length + this.bytesAtOnce);
    while (sorted.offset + sorted.length < end && sorted.pass()) rows.push(this.row());
    return Promise.resolve(rows.length === 0 ? undefined : rows);
  }

  close(): Promise<void> {
    this.sorted.close();
    return Promise.resolve();
  }

  private row(): ReadRow {
    const { bytes, at, length, offset: start, contentFrom: from, place } = this.sorted;
    const source = this.files[place.file];
    if (!source) throw new UnreadableInput(`${this.path} is damaged; remove it and start again.`);
    const { name, reader, joined } = source;
    const to = at + length;
    const record = { bytes, from, to, file: name, line: place.line, start, end: start + length };
    if (joined) {
      const account = bytes.toString('utf8', at + HEAD_BYTES, from);
      return joinedRow(record, joined, account, (index) => this.files[index]?.name ?? '');
    }
    if (place.isCut) return toRow(record, TOO_LONG, reader);
    if (!isUtf8(bytes.subarray(from, to))) return toRow(record, NOT_UTF8, reader);
    reader.finder.forget?.();
    reader.finder.find(bytes, from, to, true);
    return toRow(record, reader.finder.problem, reader);
  }
}
