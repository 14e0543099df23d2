import { WrongUsage } from '../common/errors.js';
import { inOrder, type FixedForm, type Span } from '../records/fixed-finder.js';
import { isLikePart } from '../text/parts.js';
import { ENCODINGS, type Encoding } from '../text/encodings.js';
import { mapOf, objectOf, oneOf, optional, text, texts, wholeNumber } from './mapping-json.js';

/** The layout of a file (choice L11). Parts are undefined when the mapping does not specify them. */
export interface Form {
  /** One ASCII character. */
  readonly delimiter?: string | undefined;
  /** One ASCII character; empty if no cell is quoted. */
  readonly quote?: string | undefined;
  /** Whether cells are padded with spaces, which are not part of their text. */
  readonly trim?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  /** The number of lines before the header. */
  readonly skipLines?: number | undefined;
  /** For each column, the texts that mark a line as not a row, such as a total. Surrounding spaces are removed. */
  readonly leaveOut?: ReadonlyMap<string, readonly LeftOutText[]> | undefined;
  /** Texts that stand for no value, such as `NULL`, without surrounding spaces. */
  readonly nulls?: ReadonlySet<string> | undefined;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** The names of the columns, for a file without a header. */
  readonly header?: readonly string[] | undefined;
  /** The treatment of records that repeat the header. Without it they are rows. */
  readonly repeatedHeader?: 'leave_out' | undefined;
  /** The path of the records in a JSON document. */
  readonly records?: string | undefined;
  /** The columns of a file of fixed width. */
  readonly fixed?: FixedForm | undefined;
}

/** Rows that have one of several texts in a column. */
export interface NamedRows {
  readonly column: string;
  readonly texts: readonly string[];
}

const SKIPPED_LINES_MAX = 10_000;

const FORM_PARTS = [
  ...['delimiter', 'quote', 'trim', 'encoding', 'skip_lines', 'leave_out', 'null', 'sheet'],
  ...['header', 'repeated_header', 'records', 'positions', 'carry'],
];

/** @throws WrongUsage */
export function formOf(value: unknown, place: string): Form {
  const content = objectOf(value, FORM_PARTS, place);
  const form = {
    delimiter: optional(content, 'delimiter', place, sign),
    quote: optional(content, 'quote', place, (quote, at) => (quote === '' ? '' : sign(quote, at))),
    trim: optional(content, 'trim', place, (isTrimmed, at) => oneOf(isTrimmed, [true, false], at)),
    encoding: optional(content, 'encoding', place, encoding),
    skipLines: optional(content, 'skip_lines', place, (lines, at) =>
      wholeNumber(lines, 0, SKIPPED_LINES_MAX, at),
    ),
    leaveOut: optional(content, 'leave_out', place, (columns, at) =>
      mapOf(columns, at, (values, of) => texts(values, of, true).map(leftOutText)),
    ),
    nulls: optional(content, 'null', place, (marks, at) => new Set(texts(marks, at, true))),
    sheet: optional(content, 'sheet', place, sheet),
    header: optional(content, 'header', place, header),
    repeatedHeader: optional(content, 'repeated_header', place, (rule, at) =>
      oneOf(rule, ['leave_out'] as const, at),
    ),
    records: optional(content, 'records', place, records),
    fixed: fixedForm(content, place),
  };
  if (form.delimiter !== undefined && form.delimiter === (form.quote ?? '"'))
    throw new WrongUsage(`${place}: delimiter and quote are the same character.`);
  return form;
}

function header(value: unknown, place: string): readonly string[] {
  const names = texts(value, place);
  if (names.length > 0) return names;
  throw new WrongUsage(`${place} must name the columns.`);
}

function sheet(value: unknown, place: string): string {
  const name = text(value, place);
  if (!isLikePart(name)) return name;
  throw new WrongUsage(`${place}: sheets with such a name are not read; rename the sheet.`);
}

/** A path: names of members and `[]`. */
export const RECORDS = /^(?:[^.[\]$][^.[\]]*|(?=\[))(?:\[\])*(?:\.[^.[\]]+(?:\[\])*)*$/;

function records(value: unknown, place: string): string {
  const path = text(value, place);
  if (RECORDS.test(path) && !path.includes(' (records ')) return path;
  throw new WrongUsage(
    `${place} must be a path such as "customers[].bills[]", or "[]" where the document is one list.`,
  );
}

/** The steps of a path: names, and `[]` for each element of a list. */
export function stepsOf(path: string): string[] {
  return path.split(/\.|(?=\[)/).filter((step) => step !== '');
}

/** Read the part of a mapping that selects rows by their text in one column. */
export function namedRows(value: unknown, place: string): NamedRows {
  const [named, ...more] = mapOf(value, place, (listed, at) => texts(listed, at, true));
  if (!named || more.length > 0) throw new WrongUsage(`${place} must name one column.`);
  return { column: named[0], texts: named[1] };
}

const POSITION_MAX = 1_000_000;

function fixedForm(content: Record<string, unknown>, place: string): FixedForm | undefined {
  const positions = optional(content, 'positions', place, (spans, at) => spansOf(spans, at));
  if (!positions) {
    if (content.carry !== undefined) throw new WrongUsage(`${place}.carry needs "positions".`);
    return undefined;
  }
  if (content.carry === undefined) return { positions };
  const at = `${place}.carry`;
  const carry = objectOf(content.carry, ['rows', 'positions'], at);
  const rows = namedRows(carry.rows, `${at}.rows`);
  const type = positions.find(({ name }) => name === rows.column);
  if (!type) throw new WrongUsage(`${at}.rows must name one of the positions of the form.`);
  return { positions, carry: { ...rows, positions: spansOf(carry.positions, `${at}.positions`, type) } };
}

/** @param type the cell that is read in addition to these */
function spansOf(value: unknown, place: string, type?: Span): readonly Span[] {
  const spans = mapOf(value, place, (range, at): Span => {
    if (!Array.isArray(range) || range.length !== 2)
      throw new WrongUsage(`${at} must be the first and the last position, such as [1, 8].`);
    const from = wholeNumber(range[0], 1, POSITION_MAX, `${at}.0`);
    return { name: '', from, to: wholeNumber(range[1], from, POSITION_MAX, `${at}.1`) };
  });
  const own = inOrder(Array.from(spans, ([name, span]) => ({ ...span, name })));
  if (own.length === 0) throw new WrongUsage(`${place} must name the positions.`);
  const all = inOrder([...own, ...(type ? [type] : [])]);
  for (const [index, span] of all.entries()) {
    const next = all[index + 1];
    if (next && next.from <= span.to)
      throw new WrongUsage(`${place}: ${span.name} and ${next.name} overlap at position ${next.from}.`);
  }
  return own;
}

/** A text that marks a line as not a row; `*` stands for any text. */
export interface LeftOutText {
  readonly text: string;
  readonly pattern: RegExp;
}

function leftOutText(text: string): LeftOutText {
  const escaped = text.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return { text, pattern: new RegExp(`^(?:${escaped})$`, 's') };
}

function sign(value: unknown, place: string): string {
  if (/^[\t -/:-@[-`{-~]$/.test(text(value, place))) return text(value, place);
  throw new WrongUsage(
    `${place} must be one ASCII character that is not a letter or a digit, such as ";" or "\\t".`,
  );
}

/** Read the name of an encoding. `Windows_1252` is accepted for `windows-1252`. */
function encoding(value: unknown, place: string): Encoding {
  return oneOf(text(value, place).toLowerCase().replaceAll('_', '-'), ENCODINGS, place);
}
