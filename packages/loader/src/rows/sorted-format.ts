/** What is sorted: bytes `[from, to)`, and the line in which they begin. */
export interface RecordBytes {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/**
 * How a record stands in a sorted file: numbers of fixed size, the account in UTF-8, and the record as it stands in its file.
 */
export const HEAD_BYTES = 17;

const RAW_LENGTH = 0;
const ACCOUNT_LENGTH = 4;
const FILE = 6;
const LINE = 8;
const FLAGS = 16;

/** The record is the beginning of one that is too long. */
const IS_CUT = 1;

/** The head of a record. */
export interface SortedHead {
  readonly accountBytes: number;
  readonly rawBytes: number;
  /** Index in the preparation. */
  readonly file: number;
  readonly line: number;
  readonly isCut: boolean;
}

/** Bytes that a record takes at most. */
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
  target.writeUInt32LE(to - from, at + RAW_LENGTH);
  target.writeUInt16LE(accountBytes, at + ACCOUNT_LENGTH);
  target.writeUInt16LE(file, at + FILE);
  target.writeDoubleLE(line, at + LINE);
  target.writeUInt8(isCut ? IS_CUT : 0, at + FLAGS);
  const rawFrom = at + HEAD_BYTES + accountBytes;
  bytes.copy(target, rawFrom, from, to);
  return rawFrom + (to - from);
}

export function readHead(bytes: Buffer, at: number): SortedHead {
  return {
    rawBytes: bytes.readUInt32LE(at + RAW_LENGTH),
    accountBytes: bytes.readUInt16LE(at + ACCOUNT_LENGTH),
    file: bytes.readUInt16LE(at + FILE),
    line: bytes.readDoubleLE(at + LINE),
    isCut: bytes.readUInt8(at + FLAGS) === IS_CUT,
  };
}

/** @returns the bytes of a whole record whose head is at an index */
export function lengthAt(bytes: Buffer, at: number): number {
  return HEAD_BYTES + bytes.readUInt16LE(at + ACCOUNT_LENGTH) + bytes.readUInt32LE(at + RAW_LENGTH);
}

export function accountAt(bytes: Buffer, at: number): string {
  const from = at + HEAD_BYTES;
  return bytes.toString('utf8', from, from + bytes.readUInt16LE(at + ACCOUNT_LENGTH));
}

/** Most bytes that the sorted copy of files takes. */
export function sortedBytesMax(unpackedBytes: number, rows: number): number {
  return unpackedBytes + rows * (HEAD_BYTES + KEPT_OF_ACCOUNT);
}

/** An account is a part of its record, so this is an estimate that is rarely exceeded. */
const KEPT_OF_ACCOUNT = 20;
