import { hash } from 'node:crypto';
import { itemBytesOf, type ReadRow } from '@data-import/files';
import type { ContentWriter } from '../rows/content.js';
import { SortedReader } from '../rows/sorted-file.js';
import { keyOf } from '../kinds/keys.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';

/** The number of bytes of a digest that identifies a key within an account. */
const KEY_BYTES = 16;
const CONTENT_BYTES = 32;

/** The maximum length of the text with the type and amount of a transaction. Those that the service accepts are shorter. */
const AMOUNT_BYTES_MAX = 64;

/**
 * The maximum length of an entry: the kind and the digests of the content and the key, followed by two more digests for
 * a note, or by the type and amount of a transaction.
 */
export const ENTRY_BYTES_MAX = 1 + CONTENT_BYTES + KEY_BYTES + Math.max(2 * KEY_BYTES, AMOUNT_BYTES_MAX);

/** The digests of a row that are compared, in hexadecimal. */
export interface RowDigests {
  /** SHA-256 of the canonical content (choice V3). For a row that cannot be read, SHA-256 of its place and bytes. */
  readonly content: string;
  /** The digest of the row's key; undefined if the row has none. */
  readonly key: string | undefined;
  /**
   * The digests that identify a note without `created_at` (choice N4): that of its text, and that of all fields except
   * `created_at`.
   */
  readonly note: { readonly text: string; readonly rest: string; readonly isDated: boolean } | undefined;
}

/** A row of the supplier's files, in the form that is compared. */
export interface Entry extends RowDigests {
  readonly kind: Kind;
  /** The index of its file. */
  readonly file: number;
  readonly line: number;
  /** For a transaction, its type, a space and its amount, if the service would accept them. */
  readonly amount?: string | undefined;
}

/**
 * Write the entry of a row.
 *
 * @param target a buffer of at least {@link ENTRY_BYTES_MAX} bytes
 * @returns the length of the entry
 */
export function writeEntry(target: Buffer, kind: Kind, row: ReadRow, writer: ContentWriter): number {
  target.writeUInt8(KINDS.indexOf(kind), 0);
  let at = 1;
  // A hash as text takes half the time of a hash as a buffer.
  const add = (content: string | Buffer, length: number): void => {
    at += target.write(hash('sha256', content, 'binary'), at, length, 'binary');
  };
  if (row.error) {
    const { file, line } = row.origin;
    add(Buffer.concat([Buffer.from(`${file}:${line} `), row.raw]), CONTENT_BYTES);
    return at;
  }
  const content = writer.write(kind, itemBytesOf(row));
  add(content, CONTENT_BYTES);
  if (row.key === undefined) return at;
  add(row.key, KEY_BYTES);
  if (kind === 'transactions') return at + target.write(amountOf(content), at, 'latin1');
  if (kind !== 'notes') return at;
  add(textOf(row.key), KEY_BYTES);
  add(isDated(row.key) ? withoutDate(content.toString()) : content, KEY_BYTES);
  return at;
}

export function readEntry(
  bytes: Buffer,
  from: number,
  to: number,
  place: { file: number; line: number },
): Entry {
  const kind = KINDS[bytes.readUInt8(from)];
  if (kind === undefined) throw new Error('The file with digests is damaged.');
  const keyTo = from + 1 + CONTENT_BYTES + KEY_BYTES;
  const isTransaction = kind === 'transactions';
  // Decoding all bytes at once is faster than decoding each part.
  const hex = bytes.toString('hex', from + 1, isTransaction ? Math.min(keyTo, to) : to);
  const keyAt = (index: number): string =>
    hex.slice(2 * (CONTENT_BYTES + index * KEY_BYTES), 2 * (CONTENT_BYTES + (index + 1) * KEY_BYTES));
  const content = hex.slice(0, 2 * CONTENT_BYTES);
  const hasNote = kind === 'notes' && to > keyTo;
  const rest = hasNote ? keyAt(2) : '';
  return {
    kind,
    content,
    key: to >= keyTo ? keyAt(0) : undefined,
    note: hasNote ? { text: keyAt(1), rest, isDated: !content.startsWith(rest) } : undefined,
    amount: isTransaction && to > keyTo ? bytes.toString('latin1', keyTo, to) : undefined,
    ...place,
  };
}

/** All entries of one account, in the order of the files. */
export interface AccountEntries {
  readonly account: string;
  /** The account in the form that sorts correctly, see account-order.ts. */
  readonly order: string;
  readonly entries: readonly Entry[];
  /** The position in the file after the entries. */
  readonly end: number;
}

/**
 * Read the accounts of a file with entries.
 *
 * @param position a position at which an account begins
 */
export function* accountsIn(path: string, position = 0): Generator<AccountEntries, undefined, undefined> {
  const sorted = new SortedReader(path, position);
  try {
    let isMore = sorted.next();
    while (isMore) {
      const { account, order } = sorted;
      const entries: Entry[] = [];
      while (isMore && sorted.account === account) {
        const { file, line } = sorted.place;
        entries.push(readEntry(sorted.bytes, sorted.contentFrom, sorted.at + sorted.length, { file, line }));
        isMore = sorted.next();
      }
      yield { account, order, entries, end: sorted.offset };
    }
  } finally {
    sorted.close();
  }
}

/**
 * The digests of a row at the service.
 *
 * @param content the canonical text of the row
 */
export function digestsOf(kind: Kind, content: string): RowDigests {
  const item = JSON.parse(content) as Record<string, unknown>;
  const key = keyOf(
    kind,
    FACTS[kind].key.map((field) => (Object.hasOwn(item, field) ? item[field] : undefined)),
  );
  const short = (text: string): string => hash('sha256', text, 'hex').slice(0, 2 * KEY_BYTES);
  const isNote = kind === 'notes' && key !== undefined;
  return {
    content: hash('sha256', content, 'hex'),
    key: key === undefined ? undefined : short(key),
    note: isNote
      ? {
          text: short(textOf(key)),
          rest: short(isDated(key) ? withoutDate(content) : content),
          isDated: isDated(key),
        }
      : undefined,
  };
}

/** @param content the canonical content of a transaction, whose members are sorted by name */
function amountOf(content: Buffer): string {
  const amount = /^\{"amount":(-?\d+(?:\.\d{1,2})?),/.exec(
    content.toString('latin1', 0, AMOUNT_BYTES_MAX),
  )?.[1];
  const end = content.toString('latin1', Math.max(0, content.length - AMOUNT_BYTES_MAX));
  const type = /,"type":"(\w+)"\}$/.exec(end)?.[1];
  const text = `${type} ${amount}`;
  return amount === undefined || type === undefined || text.length > AMOUNT_BYTES_MAX ? '' : text;
}

/** The key of a note begins with a line that contains its date-time, see keys.ts. */
function isDated(key: string): boolean {
  return !key.startsWith('\n');
}

function textOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1);
}

/** @param content canonical content */
function withoutDate(content: string): string {
  const fields = JSON.parse(content) as Record<string, unknown>;
  delete fields.created_at;
  return JSON.stringify(fields);
}
