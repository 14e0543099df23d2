import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { WrongUsage } from '../common/errors.js';
import { openNew } from '../common/files.js';
import { unknownName } from '../common/near-matches.js';
import type { TableGuess } from '../mapping/guess-form.js';
import { fieldsFound, propose, type ColumnSample, type Proposal } from '../mapping/propose.js';
import { sampleFile } from '../mapping/samples.js';
import { copiesText, ensureCopies } from '../rows/copies.js';
import { toRow, visitFile, type Visit } from '../rows/file-records.js';
import { kindOf, membersIn } from '../rows/folder.js';
import { NO_MAPPING, parseMapping } from '../rows/mapping.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { type Origin, type ReadRow } from '../rows/row.js';
import { commandText, optionsText } from './continue.js';
import type { Terminal } from './terminal.js';

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
  const temporary = await mkdtemp(join(tmpdir(), 'data-import-loader-'));
  try {
    const { folder, names, remarks, isAlone } = await filesOf(path);
    const files: ProposedEntry[] = [];
    const rows: ShownRow[] = [];
    for (const name of names) {
      const one = { folder, name, temporary };
      const { entry, said } = await proposeFor(one, options);
      remarks.push(
        ...said.map((remark) => (isAlone || remark.startsWith(name) ? remark : `${name}: ${remark}`)),
      );
      if (entry) addEntry(files, entry);
      try {
        const shown = await firstRows(one, entry);
        rows.push(...shown.rows);
        remarks.push(...shown.remarks);
      } catch (error) {
        if (!(error instanceof WrongUsage)) throw error;
        remarks.push(error.message);
      }
    }
    return { mapping: { files }, remarks, rows };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** A file for which a mapping is proposed. */
interface MappedFile {
  readonly folder: string;
  readonly name: string;
  /** A folder for copies of what lies within another file. */
  readonly temporary: string;
}

/** Files that are alike have one entry. */
function addEntry(files: ProposedEntry[], entry: ProposedEntry): void {
  const textOf = (one: ProposedEntry): string => JSON.stringify({ ...one, match: '' });
  const same = files.find((known) => textOf(known) === textOf(entry));
  if (same) same.match = [same.match, entry.match].flat();
  else files.push(entry);
}

/** @returns no entry where the file is read as it stands */
async function proposeFor(
  { folder, name, temporary }: MappedFile,
  options: MapOptions,
): Promise<{ entry: ProposedEntry | undefined; said: string[] }> {
  const { form, columns, remarks } = await sampleFile(folder, name, temporary);
  const { kind, guessed } = chosenKind(name, options.kind, columns);
  const { proposal, remarks: others } = propose(kind, columns);
  const said = [...guessed, ...remarks, ...others];
  const isPlain = Object.keys(form).length === 0 && Object.keys(proposal).length === 0;
  if (isPlain && kindOf(name) === kind) return { entry: undefined, said };
  const inForm = Object.keys(form).length > 0 ? { form } : {};
  return { entry: { match: name, kind, ...inForm, ...proposal }, said };
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

/** One file, or those of a folder or an archive. Files whose names begin with a dot are nobody's rows. */
async function filesOf(path: string): Promise<{
  readonly folder: string;
  readonly names: readonly string[];
  readonly remarks: string[];
  /** Whether it is one file, which remarks need not name. */
  readonly isAlone: boolean;
}> {
  const isOne = !(await isFolder(path));
  const folder = isOne ? dirname(path) : path;
  const entries = isOne ? [] : await readdir(folder, { withFileTypes: true });
  const shown = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const all = isOne ? [basename(path)] : shown.map(({ name }) => name);
  const [names, remarks]: [string[], string[]] = [[], []];
  const take = (name: string): void => {
    if (MAPPED.test(basename(name))) names.push(name);
    else if (!NO_ROWS.test(name))
      remarks.push(
        `${name} is not looked at: load refuses it, unless it is moved away or in "ignore_files".`,
      );
  };
  for (const name of all.sort()) {
    if (/\.zip$/i.test(name)) {
      for (const { path: member, reason } of await membersIn(folder, name)) {
        if (reason === undefined) take(member);
        else remarks.push(`${member} is not read: ${reason}.`);
      }
    } else if (isOne) names.push(name);
    else take(name);
  }
  if (names.length === 0)
    throw new WrongUsage([`${path} has no file to propose a mapping for.`, ...remarks].join(' '));
  return { folder, names, remarks, isAlone: isOne && !/\.zip$/i.test(path) };
}

/** Of files that are looked at. */
const MAPPED = /^[^.].*\.(?:(?:ndjson|jsonl|csv|tsv|txt|dat)(?:\.gz)?|xlsx)$/i;

/** Mapping files and reports. */
const NO_ROWS = /\.(?:json|html?)$/i;

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

/** The first rows of a file, and one for each cause for which rows of its first block fail. */
async function firstRows(
  { folder, name, temporary }: MappedFile,
  entry: ProposedEntry | undefined,
): Promise<{ rows: ShownRow[]; remarks: string[] }> {
  const mapping = parseMapping(JSON.stringify({ files: entry ? [entry] : [] }), 'the proposal');
  const kind = mapping.kindOf(name) ?? kindOf(name);
  if (kind === undefined) return { rows: [], remarks: [] };
  const own = mapping.get(kind) ?? NO_MAPPING;
  const copies = await ensureCopies([{ folder, name, kind }], {
    workFolder: join(temporary, 'unpacked'),
    mappingOf: () => own,
  });
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
  const options = { folder, kind, mapping: own, copies };
  await visitFile(options, name, visit, { blockRead: () => Promise.resolve(false) });
  const shown = rows.map((row): ShownRow => {
    const { origin, account } = row;
    if (!row.error) return { origin, account, item: row.item };
    const { attr, detail, seen } = row.error;
    const value = seen === undefined ? '' : ` It is ${seen}.`;
    return { origin, account, problem: `${attr === '' ? '' : `${attr}: `}${detail}${value}` };
  });
  return { rows: shown, remarks: copiesText(copies) };
}
