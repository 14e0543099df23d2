import { join } from 'node:path';
import {
  BlockReader,
  chosenSheet,
  copyMember,
  csvLine,
  isPacked,
  isWorkbook,
  LineFinder,
  memberOf,
  openSource,
  problemOfCell,
  UnreadableInput,
  Workbook,
  type Sheet,
} from '@data-import/files';
import { KINDS } from '../kinds/kinds.js';
import { decodedStart, guessTable, type TableGuess } from './guess-form.js';
import { fieldsFound } from './assign.js';

/** Rows whose members decide the forms of dates and amounts. */
const SAMPLED_ROWS = 200;

/**
 * The form of a file of a folder, the names of its columns, of NDJSON those of the members, and values of the first rows.
 *
 * @param temporary a folder for what lies within another file
 * @throws UnreadableInput, WrongUsage
 */
export async function sampleFile(folder: string, name: string, temporary: string): Promise<TableGuess> {
  const within = memberOf(name);
  let path = join(folder, name);
  if (within) {
    const ending = isWorkbook(name) ? '.xlsx' : isPacked(name) ? '.gz' : '';
    path = join(temporary, `sampled${ending}`);
    await copyMember(join(folder, within.archive), within.member, path, {});
  }
  const guess = isWorkbook(name) ? await sampleWorkbook(path, name, temporary) : await sampleText(path, name);
  if (guess.columns.length === 0) throw new UnreadableInput(`${name} has no header and no rows to look at.`);
  return guess;
}

async function sampleText(path: string, name: string): Promise<TableGuess> {
  const source = await openSource(path);
  try {
    const blocks = new BlockReader(source, false);
    await blocks.advance(0);
    const first = blocks.bytes.subarray(0, blocks.length);
    const isJson = /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name);
    return isJson ? jsonSamples(first, blocks.isLast) : guessTable(name, first, blocks.isLast);
  } finally {
    await source.close();
  }
}

/** Of several visible sheets the one in which most fields are found. */
async function sampleWorkbook(path: string, name: string, temporary: string): Promise<TableGuess> {
  const workbook = await Workbook.open(path, name, join(temporary, 'strings'));
  try {
    const guesses: { sheet: Sheet; guess: TableGuess; found: number }[] = [];
    for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
      const text = await startOf(workbook, sheet);
      if (text === '') continue;
      const guess = guessTable(name, Buffer.from(text), true);
      const found = Math.max(...KINDS.map((kind) => fieldsFound(kind, guess.columns)));
      guesses.push({ sheet, guess, found });
    }
    const [best] = guesses.toSorted((one, other) => other.found - one.found);
    if (!best) await chosenSheet(workbook, name, undefined);
    if (!best || guesses.length === 1) return best?.guess ?? { form: {}, columns: [], remarks: [] };
    const names = guesses.map(({ sheet }) => JSON.stringify(sheet.name));
    const chosen = JSON.stringify(best.sheet.name);
    const remark = `${name} has the sheets ${names.join(', ')}; ${chosen} is read, because it has the most fields. Check it.`;
    return {
      ...best.guess,
      form: { sheet: best.sheet.name, ...best.guess.form },
      remarks: [remark, ...best.guess.remarks],
    };
  } finally {
    workbook.close();
  }
}

/** The first rows of a sheet as CSV. Those behind the first one that has all columns are as long as it. */
async function startOf(workbook: Workbook, sheet: Sheet): Promise<string> {
  const sampled: { number: number; cells: readonly string[] }[] = [];
  for await (const rows of workbook.rows(sheet)) {
    sampled.push(...rows);
    if (sampled.length > SAMPLED_ROWS) break;
  }
  const first = sampled.slice(0, SAMPLED_ROWS + 1);
  const width = Math.max(...first.map(({ cells }) => cells.length));
  const header = first.find(({ cells }) => cells.length === width)?.number ?? 0;
  let text = '';
  let last = 0;
  for (const { number, cells } of first) {
    const missing = number > header ? width - cells.length : 0;
    const readable = cells.map((cell) => (problemOfCell(cell) ? '' : cell));
    const whole = [...readable, ...new Array<string>(missing).fill('')];
    // A line for each row, so that lines before the header can be counted.
    text += '\n'.repeat(number - last - 1) + csvLine(whole.map((cell) => cell.replaceAll(/[\r\n]+/g, ' ')));
    last = number;
  }
  return text;
}

function jsonSamples(first: Buffer, isLast: boolean): TableGuess {
  const { bytes, encoding } = decodedStart(first);
  const finder = new LineFinder();
  const values = new Map<string, string[]>();
  let at = bytes.subarray(0, 3).toString() === '\uFEFF' ? 3 : 0;
  for (let rows = 0; at < bytes.length && rows < SAMPLED_ROWS; rows += 1) {
    const next = finder.find(bytes, at, bytes.length, isLast);
    if (next === -1) break;
    for (const [name, value] of Object.entries(objectIn(bytes.toString('utf8', at, finder.to)))) {
      const known = values.get(name) ?? [];
      // Only texts have a form that a mapping file says; numbers and objects are read as they are.
      if (typeof value === 'string') known.push(value);
      values.set(name, known);
    }
    at = next;
  }
  const columns = Array.from(values, ([name, found]) => ({ name, values: found }));
  return { form: encoding ? { encoding } : {}, columns, remarks: [] };
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // The row is shown as one that cannot be sent.
    return {};
  }
}
