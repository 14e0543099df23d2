import { CommandError } from '../../infrastructure/errors/command-error.js';
import { CsvRows } from './csv-rows.js';
import { readLines } from './file-lines.js';
import type { LineFormat, NumberedReading, Reading } from './line-reading.js';

/** Formats of a file of accounts (choices S7, S9). */
export const FILE_FORMATS = ['ndjson', 'csv'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The format that a file name stands for. */
export function formatOf(file: string): FileFormat {
  return file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/**
 * Read a file of accounts line by line, in constant memory. Blank lines count as lines but are skipped.
 *
 * @param chunks the file's bytes
 * @returns blocks of readings, in line order; one reading for each line (CSV: row) that is not blank
 * @throws CommandError `invalid_header` if the first row of a CSV file cannot be its header
 * Source: choices S7, S9.
 */
export function readAccountFile(
  format: FileFormat,
  chunks: AsyncIterable<Buffer>,
  lineFormat: LineFormat,
): AsyncGenerator<NumberedReading[]> {
  return format === 'csv' ? readCsv(chunks, lineFormat) : readNdjson(chunks, lineFormat);
}

async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  lineFormat: LineFormat,
): AsyncGenerator<NumberedReading[]> {
  for await (const lines of readLines(chunks)) {
    const readings: NumberedReading[] = [];
    for (const line of lines) {
      if ('problem' in line) readings.push(line);
      else if (line.text.trim() !== '') {
        readings.push({ line: line.line, ...readJsonLine(line.text, lineFormat) });
      }
    }
    yield readings;
  }
}

/** @param text not blank */
export function readJsonLine(text: string, { readText, readJson }: LineFormat): Reading {
  const reading = readText?.(text);
  if (reading) return reading;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: { code: 'parse_error', detail: 'The line is not JSON.' } };
  }
  return readJson(value, text);
}

async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  lineFormat: LineFormat,
): AsyncGenerator<NumberedReading[]> {
  const table = new CsvRows();
  let columns: readonly string[] | undefined;
  const readingsOf = (rows: ReturnType<CsvRows['read']>): NumberedReading[] => {
    const readings: NumberedReading[] = [];
    for (const row of rows) {
      if (!columns) columns = headerOf(row, lineFormat);
      else
        readings.push(
          'problem' in row ? row : { line: row.line, ...readCsvRow(columns, row.cells, lineFormat) },
        );
    }
    return readings;
  };
  for await (const lines of readLines(chunks)) yield readingsOf(table.read(lines));
  yield readingsOf(table.end());
  if (!columns) throw new CommandError('invalid_header', 'The file has no header row.');
}

/** Read a row of CSV. An empty cell is an absent field. @param columns the names in the valid header */
export function readCsvRow(
  columns: readonly string[],
  cells: readonly string[],
  { readCells }: LineFormat,
): Reading {
  if (cells.length !== columns.length) {
    const detail = `The row has ${cells.length} cells, the header ${columns.length}.`;
    return { problem: { code: 'invalid', detail } };
  }
  const named = columns.map((name, index) => [name, cells[index] ?? ''] as const);
  return readCells(new Map(named.filter(([, cell]) => cell !== '')));
}

function headerOf(
  row: ReturnType<CsvRows['read']>[number],
  { headerProblem }: LineFormat,
): readonly string[] {
  const problem = 'problem' in row ? row.problem.detail : headerProblem(row.cells);
  if (problem !== undefined)
    throw new CommandError('invalid_header', `The header row cannot be used: ${problem}`);
  return 'cells' in row ? row.cells : [];
}
