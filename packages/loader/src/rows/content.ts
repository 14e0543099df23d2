import {
  afterObject,
  afterSpace,
  afterValue,
  BACKSLASH,
  canonicalDateTime,
  canonicalNumber,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  Members,
  MINUS,
  OPENING_BRACE,
  OPENING_BRACKET,
  POINT,
  QUOTE,
  ZERO,
} from '@data-import/files';
import { fieldType } from '../kinds/fields.js';
import { FACTS, type Kind } from '../kinds/kinds.js';

const NINE = 0x39;

/** The maximum length of a number that is certainly exact: a double keeps 15 digits. */
const SURE_LENGTH = 15;

/** Above this number of bytes a native copy is faster than a loop. */
const LOOPED_BYTES_MAX = 48;

const SHAPES_MAX = 1_000;

/** The names of an object's members as written in the row, and how its content is written. */
interface Shape {
  readonly names: readonly Buffer[];
  /** Members sorted by name. Of members with the same name only the last is kept. */
  readonly members: readonly ShapeMember[];
}

interface ShapeMember {
  readonly index: number;
  /** The name and the colon. */
  readonly head: Buffer;
  readonly isDateTime: boolean;
  /** The content that the service treats as an absent field (choice V3). */
  readonly absent: string | undefined;
}

/**
 * The canonical content of an item: members sorted by name, no whitespace, and each number in one form that all spellings of the
 * number share (RFC 8785 for every number that the service accepts). Differences that the service ignores disappear: date-times are
 * in UTC, and values that count as absent, such as a note's empty body, are omitted. Two items have the same content exactly if
 * these texts are equal.
 *
 * @param item JSON text of an object
 */
export function canonicalContent(kind: Kind, item: string): string {
  return new ContentWriter().write(kind, Buffer.from(item)).toString();
}

/**
 * Writes {@link canonicalContent} from the bytes of an item, because building values takes three times as long. One instance is
 * reused for all items.
 */
export class ContentWriter {
  private item: Buffer = Buffer.alloc(0);
  /** Always has room for the length of the item. */
  private bytes: Buffer = Buffer.alloc(0);
  private length = 0;
  /** The members of the open objects, by nesting level. */
  private readonly levels: Members[] = [];
  /** Shapes of items by kind, and of objects within items. The objects of a file have few different shapes. */
  private readonly shapes = new Map<Kind | undefined, Map<number, Shape>>();

  /**
   * @param item a JSON object that has been validated
   * @returns a view that is valid until the next call
   */
  write(kind: Kind, item: Buffer): Buffer {
    this.item = item;
    this.length = 0;
    this.reserve(0);
    this.object(afterSpace(item, 0, item.length), 0, kind);
    return this.bytes.subarray(0, this.length);
  }

  /**
   * @param kind the kind of an item; undefined for an object within one
   * @returns the index after the object
   */
  private object(from: number, level: number, kind?: Kind): number {
    const { item } = this;
    const members = (this.levels[level] ??= new Members());
    const end = afterObject(item, from, item.length, 0, members);
    this.put(OPENING_BRACE);
    const first = this.length;
    for (const { index, head, isDateTime, absent } of this.shapeOf(members, kind).members) {
      const before = this.length;
      if (before > first) this.put(COMMA);
      this.copy(head, 0, head.length);
      const start = this.length;
      this.value(members.valueFrom(index), members.valueTo(index), level);
      if (isDateTime) this.inUtc(start);
      if (absent !== undefined && this.textFrom(start) === absent) this.length = before;
    }
    this.put(CLOSING_BRACE);
    return end;
  }

  private value(from: number, to: number, level: number): void {
    const byte = this.item[from];
    if (byte === QUOTE) this.string(from, to);
    else if (byte === OPENING_BRACE) this.object(from, level + 1);
    else if (byte === OPENING_BRACKET) this.list(from, to, level);
    else this.word(from, to);
  }

  private list(from: number, to: number, level: number): void {
    const { item } = this;
    this.put(OPENING_BRACKET);
    for (let at = afterSpace(item, from + 1, to); item[at] !== CLOSING_BRACKET;) {
      let end: number;
      if (item[at] === OPENING_BRACE) end = this.object(at, level + 1);
      else {
        end = afterValue(item, at, to, 0);
        this.value(at, end, level);
      }
      at = afterSpace(item, end, to);
      if (item[at] !== COMMA) break;
      this.put(COMMA);
      at = afterSpace(item, at + 1, to);
    }
    this.put(CLOSING_BRACKET);
  }

  /** A string without escapes is already canonical. */
  private string(from: number, to: number): void {
    const { item, bytes } = this;
    let { length } = this;
    let at = from;
    for (let byte = item[at]; at < to && byte !== BACKSLASH; byte = item[at]) {
      bytes[length++] = byte ?? 0;
      at += 1;
    }
    if (at === to) this.length = length;
    else this.text(JSON.stringify(JSON.parse(item.toString('utf8', from, to))));
  }

  /** A number, or a literal. */
  private word(from: number, to: number): void {
    const { item } = this;
    const isNumber = (item[from] ?? 0) <= NINE;
    const end = isNumber ? endOfSureNumber(item, from, to) : to;
    if (end === -1) this.text(canonicalNumber(item.toString('latin1', from, to)));
    else this.copy(item, from, end);
  }

  /** Rewrite the date-time that begins at an index in the form that the service stores. */
  private inUtc(from: number): void {
    if (this.bytes[from] !== QUOTE) return;
    const dateTime = canonicalDateTime(JSON.parse(this.textFrom(from)) as string);
    if (dateTime === undefined) return;
    this.length = from;
    this.text(JSON.stringify(dateTime));
  }

  private textFrom(from: number): string {
    return this.bytes.toString('utf8', from, this.length);
  }

  private put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  private copy(source: Buffer, from: number, to: number): void {
    const { bytes } = this;
    let { length } = this;
    if (to - from > LOOPED_BYTES_MAX) length += source.copy(bytes, length, from, to);
    else for (let at = from; at < to; at += 1) bytes[length++] = source[at] ?? 0;
    this.length = length;
  }

  private text(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length);
  }

  private reserve(added: number): void {
    const needed = this.length + added + this.item.length;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private shapeOf(members: Members, kind: Kind | undefined): Shape {
    const { item } = this;
    let shapes = this.shapes.get(kind);
    if (!shapes) this.shapes.set(kind, (shapes = new Map<number, Shape>()));
    const number = numberOf(members);
    const known = shapes.get(number);
    if (known?.names.length === members.count) {
      let at = 0;
      while (at < members.count && members.isWritten(item, at, known.names[at] ?? item)) at += 1;
      if (at === members.count) return known;
    }
    const shape = newShape(item, members, kind);
    if (shapes.size < SHAPES_MAX) shapes.set(number, shape);
    return shape;
  }
}

/** A hash of the member names: equal for objects with the same names, and rarely for others. */
function numberOf(members: Members): number {
  let number = 0;
  for (let member = 0; member < members.count; member += 1)
    number = (Math.imul(number, 31) + members.nameTo(member) - members.nameFrom(member)) | 0;
  return number;
}

function newShape(item: Buffer, members: Members, kind: Kind | undefined): Shape {
  const indexes = Array.from({ length: members.count }, (_, index) => index);
  const last = new Map(indexes.map((index) => [members.name(item, index), index]));
  // RFC 8785 compares UTF-16 code units, as JavaScript does.
  const sorted = [...last].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    names: indexes.map((index) =>
      Buffer.from(item.subarray(members.nameFrom(index) + 1, members.nameTo(index) - 1)),
    ),
    members: sorted.map(([name, index]) => ({
      index,
      head: Buffer.from(`${JSON.stringify(name)}:`),
      isDateTime: kind !== undefined && fieldType(kind, name) === 'date-time',
      absent: kind !== undefined ? FACTS[kind].absent?.[name] : undefined,
    })),
  };
}

/**
 * @returns the index at which a number ends without the trailing zeros of its fraction, if that is its canonical form;
 * -1 if this is not certain
 */
function endOfSureNumber(bytes: Buffer, from: number, to: number): number {
  if (to - from > SURE_LENGTH) return -1;
  const start = bytes[from] === MINUS ? from + 1 : from;
  // Negative zero is not canonical, and the canonical form of a small number has an exponent.
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
