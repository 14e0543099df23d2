/**
 * Checks JSON texts and finds the members of objects without building values, so that an item can be cut out of its line and
 * keep its numbers as written. It works on bytes, because most of the reading time is spent here. All code in the loader that reads
 * JSON bytes uses it. The client has its own scanner for lists, which arrive in parts.
 */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const MINUS = 0x2d;
const PLUS = 0x2b;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
const LETTER_U = 0x75;

/** Deepest nesting within an item. The service rejects 64 levels in a whole request; documented items have three. */
export const DEPTH_MAX = 60;

const ENDS_RUN = 1;
const SPACE = 2;
const DIGIT = 4;
const HEX = 8;
const ESCAPED = 16;

/** The class of each byte. */
const CLASSES = new Uint8Array(256);
CLASSES.fill(ENDS_RUN, 0, 0x20);
for (const [characters, flag] of [
  ['"\\', ENDS_RUN],
  [' \t\r\n', SPACE],
  ['0123456789', DIGIT],
  ['0123456789abcdefABCDEF', HEX],
  ['"\\/bfnrt', ESCAPED],
] as const) {
  for (const byte of Buffer.from(characters)) CLASSES[byte] = (CLASSES[byte] ?? 0) | flag;
}

const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** The number of indexes that {@link Members} keeps for each member. */
const NUMBERS = 4;

/** The members of one object in order, including repeated names. One instance is reused for all objects. */
export class Members {
  count = 0;
  /** Whether a name contains a backslash, so that its bytes are not the name. */
  hasEscapedName = false;
  private spans = new Int32Array(64 * NUMBERS);

  clear(): void {
    this.count = 0;
    this.hasEscapedName = false;
  }

  add(nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): void {
    const at = this.count * NUMBERS;
    if (at === this.spans.length) {
      const larger = new Int32Array(this.spans.length * 2);
      larger.set(this.spans);
      this.spans = larger;
    }
    this.spans[at] = nameFrom;
    this.spans[at + 1] = nameTo;
    this.spans[at + 2] = valueFrom;
    this.spans[at + 3] = valueTo;
    this.count += 1;
  }

  /** Index of the opening quote of the name. */
  nameFrom(member: number): number {
    return this.spans[member * NUMBERS] ?? 0;
  }

  /** Index after the closing quote of the name. */
  nameTo(member: number): number {
    return this.spans[member * NUMBERS + 1] ?? 0;
  }

  valueFrom(member: number): number {
    return this.spans[member * NUMBERS + 2] ?? 0;
  }

  valueTo(member: number): number {
    return this.spans[member * NUMBERS + 3] ?? 0;
  }

  /**
   * @param name the name, in ASCII
   * @returns the last member with this name before the member `before`, because the last one counts; -1 if there is none
   */
  find(bytes: Buffer, name: Buffer, before: number = this.count): number {
    for (let member = before - 1; member >= 0; member -= 1) {
      if (this.isWritten(bytes, member, name)) return member;
      const isEscaped = this.hasEscapedName && this.nameTo(member) - this.nameFrom(member) - 2 > name.length;
      if (isEscaped && this.name(bytes, member) === name.toString()) return member;
    }
    return -1;
  }

  /** Whether the bytes between a name's quotes equal these. */
  isWritten(bytes: Buffer, member: number, name: Buffer): boolean {
    const from = this.nameFrom(member) + 1;
    if (this.nameTo(member) - 1 - from !== name.length) return false;
    for (let at = 0; at < name.length; at += 1) if (bytes[from + at] !== name[at]) return false;
    return true;
  }

  /** The name of a member with its escapes resolved. */
  name(bytes: Buffer, member: number): string {
    return stringAt(bytes, this.nameFrom(member), this.nameTo(member));
  }
}

/** The value of the JSON string in `[from, to)`, quotes included. */
export function stringAt(bytes: Buffer, from: number, to: number): string {
  for (let at = from + 1; at < to - 1; at += 1) {
    if (bytes[at] === BACKSLASH) return JSON.parse(bytes.toString('utf8', from, to)) as string;
  }
  return bytes.toString('utf8', from + 1, to - 1);
}

/** Whether the value that begins here is a string. */
export function isString(bytes: Buffer, from: number): boolean {
  return bytes[from] === QUOTE;
}

/**
 * Scan a text that is expected to be one JSON object.
 *
 * @param bytes valid UTF-8
 * @param members filled with the members of the object
 * @returns the index of the first byte that is not part of a valid JSON object, or -1 when the text is one
 */
export function scanObject(bytes: Buffer, from: number, to: number, members: Members): number {
  const at = afterSpace(bytes, from, to);
  if (at < to && bytes[at] === OPENING_BRACE)
    return stopOf(bytes, afterObject(bytes, at, to, 1, members), to);
  members.clear();
  return at;
}

/** @returns the index of the first byte that is not part of a valid JSON value, or -1 when the text is one */
export function scanValue(bytes: Buffer, from: number, to: number): number {
  return stopOf(bytes, afterValue(bytes, afterSpace(bytes, from, to), to, 0), to);
}

/** @param end the index after a value, or a failure. Only whitespace may follow a value */
function stopOf(bytes: Buffer, end: number, to: number): number {
  if (end < 0) return failedAt(end);
  const at = afterSpace(bytes, end, to);
  return at < to ? at : -1;
}

/** The return value that reports an error at `at` in place of an index. */
function failure(at: number): number {
  return -1 - at;
}

/** Reverses {@link failure}. */
export function failedAt(result: number): number {
  return -1 - result;
}

export function afterSpace(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && ((CLASSES[bytes[at] ?? 0] ?? 0) & SPACE) !== 0) at += 1;
  return at;
}

/** Number of escapes that were skipped. */
let escapes = 0;

/** @param from index of the opening quote */
function afterString(bytes: Buffer, from: number, to: number): number {
  let at = from + 1;
  for (;;) {
    while (at < to && ((CLASSES[bytes[at] ?? 0] ?? 0) & ENDS_RUN) === 0) at += 1;
    if (at >= to) return failure(to);
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) return failure(at);
    at = afterEscape(bytes, at, to);
    if (at < 0) return at;
  }
}

/** @param from index of the backslash */
function afterEscape(bytes: Buffer, from: number, to: number): number {
  escapes += 1;
  const letter = from + 1;
  if (letter >= to) return failure(to);
  if (((CLASSES[bytes[letter] ?? 0] ?? 0) & ESCAPED) !== 0) return letter + 1;
  if (bytes[letter] !== LETTER_U) return failure(letter);
  for (let at = letter + 1; at <= letter + 4; at += 1) {
    if (at >= to || ((CLASSES[bytes[at] ?? 0] ?? 0) & HEX) === 0) return failure(at);
  }
  return letter + 5;
}

/**
 * @param depth the depth of the object or list that contains the value
 * @returns the index after the value, or a failure
 */
export function afterValue(bytes: Buffer, from: number, to: number, depth: number): number {
  if (from >= to) return failure(to);
  switch (bytes[from]) {
    case QUOTE:
      return afterString(bytes, from, to);
    case OPENING_BRACE:
      return depth < DEPTH_MAX ? afterObject(bytes, from, to, depth + 1) : failure(from);
    case OPENING_BRACKET:
      return depth < DEPTH_MAX ? afterList(bytes, from, to, depth + 1) : failure(from);
    case 0x74: // t
    case 0x66: // f
    case 0x6e: // n
      return afterLiteral(bytes, from, to);
    case undefined:
    default:
      return afterNumber(bytes, from, to);
  }
}

/**
 * @param from index of the opening brace
 * @param members filled with those of the object
 * @returns the index after it, or a failure
 */
export function afterObject(
  bytes: Buffer,
  from: number,
  to: number,
  depth: number,
  members?: Members,
): number {
  members?.clear();
  let at = afterSpace(bytes, from + 1, to);
  if (at < to && bytes[at] === CLOSING_BRACE) return at + 1;
  for (;;) {
    if (at >= to || bytes[at] !== QUOTE) return failure(at);
    const nameFrom = at;
    const before = escapes;
    const nameTo = afterString(bytes, at, to);
    if (nameTo < 0) return nameTo;
    if (members && escapes > before) members.hasEscapedName = true;
    at = afterSpace(bytes, nameTo, to);
    if (at >= to || bytes[at] !== COLON) return failure(at);
    const valueFrom = afterSpace(bytes, at + 1, to);
    const valueTo = afterValue(bytes, valueFrom, to, depth);
    if (valueTo < 0) return valueTo;
    members?.add(nameFrom, nameTo, valueFrom, valueTo);
    at = afterSpace(bytes, valueTo, to);
    if (at >= to) return failure(at);
    if (bytes[at] === CLOSING_BRACE) return at + 1;
    if (bytes[at] !== COMMA) return failure(at);
    at = afterSpace(bytes, at + 1, to);
  }
}

function afterList(bytes: Buffer, from: number, to: number, depth: number): number {
  let at = afterSpace(bytes, from + 1, to);
  if (at < to && bytes[at] === CLOSING_BRACKET) return at + 1;
  for (;;) {
    at = afterValue(bytes, at, to, depth);
    if (at < 0) return at;
    at = afterSpace(bytes, at, to);
    if (at >= to) return failure(at);
    if (bytes[at] === CLOSING_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return failure(at);
    at = afterSpace(bytes, at + 1, to);
  }
}

function afterLiteral(bytes: Buffer, from: number, to: number): number {
  for (const word of LITERALS) {
    let length = 0;
    while (length < word.length && from + length < to && bytes[from + length] === word[length]) length += 1;
    if (length === word.length) return from + length;
    if (length > 0) return failure(from + length);
  }
  return failure(from);
}

function afterNumber(bytes: Buffer, from: number, to: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  if (at < to && bytes[at] === ZERO) {
    at += 1;
  } else {
    at = afterDigits(bytes, at, to);
    if (at < 0) return at;
  }
  if (at < to && bytes[at] === POINT) {
    at = afterDigits(bytes, at + 1, to);
    if (at < 0) return at;
  }
  if (at < to && ((bytes[at] ?? 0) | 0x20) === 0x65) {
    const sign = bytes[at + 1];
    at = afterDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1, to);
  }
  return at;
}

/** Skip the digits of a number. There must be at least one. */
function afterDigits(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && ((CLASSES[bytes[at] ?? 0] ?? 0) & DIGIT) !== 0) at += 1;
  return at > from ? at : failure(Math.min(from, to));
}
