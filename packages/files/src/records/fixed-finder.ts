import type { RowError } from '../fields/fields.js';
import type { Problem } from '../values/field-value.js';
import { LineFinder, NOT_UTF8, type CellFinder } from './records.js';

/** A named range of characters in a line, counted from 1, both ends inclusive. */
export interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The positions of the cells in lines of fixed width. */
export interface FixedForm {
  /** The cells in order, without overlaps. */
  readonly positions: readonly Span[];
  /** Records whose cells belong to all rows that follow, up to the next such record. */
  readonly carry?: {
    /** One of the positions, and the texts in it that identify such a record. */
    readonly column: string;
    readonly texts: readonly string[];
    readonly positions: readonly Span[];
    /** Whether the record must stand directly above each row, as in files that repeat it for every row. */
    readonly isDirectlyAbove?: boolean;
  };
}

function problem(code: string, detail: string): RowError {
  return { code, attr: '', detail };
}

const NOT_BELOW = problem('invalid', 'No record with the cells that "carry" names stands above the line.');

const NOT_WRITTEN: Problem = {
  problem:
    'is packed, binary or has its sign in its last digit (COMP-3, COMP, zoned decimal), which is not read; let the program that writes the file write digits and a sign of its own.',
};

/** Control characters, which appear where a program has written packed numbers. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/**
 * Finds the records of a file of fixed width and their trimmed cells. A row carries the cells of an earlier record. If
 * that record stands directly above the row, the found record begins with it.
 */
export class FixedFinder implements CellFinder {
  to = 0;
  isBlank = false;
  lineFeeds = 0;
  readonly problem = undefined;
  readonly count: number;
  readonly names: readonly string[];
  /** The line of the carried record, with a line feed. */
  carried: Buffer | undefined;
  /** `ownFrom` is the index at which the row's own line begins; `lead` is the number of lines before it in the found record. */
  ownFrom = 0;
  lead = 0;
  private own: string | string[] = '';
  private above: string | string[] = '';
  private aboveProblem: RowError | undefined = NOT_BELOW;
  private readonly lines = new LineFinder();
  private readonly carriedSpans: readonly Span[];
  private readonly aboveSpans: readonly Span[];
  private readonly type: Span | undefined;

  constructor(private readonly form: FixedForm) {
    const { positions, carry } = form;
    this.type = positions.find(({ name }) => name === carry?.column);
    this.carriedSpans = carry?.positions ?? [];
    this.aboveSpans = inOrder([...(this.type ? [this.type] : []), ...this.carriedSpans]);
    this.names = [...this.carriedSpans, ...positions].map(({ name }) => name);
    this.count = this.names.length;
  }

  find(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    const { lines } = this;
    this.lineFeeds = 0;
    this.lead = 0;
    if (this.form.carry?.isDirectlyAbove) this.forget();
    for (let at = from; ;) {
      const next = lines.find(bytes, at, length, isLast);
      if (next === -1) return -1;
      this.lineFeeds += lines.lineFeeds;
      this.to = lines.to;
      this.isBlank = lines.isBlank;
      this.ownFrom = at;
      this.own = charactersOf(bytes.toString('utf8', at, lines.to));
      if (!this.isCarried()) return next;
      this.carried = Buffer.concat([bytes.subarray(at, lines.to), Buffer.from('\n')]);
      this.above = this.own;
      this.aboveProblem = problemAbove(this.own, this.aboveSpans);
      this.lead += 1;
      // At the end of the file, no row follows the record.
      this.isBlank = true;
      if (next >= length) return isLast ? next : -1;
      at = next;
    }
  }

  forget(): void {
    this.carried = undefined;
    this.aboveProblem = NOT_BELOW;
  }

  /** The text of a cell of the found record. */
  cell(_bytes: Buffer, index: number): string {
    const span = this.spanOf(index);
    return span ? textOf(index < this.carriedSpans.length ? this.above : this.own, span) : '';
  }

  place(index: number): string {
    const { from = 0, to = 0 } = this.spanOf(index) ?? {};
    return `${from}-${to}`;
  }

  /** The reason why the found record is not a row. */
  check(): RowError | undefined {
    return (this.form.carry && this.aboveProblem) ?? problemOf(this.own, this.form.positions);
  }

  /** Advice about numbers that are not written as digits. */
  advice(texts: readonly string[]): Problem | undefined {
    const isOther = texts.some((text) => /^\d+[{}A-R]$|[^\x20-\x7e\p{Sc}\p{Zs}]/u.test(text));
    return isOther ? NOT_WRITTEN : undefined;
  }

  private spanOf(index: number): Span | undefined {
    const { carriedSpans, form } = this;
    return carriedSpans[index] ?? form.positions[index - carriedSpans.length];
  }

  private isCarried(): boolean {
    return this.type !== undefined && this.form.carry?.texts.includes(textOf(this.own, this.type)) === true;
  }
}

export function inOrder(spans: readonly Span[]): readonly Span[] {
  return spans.toSorted((one, other) => one.from - other.from);
}

/** The reason why no cells of the record above can be carried. */
function problemAbove(line: string | string[], spans: readonly Span[]): RowError | undefined {
  const found = problemOf(line, spans);
  return (
    found && {
      ...found,
      detail: found.detail.replace('The line', 'The record above with the cells to "carry"'),
    }
  );
}

/** Split a text into characters if it contains characters outside the first plane, which take two units of a string. */
function charactersOf(text: string): string | string[] {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

function textOf(line: string | string[], { from, to }: Span): string {
  const part = line.slice(from - 1, to);
  return (typeof part === 'string' ? part : part.join('')).trim();
}

/** @param spans all spans of the line, in order */
function problemOf(line: string | string[], spans: readonly Span[]): RowError | undefined {
  const end = spans.at(-1)?.to ?? 0;
  if (line.length < end)
    return problem(
      'invalid',
      `The line has ${line.length} characters, and the positions in the mapping file go up to ${end}.`,
    );
  let from = 1;
  for (const span of [...spans, { from: line.length + 1, to: 0 }]) {
    const gap = { name: '', from, to: span.from - 1 };
    if (gap.from <= gap.to && textOf(line, gap) !== '')
      return problem(
        'invalid',
        `The line has something at ${gap.from} to ${gap.to}, where the mapping file has no position. Name the positions, and list what is not needed in "ignore".`,
      );
    from = span.to + 1;
  }
  return CONTROL.test(textOf(line, { name: '', from: 1, to: line.length })) ? NOT_UTF8 : undefined;
}
