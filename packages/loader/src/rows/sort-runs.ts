import { closeSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { SIZES } from './blocks.js';
import { byteOrderOf } from './account-order.js';
import {
  accountAt,
  HEAD_BYTES,
  lengthAt,
  readHead,
  sortedBytes,
  writeSorted,
  type RecordBytes,
} from './sorted-format.js';

/** A run is full when it has reached its size: what is read at a time exceeds it. */
const SPARE_BYTES = 2 * SIZES.block;

/** Rows of a run: short ones take more memory for their accounts than for themselves. */
const RUN_ROWS_MAX = 250_000;

const BUFFER_BYTES = 262_144;

/** Records in memory, until they are written in the order of their accounts. */
export class RunBuilder {
  private bytes: Buffer = Buffer.allocUnsafeSlow(0);
  private used = 0;
  /** As they are compared. */
  private accounts: string[] = [];
  private offsets: number[] = [];

  constructor(private readonly runBytes = SIZES.run) {}

  get isEmpty(): boolean {
    return this.offsets.length === 0;
  }

  get isFull(): boolean {
    return this.used >= this.runBytes || this.offsets.length >= RUN_ROWS_MAX;
  }

  /** @param file index in the preparation */
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

  /** Write the records, those of an account in the order of their files and lines, and begin anew. */
  async write(writer: RecordWriter): Promise<void> {
    const { accounts, offsets, bytes } = this;
    const order = Uint32Array.from(offsets.keys()).sort((one, other) => {
      const [first = '', second = ''] = [accounts[one], accounts[other]];
      if (first !== second) return first < second ? -1 : 1;
      return placeOrder(bytes, offsets[one] ?? 0, bytes, offsets[other] ?? 0) || one - other;
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

/** Writes records one after the other. */
export class RecordWriter {
  private buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES * 4);
  private used = 0;

  constructor(private readonly file: FileHandle) {}

  /** @returns whether {@link flush} must be called before the next record */
  add(bytes: Buffer, from: number, length: number): boolean {
    if (this.used + length > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(this.used + length);
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    bytes.copy(this.buffer, this.used, from, from + length);
    this.used += length;
    return this.used >= BUFFER_BYTES * 2;
  }

  async flush(): Promise<void> {
    for (let at = 0; at < this.used;) {
      const { bytesWritten } = await this.file.write(this.buffer, at, this.used - at);
      at += bytesWritten;
    }
    this.used = 0;
  }
}

/** Reads the records of a run one after the other. It reads synchronously: a merge compares after each record. */
export class RunCursor {
  bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** Where the record begins. */
  at = 0;
  /** Bytes of the record; 0 after the last one. */
  length = 0;
  account = '';
  /** The account as it is compared. */
  order = '';
  private end = 0;
  private readonly file: number;

  /** @param position of the file at which a record begins, from which is read */
  constructor(
    path: string,
    private position = 0,
  ) {
    this.file = openSync(path, 'r');
  }

  /** Go on to the next record. */
  next(): void {
    this.at += this.length;
    if (this.end - this.at < HEAD_BYTES) this.fill(HEAD_BYTES);
    if (this.end === this.at) {
      this.length = 0;
      return;
    }
    this.length = lengthAt(this.bytes, this.at);
    if (this.end - this.at < this.length) this.fill(this.length);
    const account = accountAt(this.bytes, this.at);
    if (account === this.account) return;
    this.account = account;
    this.order = byteOrderOf(account);
  }

  /** Position in the file at which the record begins. */
  get offset(): number {
    return this.position - (this.end - this.at);
  }

  close(): void {
    closeSync(this.file);
  }

  private fill(needed: number): void {
    const target = needed > this.bytes.length ? Buffer.allocUnsafeSlow(needed) : this.bytes;
    this.bytes.copy(target, 0, this.at, this.end);
    this.bytes = target;
    this.end -= this.at;
    this.at = 0;
    while (this.end < this.bytes.length) {
      const count = readSync(this.file, this.bytes, this.end, this.bytes.length - this.end, this.position);
      if (count === 0) return;
      this.position += count;
      this.end += count;
    }
  }
}

/** Whether the record of one run comes before that of another. */
export function isBefore(one: RunCursor, other: RunCursor): boolean {
  if (one.order !== other.order) return one.order < other.order;
  return placeOrder(one.bytes, one.at, other.bytes, other.at) < 0;
}

/** Below 0 when the record at an index of bytes has a place before that of another. */
function placeOrder(bytes: Buffer, at: number, others: Buffer, otherAt: number): number {
  const [first, second] = [readHead(bytes, at), readHead(others, otherAt)];
  return first.file - second.file || first.line - second.line;
}
