import { join } from 'node:path';
import {
  Workbook,
  type Sheet,
  csvLine,
  UnreadableInput,
  BlockReader,
  openSource,
  problemOfCell,
  chosenSheet,
  copyMember,
  ensureCopies,
  pathOf,
  isWorkbook,
  memberOf,
  NO_MAPPING,
  type KindMapping,
} from '@data-import/files';
import { FIELDS } from '../kinds/fields.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { decodedStart, guessTable, SAMPLED_ROWS, type Layout, type TableGuess } from './guess-form.js';
import { fieldsFound } from './assign.js';
import { firstColumns, scanJson, scannedBy, scanTable, type ScannedFile } from './scan.js';

/** Files are scanned before it is known what they hold. Nothing depends on the kind. */
const ANY: Kind = 'notes';
const { [ANY]: fields } = FIELDS;

/**
 * The form of a file of a folder, the names of its columns, of NDJSON those of the members, and how their values are written.
 *
 * @param temporary a folder for what lies within another file
 * @throws UnreadableInput, WrongUsage
 */
export async function sampleFile(folder: string, name: string, temporary: string): Promise<TableGuess> {
  const guess = isWorkbook(name)
    ? await sampleWorkbook(folder, name, temporary)
    : await sampleText(folder, name, temporary);
  if (guess.columns.length === 0) throw new UnreadableInput(`${name} has no header and no rows to look at.`);
  return guess;
}

async function sampleText(folder: string, name: string, temporary: string): Promise<TableGuess> {
  const workFolder = join(temporary, 'unpacked');
  const file = { folder, name, kind: ANY, fields };
  const copies = await ensureCopies([file], { workFolder, mappingOf: () => NO_MAPPING });
  const { first, isWhole } = await startOfFile(pathOf(folder, name, copies));
  const scanned = { ...file, copies };
  if (!/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name))
    return wholeTable(scanned, guessTable(name, first, isWhole));
  const { encoding } = decodedStart(first);
  const form = encoding ? { encoding } : {};
  return { form, columns: await scanJson(scanned, form), remarks: [] };
}

/** The first bytes of a file. */
async function startOfFile(path: string): Promise<{ first: Buffer; isWhole: boolean }> {
  const source = await openSource(path);
  try {
    const blocks = new BlockReader(source, false);
    await blocks.advance(0);
    return { first: blocks.bytes.subarray(0, blocks.length), isWhole: blocks.isLast };
  } finally {
    await source.close();
  }
}

/** What a table holds, all of whose rows are read. */
async function wholeTable(file: ScannedFile, layout: Layout): Promise<TableGuess> {
  const { header, remarks, form } = layout;
  if (header.length === 0) return { form, columns: [], remarks };
  const { columns, totals, repeated, nulls } = await scanTable(file, layout);
  const said = [...remarks];
  if (repeated.count > 0)
    said.push(
      `${file.name} repeats its header ${repeated.count === 1 ? 'once' : `${repeated.count} times`}, first in line ${repeated.first}; these lines are left out. Check it.`,
    );
  if (nulls.length > 0) said.push(`${file.name}: ${nulls.join(', ')} is read as nothing. Check it.`);
  return {
    form: {
      ...form,
      ...(repeated.count > 0 && { repeated_header: 'leave_out' }),
      ...(nulls.length > 0 && { null: nulls }),
    },
    columns,
    totals,
    remarks: said,
  };
}

/** Of several visible sheets the one in which most fields are found. */
async function sampleWorkbook(folder: string, name: string, temporary: string): Promise<TableGuess> {
  const within = memberOf(name);
  const path = within ? join(temporary, 'sampled.xlsx') : join(folder, name);
  if (within) await copyMember(join(folder, within.archive), within.member, path, {});
  const guesses = await sheetsOf(path, name, join(temporary, 'strings'));
  const [best] = guesses.toSorted((one, other) => other.found - one.found);
  if (!best) return { form: {}, columns: [], remarks: [] };
  const { layout, sheet } = best;
  const names = guesses.map((guess) => JSON.stringify(guess.sheet));
  const remark = `${name} has the sheets ${names.join(', ')}; ${JSON.stringify(sheet)} is read, because it has the most fields. Check it.`;
  const form = guesses.length > 1 ? { sheet, ...layout.form } : layout.form;
  const chosen = {
    ...layout,
    form,
    remarks: guesses.length > 1 ? [remark, ...layout.remarks] : layout.remarks,
  };
  const file = { folder, name, kind: ANY, fields };
  const mappingOf = (): KindMapping => scannedBy(chosen);
  const copies = await ensureCopies([file], { workFolder: join(temporary, 'unpacked'), mappingOf });
  return wholeTable({ ...file, copies }, chosen);
}

interface FoundSheet {
  readonly sheet: string;
  readonly layout: Layout;
  readonly found: number;
}

/** The visible sheets with rows. */
async function sheetsOf(path: string, name: string, draft: string): Promise<FoundSheet[]> {
  const workbook = await Workbook.open(path, name, draft);
  try {
    const guesses: FoundSheet[] = [];
    for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
      const text = await startOf(workbook, sheet);
      if (text === '') continue;
      const layout = guessTable(name, Buffer.from(text), true);
      const found = Math.max(...KINDS.map((kind) => fieldsFound(kind, firstColumns(layout))));
      guesses.push({ sheet: sheet.name, layout, found });
    }
    if (guesses.length === 0) await chosenSheet(workbook, name, undefined);
    return guesses;
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
