import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { openNew } from '../common/files.js';
import { unknownName } from '../common/near-matches.js';
import { decodedStart, guessTable, type TableGuess } from '../mapping/guess-form.js';
import { fieldsFound, propose, type ColumnSample, type Proposal } from '../mapping/propose.js';
import { findList, hasNoAccount, type FoundList, type RowsSample } from '../mapping/propose-lists.js';
import { BlockReader } from '../rows/blocks.js';
import { openSource } from '../rows/byte-source.js';
import { toRow, visitFile, type Visit } from '../rows/file-records.js';
import { kindOf } from '../rows/folder.js';
import { NO_MAPPING, parseMapping } from '../rows/mapping.js';
import { LineFinder } from '../rows/records.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import { type Origin, type RowError } from '../rows/row.js';
import { commandText, optionsText } from './continue.js';
import type { Terminal } from './terminal.js';

/** Rows whose members decide the forms of dates and amounts. */
const SAMPLED_ROWS = 200;

const SHOWN_ROWS = 3;

/** Different causes of which a row each is shown. */
const SHOWN_PROBLEMS = 5;

export interface MapOptions {
  /** Where the name of the file does not say it. */
  readonly kind?: string | undefined;
  /** A file for the proposal; without it the proposal is part of the output. */
  readonly output?: string | undefined;
}

/** A row as it would be sent, or why it would not. */
export interface ShownRow {
  readonly origin: Origin;
  readonly account: string | undefined;
  /** Of an item of a list. */
  readonly list?: string;
  readonly item?: string;
  readonly problem?: string;
}

/** What a mapping file says of files that are alike. */
interface ProposedEntry {
  match: string | string[];
  readonly kind: Kind;
  readonly form?: TableGuess['form'];
  fields?: Proposal['fields'];
  constants?: Proposal['constants'];
  ignore?: Proposal['ignore'];
}

export interface MapResult {
  /** The mapping file; without an entry for a file that needs none. */
  readonly mapping: { readonly files: readonly ProposedEntry[] };
  readonly remarks: readonly string[];
  readonly rows: readonly ShownRow[];
}

/**
 * Propose a mapping file for a file of any column names, or for all files of a folder, and show the first rows of each as they would
 * be sent with it, and one of each cause for which rows would fail.
 *
 * @throws WrongUsage, UnreadableInput
 */
export async function mapFile(path: string, options: MapOptions): Promise<MapResult> {
  const isOne = !(await isFolder(path));
  const paths = isOne ? [path] : await filesIn(path);
  const files: ProposedEntry[] = [];
  const [remarks, rows]: [string[], ShownRow[]] = [[], []];
  const say = (name: string, said: readonly string[]): void => {
    remarks.push(...said.map((remark) => (isOne ? remark : `${name}: ${remark}`)));
  };
  const sampled: SampledFile[] = [];
  for (const one of paths) sampled.push({ name: basename(one), ...(await sampleColumns(one)) });
  const mayBeList = ({ columns }: SampledFile): boolean =>
    !isOne && options.kind === undefined && hasNoAccount(columns);
  const known: RowsFile[] = [];
  for (const file of sampled.filter((one) => !mayBeList(one))) {
    const { entry, said } = proposeFor(file, options);
    say(file.name, said);
    addRows(known, addEntry(files, entry), file);
  }
  const lists: ListFiles[] = [];
  for (const file of sampled.filter(mayBeList)) {
    const found = findList(file.name, file.columns, known);
    if (found) {
      addItems(lists, found, file);
      continue;
    }
    const { entry, said } = proposeFor(file, options);
    say(file.name, said);
    addEntry(files, entry);
  }
  for (const one of lists) {
    say(one.names.join(', '), proposeList(one));
    addEntry(files, one.rows.entry);
  }
  for (const one of paths) {
    try {
      rows.push(...(await firstRows(one, files)));
    } catch (error) {
      if (!(error instanceof WrongUsage)) throw error;
      remarks.push(error.message);
    }
  }
  return { mapping: { files: files.filter(isNeeded) }, remarks, rows };
}

type SampledFile = TableGuess & { readonly name: string };

/** Files of rows that are alike. */
interface RowsFile extends RowsSample {
  readonly entry: ProposedEntry;
  columns: readonly ColumnSample[];
}

function addRows(known: RowsFile[], entry: ProposedEntry, { columns }: SampledFile): void {
  const { kind } = entry;
  const alike = known.find((rows) => rows.entry === entry);
  if (!alike) known.push({ entry, kind, columns });
  else alike.columns = withMore(alike.columns, columns);
}

/** Columns with the values of files that are alike. */
function withMore(columns: readonly ColumnSample[], others: readonly ColumnSample[]): ColumnSample[] {
  return columns.map(({ name, values }) => {
    const more = others.find((column) => column.name === name)?.values ?? [];
    return { name, values: [...values, ...more] };
  });
}

/** Files with items of a list that are alike. */
interface ListFiles extends FoundList<RowsFile> {
  readonly names: string[];
  readonly form: TableGuess['form'];
  columns: readonly ColumnSample[];
  readonly remarks: readonly string[];
}

function addItems(lists: ListFiles[], found: FoundList<RowsFile>, file: SampledFile): void {
  const textOf = ({ list, key, form, columns }: Omit<ListFiles, 'names' | 'rows'>): string =>
    JSON.stringify([list, key, form, columns.map(({ name }) => name)]);
  const own = { ...found, ...file, names: [file.name] };
  const alike = lists.find((one) => one.rows === found.rows && textOf(one) === textOf(own));
  if (!alike) {
    lists.push(own);
    return;
  }
  alike.names.push(file.name);
  alike.columns = withMore(alike.columns, file.columns);
}

/** Whether files are not read as they stand. */
function isNeeded({ match, kind, ...said }: ProposedEntry): boolean {
  return Object.keys(said).length > 0 || [match].flat().some((name) => kindOf(name) !== kind);
}

/** Files that are alike have one entry. @returns it */
function addEntry(files: ProposedEntry[], entry: ProposedEntry): ProposedEntry {
  if (files.includes(entry)) return entry;
  const textOf = (one: ProposedEntry): string => JSON.stringify({ ...one, match: '' });
  const same = files.find((known) => textOf(known) === textOf(entry));
  if (same) same.match = [same.match, entry.match].flat();
  else files.push(entry);
  return same ?? entry;
}

function proposeFor(
  { name, form, columns, remarks }: SampledFile,
  options: MapOptions,
): { entry: ProposedEntry; said: string[] } {
  const { kind, guessed } = chosenKind(name, options.kind, columns);
  const { proposal, remarks: others } = propose(kind, columns);
  return {
    entry: { match: name, kind, ...formIn(form), ...proposal },
    said: [...guessed, ...remarks, ...others],
  };
}

function formIn(form: TableGuess['form']): Pick<ProposedEntry, 'form'> {
  return Object.keys(form).length > 0 ? { form } : {};
}

/** Add to the entry of rows that files have items of a list of theirs. @returns what is said of it */
function proposeList({
  names,
  form,
  columns,
  remarks,
  rows: { entry, kind },
  list,
  key,
}: ListFiles): string[] {
  const where = `${list} of ${[entry.match].flat().join(', ')}`;
  const { from: known } = (entry.fields?.[list] ?? {}) as { from?: string | string[] };
  if (known !== undefined)
    return [
      `It seems to have ${where} too, in another form than ${[known].flat().join(', ')}. Bring them into one.`,
    ];
  const items = columns.filter((column) => column.name !== key.ofItem);
  const { proposal, remarks: others } = propose(`${kind}.${list}`, items);
  const from = names.length === 1 ? names[0] : names;
  const source = { from, key: { [key.ofItem]: key.ofRow }, ...formIn(form), ...proposal };
  entry.fields = { ...entry.fields, [list]: source };
  const ignore = entry.ignore?.filter((column) => column !== key.ofRow);
  if (ignore && ignore.length > 0) entry.ignore = ignore;
  else delete entry.ignore;
  const taken = `It is taken for ${where}, where ${key.ofItem} is the ${key.ofRow} of the row. Check it.`;
  return [taken, ...idFrom(entry, key.ofRow), ...remarks, ...others];
}

/** Where rows have nothing that identifies them, it is what other files know them by. */
function idFrom(entry: ProposedEntry, column: string): string[] {
  const [id = '', ...others] = FACTS[entry.kind].key;
  const { [id]: constant, ...left } = entry.constants ?? {};
  if (others.length > 0 || constant === undefined) return [];
  entry.fields = { [id]: column, ...entry.fields };
  if (Object.keys(left).length > 0) entry.constants = left;
  else delete entry.constants;
  return [`${column} is taken for ${id} of ${[entry.match].flat().join(', ')}. Check it.`];
}

/**
 * The command `map`: the proposal goes to standard output or a new file, everything about it to standard error.
 *
 * @throws WrongUsage, UnreadableInput
 */
export async function mapCommand(
  path: string,
  options: MapOptions,
  io: {
    readonly out: (text: string) => void;
    readonly err: (text: string) => void;
    readonly environment: Terminal['environment'];
  },
): Promise<void> {
  const { mapping, remarks, rows } = await mapFile(path, options);
  const text = `${JSON.stringify(mapping, undefined, 2)}\n`;
  if (options.output === undefined) io.out(text);
  else await writeNew(options.output, text);
  for (const remark of remarks) io.err(`${remark}\n`);
  if (rows.length > 0) io.err('The first rows as they would be sent:\n');
  const hasSeveral = new Set(rows.map(({ origin }) => origin.file)).size > 1;
  for (const { origin, account, list, item, problem } of rows) {
    const place = hasSeveral ? `${origin.file}: ` : '';
    const whose = list === undefined ? `account ${account ?? 'unknown'}` : `in ${list}`;
    io.err(`  ${place}line ${origin.line}, ${whose}: ${item ?? `not sent: ${problem ?? ''}`}\n`);
  }
  if (options.output !== undefined) {
    io.err(`Written to ${options.output}. Check it, then:\n`);
    const loading = optionsText({ mapping: options.output, dryRun: true });
    const folder = (await isFolder(path)) ? path : dirname(path);
    io.err(`${commandText('load', folder, loading, io.environment)}\n`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Files whose names begin with a dot are nobody's rows. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter(
    (entry) => entry.isFile() && /^[^.].*\.(?:ndjson|jsonl|csv|tsv|txt|dat)(?:\.gz)?$/i.test(entry.name),
  );
  if (names.length === 0) throw new WrongUsage(`${folder} has no file to propose a mapping for.`);
  return names.map(({ name }) => join(folder, name)).sort();
}

/** @returns the kind that is named or that the name says; else the one that finds most of its fields, and that this is a guess */
function chosenKind(
  name: string,
  wanted: string | undefined,
  columns: readonly ColumnSample[],
): { kind: Kind; guessed: readonly string[] } {
  const kind = wanted === undefined ? kindOf(name) : KINDS.find((known) => known === wanted);
  if (kind) return { kind, guessed: [] };
  if (wanted !== undefined) throw unknownName(`${wanted} is no kind of file.`, wanted, KINDS);
  const [first, second] = KINDS.map((known) => ({ known, found: fieldsFound(known, columns) })).sort(
    (one, other) => other.found - one.found,
  );
  if (first && first.found >= 20 && first.found > (second?.found ?? 0))
    return { kind: first.known, guessed: [`${name} is taken for ${first.known} by its columns. Check it.`] };
  throw new WrongUsage(
    `The name ${name} does not say what the file holds; name it with --kind: ${KINDS.join(', ')}.`,
  );
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await openNew(path);
  await file.writeFile(text);
  await file.close();
}

/** The first rows of a file, or items, and one for each cause for which rows of its first block fail. */
async function firstRows(path: string, files: readonly ProposedEntry[]): Promise<ShownRow[]> {
  const name = basename(path);
  // What has to be filled in for other files does not matter.
  const own = files.filter((entry) => isNeeded(entry) && isNamed(entry, name));
  const mapping = parseMapping(JSON.stringify({ files: own }), 'the proposal');
  const kind = mapping.kindOf(name) ?? kindOf(name);
  if (kind === undefined) return [];
  const rows: ShownRow[] = [];
  const causes = new Set<string>();
  let good = 0;
  const reading = mapping.get(kind) ?? NO_MAPPING;
  const list = reading.of(name).join?.list;
  const visit: Visit = (record, problem, reader) => {
    const { file, line } = record;
    const row = toRow(record, problem, reader);
    const part = list === undefined || problem ? undefined : reader.part(record);
    const error = part ? part.error : row.error;
    const cause = error && `${error.attr} ${error.detail}`;
    if (cause === undefined) good += 1;
    if (cause === undefined ? good > SHOWN_ROWS : causes.size >= SHOWN_PROBLEMS || causes.has(cause)) return;
    const shown = { origin: { file, line }, account: row.account, ...(list !== undefined && { list }) };
    if (error) rows.push({ ...shown, problem: problemText(error) });
    else rows.push({ ...shown, item: part?.fields?.without() ?? (row.error ? '' : row.item) });
    if (cause !== undefined) causes.add(cause);
  };
  const options = { folder: dirname(path), kind, mapping: reading };
  await visitFile(options, name, visit, { blockRead: () => Promise.resolve(false) });
  return rows;
}

function isNamed({ match, fields = {} }: ProposedEntry, name: string): boolean {
  const lists = Object.values(fields) as { from?: string | string[] }[];
  return [match, ...lists.map(({ from = [] }) => from)].flat().includes(name);
}

function problemText({ attr, detail, seen }: RowError): string {
  const value = seen === undefined ? '' : ` It is ${seen}.`;
  return `${attr === '' ? '' : `${attr}: `}${detail}${value}`;
}

/** The form of a file, the names of its columns, of NDJSON those of the members, and values of the first rows. */
async function sampleColumns(path: string): Promise<TableGuess> {
  const source = await openSource(path);
  try {
    const blocks = new BlockReader(source, false);
    await blocks.advance(0);
    const name = basename(path);
    const first = blocks.bytes.subarray(0, blocks.length);
    const isJson = /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name);
    const guess = isJson ? jsonSamples(first, blocks.isLast) : guessTable(name, first, blocks.isLast);
    if (guess.columns.length === 0)
      throw new UnreadableInput(`${name} has no header and no rows to look at.`);
    return guess;
  } finally {
    await source.close();
  }
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
