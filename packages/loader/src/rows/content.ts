import { canonicalDateTime } from './dates.js';
import { canonicalNumber } from './numbers.js';
import type { Kind } from '../kinds/kinds.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** What stands between values. */
const BETWEEN = new Uint8Array(256);
for (const byte of Buffer.from(' \t\r\n,')) BETWEEN[byte] = 1;

/** What ends a number or a literal. */
const ENDS_WORD = BETWEEN.slice();
for (const byte of Buffer.from(']}')) ENDS_WORD[byte] = 1;

/** Longest number that is known to be exact without being looked at: a double keeps 15 digits. */
const SURE_LENGTH = 15;

/** Bytes above which a native copy takes less time than a loop. */
const LOOPED_BYTES_MAX = 48;

const ORDERS_MAX = 1_000;

/** What the service takes for a member that is not there (choice V3). */
const ABSENT = new Set(['"body":""', '"document_paths":[]', '"is_pinned":false']);
const MOMENTS = new Set(['"created_at"', '"unpin_at"']);

/**
 * The content of an item in one form: members in the order of their names, no space, each number in the form that all texts
 * of the same number share (RFC 8785 for every number that the service takes). What the service does not tell apart is the
 * same: of a note an empty body, an empty list of documents and `is_pinned` false are left out, and date-times are in UTC.
 * Two items have the same content exactly if these texts are equal.
 *
 * @param item JSON text of an object
 */
export function canonicalContent(kind: Kind, item: string): string {
  return new ContentWriter().write(kind, Buffer.from(item)).toString();
}

/**
 * Writes {@link canonicalContent}. It works on bytes, from one to the next: to build values takes three times as long, and a regular
 * expression exhausts the stack on a string with millions of escapes. One instance is used again for each item.
 */
export class ContentWriter {
  private item: Buffer = Buffer.alloc(0);
  private at = 0;
  /** There is always room for what is left of the item, and for a second copy of everything. */
  private bytes: Buffer = Buffer.alloc(0);
  private length = 0;
  /** Of the objects that are open: where a member begins, its colon stands, and it ends. */
  private readonly members: { from: number; colon: number; to: number }[] = [];
  private count = 0;
  /** Orders that are known, by shape: the objects of a file have few. */
  private readonly orders = new Map<number, readonly number[]>();

  /**
   * @param item known to be JSON, an object
   * @returns a view that is valid until the next call
   */
  write(kind: Kind, item: Buffer): Buffer {
    this.item = item;
    this.at = 0;
    this.length = 0;
    this.count = 0;
    this.reserve(0);
    this.next();
    this.object(kind === 'notes');
    return this.bytes.subarray(0, this.length);
  }

  private object(isNote = false): void {
    const first = this.count;
    const start = this.length + 1;
    this.pass(OPENING_BRACE);
    while (this.next() !== CLOSING_BRACE) {
      const from = this.length;
      this.string();
      const colon = this.length;
      while (this.item[this.at] !== COLON) this.at += 1;
      this.pass(COLON);
      this.next();
      this.value();
      this.add(from, colon);
    }
    const order = this.orderOf(first);
    this.arrange(start, first, isNote ? order.filter((member) => this.keepsOfNote(first + member)) : order);
    this.count = first;
    this.pass(CLOSING_BRACE);
  }

  private value(): void {
    const byte = this.item[this.at];
    if (byte === QUOTE) this.string();
    else if (byte === OPENING_BRACE) this.object();
    else if (byte === OPENING_BRACKET) this.list();
    else this.word();
  }

  private list(): void {
    this.pass(OPENING_BRACKET);
    for (let isFirst = true; this.next() !== CLOSING_BRACKET; isFirst = false) {
      if (!isFirst) this.put(COMMA);
      this.value();
    }
    this.pass(CLOSING_BRACKET);
  }

  /** A string without escapes stands as it must already. */
  private string(): void {
    const { item, bytes, at: from } = this;
    let { length } = this;
    let isPlain = true;
    let at = from + 1;
    bytes[length++] = QUOTE;
    for (let byte = item[at] ?? QUOTE; byte !== QUOTE; byte = item[at] ?? QUOTE) {
      if (byte === BACKSLASH) {
        isPlain = false;
        at += 1;
      }
      bytes[length++] = byte;
      at += 1;
    }
    this.at = at + 1;
    if (isPlain) {
      bytes[length++] = QUOTE;
      this.length = length;
    } else {
      this.text(JSON.stringify(JSON.parse(item.toString('utf8', from, this.at))));
    }
  }

  /** A number, or a literal. */
  private word(): void {
    const { item, bytes, at: from } = this;
    let at = from;
    while (at < item.length && ENDS_WORD[item[at] ?? 0] === 0) at += 1;
    this.at = at;
    const first = item[from] ?? 0;
    const isNumber = first <= NINE;
    const to = isNumber ? endOfSureNumber(item, from, at) : at;
    if (to === -1) {
      this.text(canonicalNumber(item.toString('latin1', from, at)));
      return;
    }
    let { length } = this;
    for (let index = from; index < to; index += 1) bytes[length++] = item[index] ?? 0;
    this.length = length;
  }

  /** @returns the byte of what follows, space and commas passed over */
  private next(): number {
    const { item } = this;
    while (BETWEEN[item[this.at] ?? 0] === 1) this.at += 1;
    return item[this.at] ?? CLOSING_BRACE;
  }

  private pass(byte: number): void {
    this.at += 1;
    this.put(byte);
  }

  private put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  private text(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length);
  }

  private reserve(added: number): void {
    const needed = 2 * (this.length + added + this.item.length - this.at);
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private add(from: number, colon: number): void {
    const known = this.members[this.count];
    if (known) {
      known.from = from;
      known.colon = colon;
      known.to = this.length;
    } else this.members.push({ from, colon, to: this.length });
    this.count += 1;
  }

  /** @returns the members of the object that was written last, ordered by name; of those with the same name the last one counts */
  private orderOf(first: number): readonly number[] {
    const count = this.count - first;
    const shape = this.shapeOf(first);
    const known = this.orders.get(shape);
    if (known?.length === count && this.isAscending(first, known)) return known;
    const order = Array.from({ length: count }, (_, index) => index)
      .sort((one, other) => this.compare(first, one, other) || one - other)
      .filter((member, index, all) => {
        const next = all[index + 1];
        return next === undefined || this.compare(first, member, next) !== 0;
      });
    if (order.length === count && this.orders.size < ORDERS_MAX) this.orders.set(shape, order);
    return order;
  }

  /** A number that objects with the same names share, and few others. */
  private shapeOf(first: number): number {
    let shape = 0;
    for (let index = first; index < this.count; index += 1) {
      const member = this.members[index];
      if (member) shape = (Math.imul(shape, 31) + member.colon - member.from) | 0;
    }
    return shape;
  }

  private isAscending(first: number, order: readonly number[]): boolean {
    for (let index = 1; index < order.length; index += 1)
      if (this.compare(first, order[index - 1] ?? 0, order[index] ?? 0) >= 0) return false;
    return true;
  }

  /** Compare the names of two members by UTF-16 code units. */
  private compare(first: number, one: number, other: number): number {
    const { bytes } = this;
    const [left, right] = [this.members[first + one], this.members[first + other]];
    if (!left || !right) return -1;
    const length = Math.min(left.colon - left.from, right.colon - right.from);
    for (let index = 0; index < length; index += 1) {
      const [a, b] = [bytes[left.from + index] ?? 0, bytes[right.from + index] ?? 0];
      if (a === BACKSLASH || b === BACKSLASH || (a !== b && (a >= 0x80 || b >= 0x80))) {
        const [long, short] = [this.nameOf(left), this.nameOf(right)];
        return long < short ? -1 : long > short ? 1 : 0;
      }
      // The quote that ends a shorter name could be behind a character.
      if (a !== b) return a === QUOTE ? -1 : b === QUOTE ? 1 : a - b;
    }
    return 0;
  }

  private nameOf({ from, colon }: { from: number; colon: number }): string {
    return JSON.parse(this.bytes.toString('utf8', from, colon)) as string;
  }

  /** Put members in order, with commas between them, where they were written one after the other. */
  private arrange(start: number, first: number, order: readonly number[]): void {
    const { bytes, members } = this;
    const begin = this.length;
    let end = begin;
    for (const index of order) {
      const { from, to } = members[first + index] ?? { from: 0, to: 0 };
      if (end > begin) bytes[end++] = COMMA;
      if (to - from > LOOPED_BYTES_MAX) {
        bytes.copyWithin(end, from, to);
        end += to - from;
      } else for (let at = from; at < to; at += 1) bytes[end++] = bytes[at] ?? 0;
    }
    bytes.copyWithin(start, begin, end);
    this.length = start + end - begin;
  }

  /** Write a date-time of a note as the service keeps it. @returns whether the member is kept */
  private keepsOfNote(index: number): boolean {
    const member = this.members[index];
    if (!member) return false;
    const { bytes } = this;
    const value = bytes.toString('utf8', member.colon + 1, member.to);
    const name = bytes.toString('utf8', member.from, member.colon);
    const moment =
      MOMENTS.has(name) && value.startsWith('"') ? canonicalDateTime(JSON.parse(value) as string) : undefined;
    // No form of a date-time is shorter.
    if (moment !== undefined) member.to = member.colon + 1 + bytes.write(`"${moment}"`, member.colon + 1);
    return !ABSENT.has(`${name}:${value}`);
  }
}

/**
 * @returns where a number ends without zeros at the end of its fraction, if it is in the canonical form then; -1 when that is not
 *   sure
 */
function endOfSureNumber(bytes: Buffer, from: number, to: number): number {
  if (to - from > SURE_LENGTH) return -1;
  const start = bytes[from] === MINUS ? from + 1 : from;
  // No negative zero, and no small number, which has an exponent.
  if (bytes[start] === ZERO && (start > from || (bytes[from + 2] === ZERO && bytes[from + 3] === ZERO)))
    return -1;
  let point = -1;
  for (let at = start; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === POINT) point = at;
    else if (byte < ZERO || byte > NINE) return -1;
  }
  if (point === -1) return to;
  let end = to;
  while (bytes[end - 1] === ZERO) end -= 1;
  return end - 1 === point ? point : end;
}
