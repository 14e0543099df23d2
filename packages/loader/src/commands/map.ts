import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { openNew } from '../common/files.js';
import { unknownName } from '../common/near-matches.js';
import { decodedStart, guessTable, type TableGuess } from '../mapping/guess-form.js';
import { fieldsFound, propose, type ColumnSample, type Proposal } from '../mapping/propose.js';
import { recordTypes, type RecordTypes } from '../mapping/record-types.js';
import { kindsByWords } from '../mapping/synonyms.js';
import { BlockReader } from '../rows/blocks.js';
import { openSource } from '../rows/byte-source.js';
import { toRow, visitFile, type Visit } from '../rows/file-records.js';
import { kindOf } from '../rows/folder.js';
import { NO_MAPPING, parseMapping, type Mapping } from '../rows/mapping.js';
import { LineFinder } from '../rows/records.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { type Origin, type ReadRow } from '../rows/row.js';
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
  readonly item?: string;
  readonly problem?: string;
}

/** What a mapping file says of files that are alike. */
interface ProposedEntry extends Proposal {
  match: string | string[];
  readonly kind: Kind;
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly form?: TableGuess['form'];
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
  for (const one of paths) {
    const { entries, said } = await proposeFor(one, options);
    const name = basename(one);
    remarks.push(...said.map((remark) => (isOne || remark.startsWith(name) ? remark : `${name}: ${remark}`)));
    for (const entry of entries) addEntry(files, entry);
    try {
      rows.push(...(await firstRows(one, entries)));
    } catch (error) {
      if (!(error instanceof WrongUsage)) throw error;
      remarks.push(error.message);
    }
  }
  return { mapping: { files }, remarks, rows };
}

/** Files that are alike have one entry. */
function addEntry(files: ProposedEntry[], entry: ProposedEntry): void {
  const textOf = (one: ProposedEntry): string => JSON.stringify({ ...one, match: '' });
  const same = files.find((known) => textOf(known) === textOf(entry));
  if (same) same.match = [same.match, entry.match].flat();
  else files.push(entry);
}

/** @returns no entry where the file is read as it stands, and several where it has rows of several kinds */
async function proposeFor(
  path: string,
  options: MapOptions,
): Promise<{ entries: readonly ProposedEntry[]; said: readonly string[] }> {
  const name = basename(path);
  const { form, columns, remarks } = await sampleColumns(path);
  const inForm = Object.keys(form).length > 0 ? { form } : {};
  const types = options.kind === undefined && kindOf(name) === undefined ? recordTypes(columns) : undefined;
  if (types) return proposeShared(name, types, { inForm, remarks });
  const { kind, guessed } = chosenKind(name, options.kind, columns);
  const { proposal, remarks: others } = propose(kind, columns);
  const said = [...guessed, ...remarks, ...others];
  const isPlain = Object.keys(form).length === 0 && Object.keys(proposal).length === 0;
  if (isPlain && kindOf(name) === kind) return { entries: [], said };
  return { entries: [{ match: name, kind, ...inForm, ...proposal }], said };
}

/** An entry for each kind of rows in a file. */
function proposeShared(
  name: string,
  { column, kinds, unknown }: RecordTypes,
  { inForm, remarks }: { readonly inForm: Pick<ProposedEntry, 'form'>; readonly remarks: readonly string[] },
): { entries: readonly ProposedEntry[]; said: readonly string[] } {
  const list = kinds.map(({ kind, texts }) => `${texts.join(', ')}: ${kind}`).join('; ');
  const said = [`${name} has rows of several kinds, as ${column} says: ${list}. Check it.`, ...remarks];
  if (unknown.length > 0)
    said.push(
      `${column}: rows with ${unknown.join(', ')} are of no kind that is known, and fail. Add the text to the "rows" of an entry, or to "leave_out" of the first one.`,
    );
  const entries = kinds.map(({ kind, texts, columns, empty }) => {
    const { proposal, remarks: others } = propose(kind, columns);
    said.push(...others.map((remark) => `${kind}: ${remark}`));
    const ignore = [...(proposal.ignore ?? []), ...empty];
    const ignored = ignore.length > 0 ? { ignore } : {};
    return { match: name, kind, rows: { [column]: texts }, ...inForm, ...proposal, ...ignored };
  });
  return { entries, said };
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
  for (const { origin, account, item, problem } of rows) {
    const place = mapping.files.length > 1 ? `${origin.file}: ` : '';
    io.err(
      `  ${place}line ${origin.line}, account ${account ?? 'unknown'}: ${item ?? `not sent: ${problem ?? ''}`}\n`,
    );
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

/**
 * @returns the kind that is named or that the name says; else one whose words the name has, or the one that finds most of its fields,
 *   and that this is a guess
 */
function chosenKind(
  name: string,
  wanted: string | undefined,
  columns: readonly ColumnSample[],
): { kind: Kind; guessed: readonly string[] } {
  const kind = wanted === undefined ? kindOf(name) : KINDS.find((known) => known === wanted);
  if (kind) return { kind, guessed: [] };
  if (wanted !== undefined) throw unknownName(`${wanted} is no kind of file.`, wanted, KINDS);
  const meant = kindsByWords(name).find((known) => fieldsFound(known, columns) >= 10);
  if (meant) return { kind: meant, guessed: [`${name} is taken for ${meant} by its name. Check it.`] };
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

/** The first rows of a file of each kind, and one for each cause for which rows of its first block fail. */
async function firstRows(path: string, entries: readonly ProposedEntry[]): Promise<ShownRow[]> {
  const name = basename(path);
  const mapping = parseMapping(JSON.stringify({ files: entries }), 'the proposal');
  const given = mapping.kindsOf(name);
  const shown: ShownRow[] = [];
  for (const kind of given.length > 0 ? given : [kindOf(name)])
    if (kind !== undefined) shown.push(...(await firstRowsOf(kind, path, mapping)));
  return shown;
}

async function firstRowsOf(kind: Kind, path: string, mapping: Mapping): Promise<ShownRow[]> {
  const name = basename(path);
  const rows: ReadRow[] = [];
  const causes = new Set<string>();
  let good = 0;
  const visit: Visit = (...record) => {
    const row = toRow(...record);
    if (!row.error) good += 1;
    const isNew =
      row.error && causes.size < SHOWN_PROBLEMS && !causes.has(`${row.error.attr} ${row.error.detail}`);
    if (row.error) causes.add(`${row.error.attr} ${row.error.detail}`);
    if (isNew || (!row.error && good <= SHOWN_ROWS)) rows.push(row);
  };
  const options = { folder: dirname(path), kind, mapping: mapping.get(kind) ?? NO_MAPPING };
  await visitFile(options, name, visit, { blockRead: () => Promise.resolve(false) });
  return rows.map((row) => {
    const { origin, account } = row;
    if (!row.error) return { origin, account, item: row.item };
    const { attr, detail, seen } = row.error;
    const value = seen === undefined ? '' : ` It is ${seen}.`;
    return { origin, account, problem: `${attr === '' ? '' : `${attr}: `}${detail}${value}` };
  });
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
