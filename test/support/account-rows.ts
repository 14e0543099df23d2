import { Readable } from 'node:stream';
import { csvLine } from '#files';
import { readAccountFile } from '../../src/accounts/files/account-file.js';
import type { LineFormat, Reading } from '../../src/accounts/files/line-reading.js';

/** The first row of a CSV file. */
export async function readRow(
  columns: readonly string[],
  cells: readonly string[],
  lines: LineFormat,
): Promise<Reading | undefined> {
  const bytes = Readable.from([Buffer.from(csvLine(columns) + csvLine(cells))]);
  for await (const [reading] of readAccountFile('csv', { name: 'rows', bytes }, lines))
    if (reading) return reading;
  return undefined;
}

/** Read accounts as the lines of a file. */
export function readLines(
  accounts: readonly object[],
  lines: LineFormat,
): ReturnType<typeof readAccountFile> {
  const text = accounts.map((account) => `${JSON.stringify(account)}\n`).join('');
  return readAccountFile('ndjson', { name: 'lines', bytes: Readable.from([Buffer.from(text)]) }, lines);
}
