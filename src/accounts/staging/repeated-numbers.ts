import { copyField } from '../../infrastructure/database/copy.js';
import { Spool } from '../../infrastructure/files/spool.js';
import { readBlocks } from '../files/gather.js';
import type {
  AccountRecord,
  LineFormat,
  NumberedReading,
  Reading,
  ReadLines,
} from '../files/line-reading.js';
import { STAGED_LINES } from './staged-record.js';
import type { Repeat } from './staging.repository.js';

/** Compares lines that have the same number (StagingRepository.repeats). */
type Compare = (rows: Spool<string>) => Promise<Spool<Repeat>>;

/** Blocks of rows that are not written to the temporary file. A small file needs none. */
const BLOCKS_IN_MEMORY = 8;

/**
 * Find the lines of a file whose numbers are in the file more than once. PostgreSQL compares them, so the memory does not depend
 * on the file.
 *
 * A first reading finds the lines that share a number with another: none in most files. Only if there are some, a second reading
 * compares their content.
 *
 * @returns in the order of lines; none if the reading was interrupted
 * Source: choice S7.
 */
export async function findRepeats(
  read: ReadLines,
  interrupted: AbortSignal,
  compare: Compare,
): Promise<Spool<Repeat>> {
  const shared = await repeatsAmong(read(NUMBERS), () => undefined, interrupted, compare);
  if (shared.length === 0) return shared;
  try {
    const readings = onlyOf(shared, read(STAGED_LINES));
    return await repeatsAmong(readings, contentOf, interrupted, compare);
  } finally {
    shared.dispose();
  }
}

/**
 * The rows are kept in a temporary file until the reading ends. If they were copied while it waits for standard input, the open
 * transaction would keep PostgreSQL from removing old rows, and a time limit could end it.
 */
async function repeatsAmong(
  readings: AsyncGenerator<NumberedReading[]>,
  contentIn: (record: AccountRecord) => string | undefined,
  interrupted: AbortSignal,
  compare: Compare,
): Promise<Spool<Repeat>> {
  const rowOf = (line: number, record: AccountRecord): string =>
    `${line}\t${copyField(record.externalAccountNumber)}\t${copyField(contentIn(record))}\n`;
  const rows = new Spool<string>(BLOCKS_IN_MEMORY);
  try {
    const isInterrupted = await readBlocks(readings, interrupted, (block) => {
      rows.add(block.map((one) => ('record' in one ? rowOf(one.line, one.record) : '')).join(''));
    });
    return isInterrupted ? new Spool() : await compare(rows);
  } finally {
    rows.dispose();
  }
}

/** Reads only the numbers. */
const NUMBERS: LineFormat = {
  ...STAGED_LINES,
  readJson: (value) =>
    readNumber((value as { external_account_number?: unknown } | null)?.external_account_number),
};

const NO_NUMBER: Reading = { problem: { code: 'invalid', detail: 'The line has no number.' } };
const NO_CONTENT = { openStatementFrom: undefined, openStatementTo: undefined, account: undefined };

function readNumber(number: unknown): Reading {
  // COPY takes no NUL character, and a line with one is bad anyway.
  const isNumber = typeof number === 'string' && !number.includes('\0');
  return isNumber ? { record: { externalAccountNumber: number, ...NO_CONTENT } } : NO_NUMBER;
}

/** The data of a record that is stored beside its number, as JSON. */
function contentOf({ openStatementFrom, openStatementTo, account, control }: AccountRecord): string {
  return `[${JSON.stringify([openStatementFrom, openStatementTo, control])},${account ?? 'null'}]`;
}

async function* onlyOf(
  lines: AsyncIterable<Repeat>,
  readings: AsyncIterable<NumberedReading[]>,
): AsyncGenerator<NumberedReading[]> {
  for await (const [block, among] of besideRepeats(readings, lines))
    yield block.filter(({ line }) => among.has(line));
}

/** Each block of readings, with the repeats among its lines. @param repeats in the order of lines */
export async function* besideRepeats(
  readings: AsyncIterable<NumberedReading[]>,
  repeats: AsyncIterable<Repeat>,
): AsyncGenerator<[readings: NumberedReading[], repeats: ReadonlyMap<number, Repeat>]> {
  const others = repeats[Symbol.asyncIterator]();
  let next = await others.next();
  for await (const block of readings) {
    const lastLine = block.at(-1)?.line ?? 0;
    const among = new Map<number, Repeat>();
    for (; next.done !== true && next.value.line <= lastLine; next = await others.next())
      among.set(next.value.line, next.value);
    yield [block, among];
  }
}
