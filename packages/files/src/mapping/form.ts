import { WrongUsage } from '../common/errors.js';
import { ENCODINGS, type Encoding } from '../text/encodings.js';
import { mapOf, objectOf, oneOf, optional, text, texts, wholeNumber } from './mapping-json.js';

/** The layout of a file (choice L11). Parts are undefined when the mapping does not specify them. */
export interface Form {
  /** One ASCII sign. */
  readonly delimiter?: string | undefined;
  /** One ASCII sign; empty when no cell is quoted. */
  readonly quote?: string | undefined;
  /** Whether cells are padded with spaces, which are not part of their text. */
  readonly trim?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  /** Lines before the header. */
  readonly skipLines?: number | undefined;
  /** By column, the texts that mark a line as not a row, such as a total, without surrounding spaces. */
  readonly leaveOut?: ReadonlyMap<string, RegExp> | undefined;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
}

const SKIPPED_LINES_MAX = 10_000;

const FORM_PARTS = ['delimiter', 'quote', 'trim', 'encoding', 'skip_lines', 'leave_out', 'sheet'];

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
      mapOf(columns, at, (values, of) => anyOf(texts(values, of, true))),
    ),
    sheet: optional(content, 'sheet', place, text),
  };
  if (form.delimiter !== undefined && form.delimiter === (form.quote ?? '"'))
    throw new WrongUsage(`${place}: delimiter and quote are the same character.`);
  return form;
}

/** @param values in which `*` matches any text */
function anyOf(values: readonly string[]): RegExp {
  const escaped = values.map((value) => value.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*'));
  return new RegExp(`^(?:${escaped.join('|')})$`, 's');
}

function sign(value: unknown, place: string): string {
  if (/^[\t -/:-@[-`{-~]$/.test(text(value, place))) return text(value, place);
  throw new WrongUsage(
    `${place} must be one ASCII character that is not a letter or a digit, such as ";" or "\\t".`,
  );
}

/** `Windows_1252` is read as `windows-1252`. */
function encoding(value: unknown, place: string): Encoding {
  return oneOf(text(value, place).toLowerCase().replaceAll('_', '-'), ENCODINGS, place);
}
