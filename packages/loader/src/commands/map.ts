import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { WrongUsage } from '../common/errors.js';
import { openNew } from '../common/files.js';
import { firstRows, type ShownRow } from '../mapping/first-rows.js';
import { isNeeded, proposeFiles, type ProposedEntry, type SampledFile } from '../mapping/propose-files.js';
import { sampleFile } from '../mapping/samples.js';
import { membersIn } from '../rows/folder.js';
import { commandText, optionsText } from './continue.js';
import type { Terminal } from './terminal.js';

export interface MapOptions {
  /** The kind, when the file name does not tell it. */
  readonly kind?: string | undefined;
  /** The file for the proposal. Without it the proposal goes to standard output. */
  readonly output?: string | undefined;
}

export interface MapResult {
  /** The mapping file. A file that needs no mapping has no entry. */
  readonly mapping: { readonly files: readonly ProposedEntry[] };
  readonly remarks: readonly string[];
  readonly rows: readonly ShownRow[];
}

/**
 * Propose a mapping file for a file with any column names, or for all files of a folder. Show the first rows of each file as they
 * would be sent with it, and one row for each cause of failure.
 *
 * @throws WrongUsage, UnreadableInput
 */
export async function mapFile(path: string, options: MapOptions): Promise<MapResult> {
  const temporary = await mkdtemp(join(tmpdir(), 'data-import-loader-'));
  try {
    const { folder, names, remarks, isAlone } = await filesOf(path);
    const sampled: SampledFile[] = [];
    for (const name of names) sampled.push({ name, ...(await sampleFile(folder, name, temporary)) });
    const { entries, remarks: said } = proposeFiles(sampled, { wanted: options.kind, isAlone });
    remarks.push(...said);
    const rows: ShownRow[] = [];
    for (const name of names) {
      try {
        const shown = await firstRows({ folder, name, temporary }, entries);
        rows.push(...shown.rows);
        remarks.push(...shown.remarks);
      } catch (error) {
        if (!(error instanceof WrongUsage)) throw error;
        remarks.push(error.message);
      }
    }
    const files = entries.filter(isNeeded).map(({ left: _left, ...entry }) => entry);
    return { mapping: { files }, remarks, rows };
  } finally {
    await rm(temporary, { recursive: true });
  }
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

/** One file, or the files of a folder or an archive. Files whose names begin with a dot are skipped. */
async function filesOf(path: string): Promise<{
  readonly folder: string;
  readonly names: readonly string[];
  readonly remarks: string[];
  /** Whether it is a single file, which remarks need not name. */
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
      remarks.push(`${name} is not read: load rejects it, unless it is removed or listed in "ignore_files".`);
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

/** Names of files that are read. */
const MAPPED = /^[^.].*\.(?:(?:ndjson|jsonl|csv|tsv|txt|dat)(?:\.gz)?|xlsx)$/i;

/** Mapping files and reports, which contain no rows. */
const NO_ROWS = /\.(?:json|html?)$/i;

async function writeNew(path: string, text: string): Promise<void> {
  const file = await openNew(path);
  await file.writeFile(text);
  await file.close();
}
