import { isUtf8 } from 'node:buffer';
import { CsvFinder, decoderOf, delimiterOf, encodingOf, isWorkbook, type Encoding } from '@data-import/files';
import { operationOf } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import { fitsOf } from './column-words.js';
import type { ColumnSample } from './column-shapes.js';
import { classOf } from './guess-values.js';
import { TOTAL, type Totals } from './totals.js';

/** The number of rows from which the form of a table is guessed. The content of its columns is judged by all rows. */
export const SAMPLED_ROWS = 200;

/** The number of lines in which the header is searched. */
const HEADER_LINES = 30;

const DELIMITERS = [',', ';', '\t', '|', '^'];

/** The values of each field that accepts only a list of values. */
const KNOWN_CHOICES = KINDS.flatMap((kind) => Object.values(operationOf(kind).choices));

/** A file as a table. */
export interface TableGuess {
  /** The form as in a mapping file; empty for plain CSV. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly columns: readonly ColumnSample[];
  readonly remarks: readonly string[];
  readonly totals?: Totals;
}

/** The layout of a table, guessed from its first lines. */
export interface Layout extends Pick<TableGuess, 'form' | 'remarks'> {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Cells {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The first bytes of a file in UTF-8, and the encoding that the mapping must name. */
export function decodedStart(first: Buffer): { bytes: Buffer; encoding: Encoding | undefined } {
  const lines = first.subarray(0, first.lastIndexOf(0x0a) + 1 || first.length);
  const { encoding: own, mismatch } = encodingOf(first, undefined);
  const isText = mismatch === undefined && (own !== undefined || isUtf8(lines));
  const encoding = isText ? undefined : mismatch === undefined ? 'windows-1252' : 'utf-16';
  const by = own ?? encodingOf(first, encoding).encoding;
  return { bytes: by ? decoderOf(by)(first) : first, encoding };
}

/**
 * Guess the layout of a table. The header is the line, among the first, with the most names of fields. If no line has
 * two such names, the header is the first line with the usual number of cells, unless its cells are values like those
 * below it.
 *
 * @param first the first bytes of the file
 * @param isWhole whether these are all bytes of the file
 */
export function guessTable(name: string, first: Buffer, isWhole: boolean): Layout {
  const { bytes, encoding } = decodedStart(first);
  const usual = delimiterOf(name);
  const others = isWorkbook(name) ? [] : DELIMITERS;
  const guesses = [...new Set([usual, ...others])].flatMap((delimiter) => {
    const quoted = guessWith(bytes, isWhole, delimiter, undefined);
    // Records that cannot be read may be caused by a quote that is an ordinary character in this file, so reading
    // without quotes is tried too.
    return quoted.problems > 0 ? [quoted, guessWith(bytes, isWhole, delimiter, '')] : [quoted];
  });
  const [best] = guesses.toSorted((one, other) => other.score - one.score);
  const [plain] = guesses;
  if (!best || best.score === 0) {
    const [header = [], ...rows] = plain?.records.map(({ cells }) => cells) ?? [];
    return { form: {}, remarks: [], header, rows };
  }
  const isPadded = best.fitting[0]?.cells.some((cell) => cell !== cell.trim()) ?? false;
  const [top = { line: 1, cells: [] }, ...rest] = isPadded ? best.fitting.map(trimmed) : best.fitting;
  const width = top.cells.length;
  const isRow = ({ cells }: Cells): boolean =>
    !TOTAL.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '') || !cells.includes('');
  const rows = rest.filter(isRow).map(({ cells }) => cells);
  const value = valueInFirstLine(top.cells, rows);
  const header = value === undefined ? top.cells : top.cells.map((_, index) => `column_${index + 1}`);
  const hasTitles = top.line > 1;
  const found: readonly (readonly [isFound: boolean, form: object, remark?: string])[] = [
    [best.delimiter !== usual, { delimiter: best.delimiter }],
    [best.quote === '', { quote: '' }, 'quotes are read as ordinary characters. Check it.'],
    [isPadded, { trim: true }, 'the spaces with which cells are padded are removed.'],
    [encoding === 'utf-16', { encoding }],
    [encoding === 'windows-1252', { encoding }, 'it is read as Windows-1252. Check letters with accents.'],
    [hasTitles, { skip_lines: top.line - 1 }],
    [hasTitles && value === undefined, {}, `line ${top.line} is read as the header. Check it.`],
    [
      value !== undefined,
      { header },
      `it has no header: line ${top.line} has the value ${JSON.stringify(value)}. Its ${width} columns are named in "header". Check it.`,
    ],
  ];
  const parts = found.filter(([isFound]) => isFound);
  return {
    form: Object.assign({}, ...parts.map(([, form]) => form)) as TableGuess['form'],
    header,
    rows: value === undefined ? rows : [top.cells, ...rows],
    remarks: parts.flatMap(([, , remark]) => (remark === undefined ? [] : [`${name}: ${remark}`])),
  };
}

interface Guess {
  readonly delimiter: string;
  readonly quote: string | undefined;
  readonly records: readonly Cells[];
  /** The number of records that cannot be read. */
  readonly problems: number;
  /** The header, and the following records with the same number of cells. */
  readonly fitting: readonly Cells[];
  readonly score: number;
}

/** The score of each field name in a header. It outweighs the number of matching records. */
const NAME_SCORE = 1_000;

function guessWith(bytes: Buffer, isWhole: boolean, delimiter: string, quote: string | undefined): Guess {
  const { records, problems } = recordsIn(bytes, isWhole, new CsvFinder(delimiter, quote));
  const named = records.slice(0, HEADER_LINES).map(({ cells }) => namesIn(cells));
  const names = Math.max(0, ...named);
  const isNamed = names > 1;
  const usual = commonest(records.map(({ cells }) => cells.length).filter((count) => count > 1));
  const like = records.filter(({ cells }) => cells.length === usual);
  const top = isNamed ? records[named.indexOf(names)] : (like.find(isNoTitle(like)) ?? like[0]);
  const width = top?.cells.length ?? 0;
  const fitting = records.filter(({ line, cells }) => cells.length === width && line >= (top?.line ?? 0));
  // If two delimiters fit equally well, the one whose cells contain values wins.
  const values = (fitting[0]?.cells ?? []).filter((cell) => classOf(cell) !== undefined).length;
  const score =
    fitting.length * Math.min(width, 4) + (isNamed ? names * NAME_SCORE : 0) + values / NAME_SCORE;
  return { delimiter, quote, records, problems, fitting, score };
}

/** The number of cells in a line that name a field of any kind; 0 if one of the cells is a value. */
function namesIn(cells: readonly string[]): number {
  if (cells.some((cell) => classOf(cell) !== undefined)) return 0;
  return cells.filter((cell) => KINDS.some((kind) => fitsOf(kind, cell).size > 0)).length;
}

/** A test that excludes titles. Titles are padded with delimiters, so most of their cells are empty. */
function isNoTitle(records: readonly Cells[]): (record: Cells) => boolean {
  const filledIn = ({ cells }: Cells): number => cells.filter((cell) => cell.trim() !== '').length;
  const most = Math.max(...records.slice(0, HEADER_LINES).map(filledIn));
  return (record) => filledIn(record) * 2 > most;
}

/**
 * Find a cell of the first line that is a value like those below it: a day, a time, a number, or a word from a list of
 * values. If there is one, the file has no header.
 */
function valueInFirstLine(
  cells: readonly string[],
  rows: readonly (readonly string[])[],
): string | undefined {
  const values = cells.filter((cell) => classOf(cell) !== undefined).length;
  return cells.find((cell, index) => {
    const written = rows.map((row) => row[index] ?? '').filter((text) => text.trim() !== '');
    const is = classOf(cell);
    if (is !== undefined) {
      const same = written.filter((text) => classOf(text) === is).length;
      return written.length === 0 ? is !== 'whole number' || values > 1 : same * 2 > written.length;
    }
    return KNOWN_CHOICES.some((list) => list.includes(cell) && written.some((text) => list.includes(text)));
  });
}

function trimmed({ line, cells }: Cells): Cells {
  return { line, cells: cells.map((cell) => cell.trim()) };
}

/** The records of a table that are not blank and can be read, and the number of those that cannot be read. */
function recordsIn(
  bytes: Buffer,
  isWhole: boolean,
  finder: CsvFinder,
): { readonly records: Cells[]; readonly problems: number } {
  const found: Cells[] = [];
  let problems = 0;
  let line = 1;
  let at = bytes.subarray(0, 3).toString() === '\uFEFF' ? 3 : 0;
  while (at < bytes.length && found.length <= SAMPLED_ROWS) {
    const next = finder.find(bytes, at, bytes.length, isWhole);
    if (next === -1) break;
    const cells = Array.from({ length: finder.count }, (_, index) => finder.cell(bytes, index));
    if (finder.problem) problems += 1;
    else if (!finder.isBlank) found.push({ line, cells });
    at = next;
    line += finder.lineFeeds;
  }
  return { records: found, problems };
}

function commonest(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  const [most] = [...times].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
  return most?.[0] ?? 0;
}
