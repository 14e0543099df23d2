import type { FastifyReply } from 'fastify';
import { csvRecord, type Cell } from './csv.js';
import { inPages } from '../../../infrastructure/database/in-pages.js';
import { abortOnError } from '../../../infrastructure/routes/stream-response.js';

/** Rows of a file that are held in memory at a time. */
const ROWS_MAX = 1_000;

/** A CSV file whose rows are read as they are needed. */
export interface CsvFile {
  readonly name: string;
  readonly records: AsyncIterable<string>;
}

/**
 * A CSV file in constant memory. Each page of rows is read as it is needed.
 *
 * @param columns the names of the columns
 * @param cellsOf the cells of a row, one for each column
 * @param read reads at most `countMax` rows after a row, or the first rows
 */
export function csvFile<Row>(
  name: string,
  columns: readonly string[],
  cellsOf: (row: Row) => readonly Cell[],
  read: (last: Row | undefined, countMax: number) => Promise<readonly Row[]>,
): CsvFile {
  const records = async function* (): AsyncGenerator<string> {
    yield csvRecord(columns);
    for await (const page of inPages<Row>(ROWS_MAX, (last) => read(last, ROWS_MAX)))
      yield page.map((row) => csvRecord(cellsOf(row))).join('');
  };
  return { name, records: records() };
}

/** Sends a CSV file as a download with its name, while its records are read. */
export function csvAnswer(reply: FastifyReply, { name, records }: CsvFile): AsyncIterable<string> {
  void reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  });
  return abortOnError(records, reply);
}
