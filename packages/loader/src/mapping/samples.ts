import { join } from 'node:path';
import {
  Workbook,
  type Sheet,
  csvLine,
  UnreadableInput,
  WrongUsage,
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
  type Part,
} from '@data-import/files';
import { FIELDS } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';
import { fixedWidth } from './fixed-width.js';
import { decodedStart, guessTable, SAMPLED_ROWS, type Layout, type TableGuess } from './guess-form.js';
import { jsonLists } from './json-lists.js';
import { scanJson, scannedBy, scanTable } from './scan.js';

/** Files are scanned before their kind is known. The scan does not depend on the kind. */
const ANY: Kind = 'notes';
const { [ANY]: fields } = FIELDS;

/** The most bytes of a JSON document that are held in memory. */
const DOCUMENT_BYTES = 16 * 1024 * 1024;

/**
 * Read the form of a file, the names of its columns or members, and the forms of their values. A workbook with several
 * sheets and a JSON document have several parts.
 *
 * @param temporary a folder for copies of files that are inside other files
 * @throws UnreadableInput, WrongUsage
 */
export async function sampleFile(folder: string, name: string, temporary: string): Promise<SampledPart[]> {
  const guesses = isWorkbook(name)
    ? await sampleWorkbook(folder, name, temporary)
    : await sampleText(folder, name, temporary);
  const found = guesses.filter(({ columns }) => columns.length > 0);
  if (found.length === 0) throw new UnreadableInput(`${name} has no header and no rows to look at.`);
  return found;
}

/** A file, or one of its parts: a sheet or the records at one path. */
export type SampledPart = TableGuess & { readonly part?: Part };

async function sampleText(folder: string, name: string, temporary: string): Promise<SampledPart[]> {
  const workFolder = join(temporary, 'unpacked');
  const file = { folder, name, kind: ANY, fields };
  const copies = await ensureCopies([file], { workFolder, mappingOf: () => NO_MAPPING });
  const { first, isWhole } = await startOfFile(pathOf(folder, name, copies));
  const { bytes, encoding } = decodedStart(first);
  if (bytes.includes(0))
    throw new UnreadableInput(`${name} is no text file. Remove it, or list it in "ignore_files".`);
  const scanned = { ...file, copies };
  if (!/\.(?:ndjson|jsonl|json)(?:\.gz)?$/i.test(name)) {
    const fixed = fixedWidth(bytes.toString());
    if (fixed !== undefined) throw new WrongUsage(`${name}: ${fixed}`);
    return [await scanTable(scanned, guessTable(name, first, isWhole))];
  }
  const form = encoding ? { encoding } : {};
  if (/\.json(?:\.gz)?$/i.test(name)) return sampleDocument(pathOf(folder, name, copies), name, form);
  return [{ form, columns: await scanJson(scanned, form), remarks: [] }];
}

/** Read the lists of a JSON document. Only the beginning of the document is examined. */
async function sampleDocument(path: string, name: string, form: TableGuess['form']): Promise<SampledPart[]> {
  const { first, isWhole } = await startOfFile(path, DOCUMENT_BYTES);
  const lists = jsonLists(decodedStart(first).bytes.toString());
  if (lists.length === 0 || lists.every(({ path: list }) => list === 'files[]'))
    throw new UnreadableInput(`${name} has no list of objects that could be rows, or is no JSON document.`);
  const remarks = isWhole ? [] : [`${name} was looked at up to its ${first.length}th byte. Check it.`];
  return lists.map(({ path: records, columns }) => ({
    ...{ form: { ...form, records }, columns, remarks },
    part: { is: 'records', text: records },
  }));
}

/** The first bytes of a file; at least its first block. */
async function startOfFile(path: string, bytes = 0): Promise<{ first: Buffer; isWhole: boolean }> {
  const source = await openSource(path);
  try {
    const blocks = new BlockReader(source, false);
    do await blocks.advance(0);
    while (blocks.length < bytes && !blocks.isLast);
    return { first: blocks.bytes.subarray(0, blocks.length), isWhole: blocks.isLast };
  } finally {
    await source.close();
  }
}

/** Read the visible sheets of a workbook. */
async function sampleWorkbook(folder: string, name: string, temporary: string): Promise<SampledPart[]> {
  const within = memberOf(name);
  const path = within ? join(temporary, 'sampled.xlsx') : join(folder, name);
  if (within) await copyMember(join(folder, within.archive), within.member, path, {});
  const { sheets, hidden } = await sheetsOf(path, name, join(temporary, 'strings'));
  const file = { folder, name, kind: ANY, fields };
  const workFolder = join(temporary, 'unpacked');
  const isAlone = sheets.length === 1;
  const names = hidden.map((one) => JSON.stringify(one)).join(', ');
  const remarks = names === '' || isAlone ? [] : [`${name} has hidden sheets, which are not read: ${names}.`];
  const found: SampledPart[] = [];
  for (const [text, layout] of sheets) {
    const chosen = { ...layout, form: isAlone ? layout.form : { sheet: text, ...layout.form } };
    const copies = await ensureCopies([file], { workFolder, mappingOf: () => scannedBy(chosen) });
    const table = await scanTable({ ...file, copies }, chosen);
    found.push(isAlone ? table : { ...table, part: { is: 'sheet', text } });
  }
  return found.map((table, index) =>
    index === 0 ? { ...table, remarks: [...remarks, ...table.remarks] } : table,
  );
}

/** The visible sheets with rows, and the names of the hidden sheets. */
async function sheetsOf(
  path: string,
  name: string,
  draft: string,
): Promise<{ sheets: readonly (readonly [sheet: string, layout: Layout])[]; hidden: readonly string[] }> {
  const workbook = await Workbook.open(path, name, draft);
  try {
    const [hidden, sheets]: [string[], [string, Layout][]] = [[], []];
    for (const sheet of workbook.sheets) {
      if (sheet.isHidden) hidden.push(sheet.name);
      const text = sheet.isHidden ? '' : await startOf(workbook, sheet);
      if (text !== '') sheets.push([sheet.name, guessTable(name, Buffer.from(text), true)]);
    }
    if (sheets.length === 0) await chosenSheet(workbook, name, undefined);
    return { sheets, hidden };
  } finally {
    workbook.close();
  }
}

/** The first rows of a sheet as CSV. Rows after the first complete one are filled up to its length. */
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
