import { closeSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { byteOrderOf } from './account-order.js';

/**
 * A sorted file contains records in the order of their accounts: sorted copies of rows, digests of rows, or the results
 * of a comparison. A record consists of a head with numbers of fixed size, the account in UTF-8, and the content.
 */
export const HEAD_BYTES = 17;

const CONTENT_LENGTH = 0;
const ACCOUNT_LENGTH = 4;
const FILE = 6;
const LINE = 8;
const FLAGS = 16;

/** A flag: the content is only the beginning of a row that is too long. */
const IS_CUT = 1;

const BUFFER_BYTES = 262_144;

/** The bytes `[from, to)` of a record to sort, and the line in which they begin. */
export interface RecordBytes {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** The file and line from which the content of a record comes. */
export interface SortedPlace {
  /** Index of its file. */
  readonly file: number;
  readonly line: number;
  readonly isCut: boolean;
}

/** The most bytes that a record takes. */
export function sortedBytes(account: string, { from, to }: RecordBytes): number {
  return HEAD_BYTES + account.length * 3 + (to - from);
}

/** @returns the index after the record */
export function writeSorted(
  target: Buffer,
  at: number,
  account: string,
  file: number,
  record: RecordBytes,
  isCut: boolean,
): number {
  const { bytes, from, to, line } = record;
  const accountBytes = target.write(account, at + HEAD_BYTES);
  target.writeUInt32LE(to - from, at + CONTENT_LENGTH);
  target.writeUInt16LE(accountBytes, at + ACCOUNT_LENGTH);
  target.writeUInt16LE(file, at + FILE);
  target.writeDoubleLE(line, at + LINE);
  target.writeUInt8(isCut ? IS_CUT : 0, at + FLAGS);
  const contentFrom = at + HEAD_BYTES + accountBytes;
  bytes.copy(target, contentFrom, from, to);
  return contentFrom + (to - from);
}

/** @returns the length in bytes of a complete record whose head is at an index */
export function lengthAt(bytes: Buffer, at: number): number {
  return HEAD_BYTES + bytes.readUInt16LE(at + ACCOUNT_LENGTH) + bytes.readUInt32LE(at + CONTENT_LENGTH);
}

/**
 * The place from which the content of a record comes.
 *
 * @param at the index of its head
 */
export function placeAt(bytes: Buffer, at: number): SortedPlace {
  return {
    file: bytes.readUInt16LE(at + FILE),
    line: bytes.readDoubleLE(at + LINE),
    isCut: bytes.readUInt8(at + FLAGS) === IS_CUT,
  };
}

/** Writes records one after the other. */
export class SortedWriter {
  private buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES * 4);
  private used = 0;

  /** @param size the size of the file in bytes, including buffered records */
  constructor(
    private readonly file: FileHandle,
    public size = 0,
  ) {}

  /** @returns whether {@link flush} must be called before the next record */
  add(bytes: Buffer, from: number, length: number): boolean {
    bytes.copy(this.reserve(length), this.used, from, from + length);
    this.used += length;
    this.size += length;
    return this.used >= BUFFER_BYTES * 2;
  }

  /**
   * Write a record with its own text.
   *
   * @returns the same as {@link add}
   */
  addText(account: string, text: string): boolean {
    const bytes = Buffer.from(text);
    const record = { bytes, from: 0, to: bytes.length, line: 0 };
    const to = writeSorted(this.reserve(sortedBytes(account, record)), this.used, account, 0, record, false);
    this.size += to - this.used;
    this.used = to;
    return this.used >= BUFFER_BYTES * 2;
  }

  async flush(): Promise<void> {
    for (let at = 0; at < this.used;) {
      const { bytesWritten } = await this.file.write(this.buffer, at, this.used - at);
      at += bytesWritten;
    }
    this.used = 0;
  }

  /** @returns the buffer, with room for `length` more bytes */
  private reserve(length: number): Buffer {
    if (this.used + length > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(this.used + length);
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    return this.buffer;
  }
}

/** Reads the records of a sorted file one after the other. It reads synchronously: a merge compares after each record. */
export class SortedReader {
  bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** The index at which the record begins. */
  at = 0;
  /** Length of the record in bytes; 0 before the first and after the last complete record. */
  length = 0;
  account = '';
  /** The account in the form that sorts correctly. */
  order = '';
  private end = 0;
  private readonly file: number;

  /**
   * @param position the position in the file, at the beginning of a record, from which to read
   * @param isReused whether the memory of records is reused for later ones; otherwise views of it stay valid
   */
  constructor(
    path: string,
    private position = 0,
    private readonly isReused = true,
  ) {
    this.file = openSync(path, 'r');
  }

  /** Advance to the next record. @returns whether there is one */
  next(): boolean {
    if (!this.pass()) return false;
    const from = this.at + HEAD_BYTES;
    const account = this.bytes.toString('utf8', from, from + this.accountBytes);
    if (account === this.account) return true;
    this.account = account;
    this.order = byteOrderOf(account);
    return true;
  }

  /** Advance like `next`, for callers that do not need the account. */
  pass(): boolean {
    this.at += this.length;
    this.length = 0;
    if (this.end - this.at < HEAD_BYTES) this.fill(HEAD_BYTES);
    if (this.end - this.at < HEAD_BYTES) return false;
    const length = lengthAt(this.bytes, this.at);
    if (this.end - this.at < length) this.fill(length);
    if (this.end - this.at < length) return false;
    this.length = length;
    return true;
  }

  /** Continue at a position at which a record begins. */
  seek(position: number): void {
    const at = this.end - (this.position - position);
    this.length = 0;
    if (at >= 0 && at <= this.end) this.at = at;
    else [this.at, this.end, this.position] = [0, 0, position];
  }

  /** Position in the file at which the record begins; after the last record, the end of the complete records. */
  get offset(): number {
    return this.position - (this.end - this.at);
  }

  get place(): SortedPlace {
    return placeAt(this.bytes, this.at);
  }

  /** The index at which the content begins. The content ends with the record. */
  get contentFrom(): number {
    return this.at + HEAD_BYTES + this.accountBytes;
  }

  /** The content of a record, as text. */
  get text(): string {
    return this.bytes.toString('utf8', this.contentFrom, this.at + this.length);
  }

  close(): void {
    closeSync(this.file);
  }

  private get accountBytes(): number {
    return this.bytes.readUInt16LE(this.at + ACCOUNT_LENGTH);
  }

  private fill(needed: number): void {
    const isKept = this.isReused && needed <= this.bytes.length;
    const target = isKept ? this.bytes : Buffer.allocUnsafeSlow(Math.max(needed, BUFFER_BYTES));
    this.bytes.copy(target, 0, this.at, this.end);
    this.bytes = target;
    this.end -= this.at;
    this.at = 0;
    while (this.end < target.length) {
      const count = readSync(this.file, target, this.end, target.length - this.end, this.position);
      if (count === 0) return;
      this.position += count;
      this.end += count;
    }
  }
}
