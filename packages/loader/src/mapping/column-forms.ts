/** A value of a column. It represents all values that are written in the same form. */
export interface Seen {
  readonly text: string;
  readonly count: number;
  /** For JSON, whether the value is a text or a number. Cells of tables are neither. */
  readonly json?: 'text' | 'number' | undefined;
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

const FORMS_MAX = 5_000;
const WORDS_MAX = 64;
const TEXT_MAX = 64;

/**
 * Collects the forms in which the values of a column are written, in constant memory. Two values have the same form if they differ
 * only in digits that no guess depends on: whether a group of digits can be a day, a month, a year or the thousands of a number is
 * part of the form.
 */
export class ColumnForms implements Evidence {
  isWhole = true;
  private readonly seen = new Map<string, Seen & { count: number }>();
  private distinct: Set<string> | undefined = new Set();

  get forms(): Seen[] {
    return [...this.seen.values()];
  }

  get words(): string[] | undefined {
    return this.distinct && [...this.distinct];
  }

  add(text: string, json?: Seen['json']): void {
    if (text === '' || !this.isWhole) return;
    const key = `${json ?? ''} ${formOf(text)}`;
    const known = this.seen.get(key);
    if (known) known.count += 1;
    else if (this.seen.size < FORMS_MAX && text.length <= TEXT_MAX)
      this.seen.set(key, { text, count: 1, json });
    else this.isWhole = false;
    if (!this.isWhole || (this.distinct?.add(text).size ?? 0) > WORDS_MAX) this.distinct = undefined;
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

/** For each pair of digits, whether it can be a month, a day, an hour late in the day, or none of these. */
const PAIRS = 'a' + 'b'.repeat(12) + 'c'.repeat(9) + 'd'.repeat(2) + 'e'.repeat(8) + 'f'.repeat(68);

function formOf(text: string): string {
  return text.replaceAll(/\d+/g, (digits, at: number) => `<${digitsForm(digits, at, text)}>`);
}

/**
 * The properties of a group of digits that guesses depend on: its length, whether it is zero, and what its pairs can be
 * in a date, or else its first digit.
 */
function digitsForm(digits: string, at: number, text: string): string {
  const { length } = digits;
  const size = /[1-9]/.test(digits) ? `${length}` : `-${length}`;
  // Minutes, seconds and fractions do not affect any guess.
  if (text[at - 1] === ':') return size;
  if (length === 2 || length === 4 || (at === 0 && (length === 6 || length === 8)))
    return size + digits.replaceAll(/../g, (pair) => PAIRS[Number(pair)] ?? '');
  const first = Number(digits[0]);
  return `${size}:${at === 0 && (length === 5 || length > 8) ? first : Math.min(first, 1)}`;
}
