import { hash } from 'node:crypto';
import { itemBytesOf, type ReadRow } from '@data-import/files';
import type { ContentWriter } from '../rows/content.js';
import { SortedReader } from '../rows/sorted-file.js';
import { keyOf } from '../kinds/keys.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';

/** Bytes of a digest by which rows of the same key are found within an account. */
const KEY_BYTES = 16;
const CONTENT_BYTES = 32;

/** Longest text of the type and the amount of a transaction; one that the service takes is shorter. */
const AMOUNT_BYTES_MAX = 64;

/** Longest entry: kind, content, and of a note three digests, of a transaction one with type and amount. */
export const ENTRY_BYTES_MAX = 1 + CONTENT_BYTES + KEY_BYTES + Math.max(2 * KEY_BYTES, AMOUNT_BYTES_MAX);

/** What is compared of a row. Texts are hexadecimal. */
export interface RowDigests {
  /** SHA-256 of the canonical content (choice V3); of a row that cannot be read, of its place and bytes. */
  readonly content: string;
  /** Of what identifies the row; undefined where it has nothing that does. */
  readonly key: string | undefined;
  /** The digests by which a note without `created_at` is recognised (choice N4): of its text, and of all but `created_at`. */
  readonly note: { readonly text: string; readonly rest: string; readonly isDated: boolean } | undefined;
}

/** A row of the supplier's files, as it is compared. */
export interface Entry extends RowDigests {
  readonly kind: Kind;
  /** Index of its file. */
  readonly file: number;
  readonly line: number;
  /** Of a transaction its type, a space and the amount, if they are such as the service takes. */
  readonly amount?: string | undefined;
}

/**
 * Write the entry of a row.
 *
 * @param target of at least {@link ENTRY_BYTES_MAX} bytes
 * @returns its length
 */
export function writeEntry(target: Buffer, kind: Kind, row: ReadRow, writer: ContentWriter): number {
  target.writeUInt8(KINDS.indexOf(kind), 0);
  let at = 1;
  // As a text, which takes half of the time of a buffer.
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

/** Read an entry. */
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
  // To decode once takes less time than what is decoded.
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
  /** The account as it is compared, see account-order.ts. */
  readonly order: string;
  readonly entries: readonly Entry[];
  /** Position in the file behind them. */
  readonly end: number;
}

/** The accounts of a file with entries. @param position at which an account begins */
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

/** The digests of a row of the service. @param content its canonical text */
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

/** @param content canonical, of a transaction: its members are in the order of their names */
function amountOf(content: Buffer): string {
  const amount = /^\{"amount":(-?\d+(?:\.\d{1,2})?),/.exec(
    content.toString('latin1', 0, AMOUNT_BYTES_MAX),
  )?.[1];
  const end = content.toString('latin1', Math.max(0, content.length - AMOUNT_BYTES_MAX));
  const type = /,"type":"(\w+)"\}$/.exec(end)?.[1];
  const text = `${type} ${amount}`;
  return amount === undefined || type === undefined || text.length > AMOUNT_BYTES_MAX ? '' : text;
}

/** The key of a note begins with a line with its date-time, see keys.ts. */
function isDated(key: string): boolean {
  return !key.startsWith('\n');
}

function textOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1);
}

/** @param content canonical */
function withoutDate(content: string): string {
  const fields = JSON.parse(content) as Record<string, unknown>;
  delete fields.created_at;
  return JSON.stringify(fields);
}
