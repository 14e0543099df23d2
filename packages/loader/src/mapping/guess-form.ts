import { isUtf8 } from 'node:buffer';
import { CsvFinder, decoderFor, delimiterOf, isWorkbook, type Encoding } from '@data-import/files';
import type { ColumnSample } from './column-shapes.js';

/** Rows whose values decide the forms of dates and amounts. */
const SAMPLED_ROWS = 200;

const DELIMITERS = [',', ';', '\t', '|', '^'];

/** With what the first cell of a line begins that is no row. */
const TOTAL = /^(?:grand |sub ?)?(?:total|sum|summe|gesamt|zwischensumme|somme|totaal|totale|suma)\b/i;

/** The first lines of a file as a table. */
export interface TableGuess {
  /** As in a mapping file; empty for plain CSV. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly columns: readonly ColumnSample[];
  readonly remarks: readonly string[];
}

interface Cells {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The first bytes of a file in UTF-8, and the encoding that has to be named for it. */
export function decodedStart(first: Buffer): { bytes: Buffer; encoding: Encoding | undefined } {
  const lines = first.subarray(0, first.lastIndexOf(0x0a) + 1 || first.length);
  const { decoder, mismatch } = decoderFor(first, undefined);
  const isText = mismatch === undefined && (decoder !== undefined || isUtf8(lines));
  const encoding = isText ? undefined : mismatch === undefined ? 'windows-1252' : 'utf-16';
  const by = decoder ?? decoderFor(first, encoding).decoder;
  if (!by) return { bytes: first, encoding };
  const target = Buffer.alloc(first.length * 3);
  const { written } = by.decode(first, first.length, target, false);
  return { bytes: target.subarray(0, written), encoding };
}

/**
 * How a file that looks like a table is laid out. The header is the first line that has as many cells as most lines behind it.
 *
 * @param first bytes of the file
 * @param isWhole whether they are all
 */
export function guessTable(name: string, first: Buffer, isWhole: boolean): TableGuess {
  const { bytes, encoding } = decodedStart(first);
  const usual = delimiterOf(name);
  const others = isWorkbook(name) ? [] : DELIMITERS;
  const guesses = [...new Set([usual, ...others])].flatMap((delimiter) => {
    const quoted = guessWith(bytes, isWhole, delimiter, undefined);
    // A quote that is a character like any other is in the way of reading, and nothing else is.
    return quoted.problems > 0 ? [quoted, guessWith(bytes, isWhole, delimiter, '')] : [quoted];
  });
  const [best] = guesses.toSorted((one, other) => other.score - one.score);
  if (!best || best.score === 0) {
    const [header, ...rows] = guesses[0]?.records ?? [];
    return { form: {}, columns: header ? columnsOf(header, rows) : [], remarks: [] };
  }
  const isPadded = best.fitting[0]?.cells.some((name) => name !== name.trim()) ?? false;
  const [header = { line: 1, cells: [] }, ...rows] = isPadded ? best.fitting.map(trimmed) : best.fitting;
  const totals = totalsIn(header, best.records);
  const skipped = header.line - 1;
  const form = {
    ...(best.delimiter !== usual && { delimiter: best.delimiter }),
    ...(best.quote !== undefined && { quote: best.quote }),
    ...(isPadded && { trim: true }),
    ...(encoding && { encoding }),
    ...(skipped > 0 && { skip_lines: skipped }),
    ...(totals && { leave_out: { [totals.column]: totals.texts } }),
  };
  const isRow = (row: Cells): boolean => !totals?.texts.includes(row.cells[totals.index]?.trim() ?? '');
  return {
    form,
    columns: columnsOf(header, rows.filter(isRow)),
    remarks: [
      ...(encoding === 'windows-1252'
        ? [`${name} is not UTF-8 and is read as Windows-1252; check letters with accents.`]
        : []),
      ...(best.quote === '' ? [`${name}: quotes are read as ordinary characters; check it.`] : []),
      ...(isPadded ? [`${name}: the spaces with which cells are padded are removed.`] : []),
      ...(skipped > 0 ? [`${name}: line ${header.line} is read as the header; check it.`] : []),
      ...(totals ? [`${name}: lines with ${totals.texts.join(', ')} in ${totals.column} are left out.`] : []),
    ],
  };
}

interface Guess {
  readonly delimiter: string;
  readonly quote: string | undefined;
  readonly records: readonly Cells[];
  /** Records that cannot be read. */
  readonly problems: number;
  /** Those with as many cells as most. */
  readonly fitting: readonly Cells[];
  readonly score: number;
}

function guessWith(bytes: Buffer, isWhole: boolean, delimiter: string, quote: string | undefined): Guess {
  const { records, problems } = recordsIn(bytes, isWhole, new CsvFinder(delimiter, quote));
  const width = commonest(records.map(({ cells }) => cells.length).filter((count) => count > 1));
  const fitting = records.filter(({ cells }) => cells.length === width);
  return { delimiter, quote, records, problems, fitting, score: fitting.length * Math.min(width, 4) };
}

function trimmed({ line, cells }: Cells): Cells {
  return { line, cells: cells.map((cell) => cell.trim()) };
}

/** Records of a table without those that are blank or cannot be read, of which it is said how many there are. */
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

function columnsOf({ cells: header }: Cells, rows: readonly Cells[]): ColumnSample[] {
  return header.map((name, index) => ({ name, values: rows.map(({ cells }) => cells[index] ?? '') }));
}

/** Lines behind the header whose first text says that they are sums. */
function totalsIn(
  header: Cells,
  records: readonly Cells[],
): { index: number; column: string; texts: string[] } | undefined {
  const behind = records.filter(({ line }) => line > header.line);
  const firsts = behind.map(({ cells }) => cells.findIndex((cell) => cell.trim() !== ''));
  const sums = behind.flatMap(({ cells }, at) => {
    const index = firsts[at] ?? -1;
    const text = cells[index]?.trim() ?? '';
    return TOTAL.test(text) ? [{ index, text }] : [];
  });
  const [first] = sums;
  const column = first && header.cells[first.index];
  if (!first || column === undefined) return undefined;
  const texts = sums.filter(({ index }) => index === first.index).map(({ text }) => text);
  return { index: first.index, column, texts: [...new Set(texts)] };
}
