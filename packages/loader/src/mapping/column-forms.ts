/** A value of a column. It represents all values that are written in the same form. */
export interface Seen {
  readonly text: string;
  readonly count: number;
  /** The first line with this form. */
  readonly line: number;
  /** For NDJSON, whether the value is a text or a number. Cells of tables are neither. */
  readonly json: 'text' | 'number' | undefined;
}

/** The forms of all values in a column. */
export interface Evidence {
  /** One value of each form, in the order of the file. */
  readonly forms: readonly Seen[];
  /** Whether all forms are listed. Free text has more than can be kept. */
  readonly isWhole: boolean;
  /** All different values, if they are few. */
  readonly words: readonly string[] | undefined;
}

/** The bytes and the line of a value. */
interface Written {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

const FORMS_MAX = 5_000;
const WORDS_MAX = 64;
const TEXT_BYTES_MAX = 64;

const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;

/**
 * Collects the forms in which the values of a column are written, in constant memory. Two values have the same form if they differ
 * only in digits that no guess depends on: whether a group of digits can be a day, a month, a year or the thousands of a number is
 * part of the form.
 */
export class ColumnForms implements Evidence {
  isWhole = true;
  private readonly seen = new Map<
    number,
    { text: string; count: number; line: number; json: Seen['json'] }
  >();
  private distinct: Map<number, string> | undefined = new Map();

  get forms(): Seen[] {
    return [...this.seen.values()];
  }

  get words(): string[] | undefined {
    return this.distinct && [...this.distinct.values()];
  }

  /**
   * @param value a value in `[from, to)` that is not empty
   * @param text the text of the value
   */
  add({ bytes, from, to, line }: Written, text: () => string, json?: Seen['json']): void {
    if (!this.isWhole && !this.distinct) return;
    if (to - from > TEXT_BYTES_MAX) {
      this.isWhole = false;
      this.distinct = undefined;
      return;
    }
    if (this.distinct) this.addWord(hashOf(bytes, from, to), text);
    if (!this.isWhole) return;
    const form = formOf(bytes, from, to) * 3 + (json === undefined ? 0 : json === 'text' ? 1 : 2);
    const known = this.seen.get(form);
    if (known) known.count += 1;
    else if (this.seen.size < FORMS_MAX) this.seen.set(form, { text: text(), count: 1, line, json });
    else this.isWhole = false;
  }

  private addWord(hash: number, text: () => string): void {
    if (this.distinct?.has(hash) === true) return;
    if ((this.distinct?.size ?? 0) >= WORDS_MAX) this.distinct = undefined;
    else this.distinct?.set(hash, text());
  }
}

/** The evidence of several columns as if they were one. */
export function together(all: readonly Evidence[]): Evidence {
  const words = all.map((one) => one.words);
  return {
    forms: all.flatMap(({ forms }) => forms),
    isWhole: all.every(({ isWhole }) => isWhole),
    words: words.includes(undefined) ? undefined : [...new Set(words.flatMap((some) => some ?? []))],
  };
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Combine two 32-bit hashes into a number of 53 bits. In practice, different forms never have the same number. */
function combined(one: number, other: number): number {
  return (one >>> 0) * 0x80000 + (other >>> 13);
}

function hashOf(bytes: Buffer, from: number, to: number): number {
  let [one, other] = [to - from, 7];
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other + byte, 0x85ebca6b);
  }
  return combined(one, other);
}

function formOf(bytes: Buffer, from: number, to: number): number {
  let [one, other] = [1, 7];
  for (let at = from; at < to;) {
    let part = bytes[at] ?? 0;
    const first = at;
    at += 1;
    if (isDigit(part)) {
      while (at < to && isDigit(bytes[at] ?? 0)) at += 1;
      part = 256 + digitsForm(bytes, { from, first, at });
    }
    one = Math.imul(one ^ part, 0x01000193) ^ (one >>> 15);
    other = Math.imul(other + part, 0x85ebca6b) ^ (other >>> 13);
  }
  return combined(one, other);
}

/**
 * The properties of a group of digits that guesses depend on: its length, whether it is zero, and what its pairs can be
 * in a date, or else its first digit. The group is `[first, at)` of a value that begins at `from`.
 */
function digitsForm(bytes: Buffer, { from, first, at }: Record<'from' | 'first' | 'at', number>): number {
  const length = at - first;
  let isZero = true;
  for (let index = first; index < at && isZero; index += 1) isZero = bytes[index] === ZERO;
  // Minutes, seconds and fractions do not affect any guess.
  const isOfDate = bytes[first - 1] !== COLON || first === from;
  const isPaired = length === 2 || length === 4 || (first === from && (length === 6 || length === 8));
  let form = 0;
  if (isPaired && isOfDate) {
    for (let index = first; index < at; index += 2) form = form * 6 + pairForm(bytes, index);
  } else if (isOfDate) {
    const digit = (bytes[first] ?? 0) - ZERO;
    form = first === from && (length === 5 || length > 8) ? digit : Math.min(digit, 1);
  }
  return (form * 2 + (isZero ? 1 : 0)) * TEXT_BYTES_MAX + length - 1;
}

/** Whether two digits can be a month, a day, an hour late in the day, or none of these. */
function pairForm(bytes: Buffer, at: number): number {
  const pair = 10 * ((bytes[at] ?? 0) - ZERO) + (bytes[at + 1] ?? 0) - ZERO;
  if (pair <= 12) return pair === 0 ? 0 : 1;
  if (pair <= 23) return pair < 22 ? 2 : 3;
  return pair <= 31 ? 4 : 5;
}
