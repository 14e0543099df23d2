import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ACCOUNTS, namedBy, openNew, unknownName, UnreadableInput, WrongUsage } from '@data-import/files';
import type { MappedKind } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import { OPEN } from '../mapping/guess-values.js';
import { firstRows, type ShownRow } from '../mapping/first-rows.js';
import { isNeeded, proposeFiles, type SampledFile } from '../mapping/propose-files.js';
import type { ProposedEntry } from '../mapping/propose.js';
import { sampleFile } from '../mapping/samples.js';
import { lyingIn, membersIn, type Lying } from '../rows/folder.js';
import { commandText, optionsText, quoted } from './continue.js';
import type { Terminal } from './terminal.js';

export interface MapOptions {
  /** The kinds of files whose names do not show their kind: `KIND` for all of them, or `NAME=KIND` for one. */
  readonly kind?: string | readonly string[] | undefined;
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
    const wanted = wantedKinds([options.kind ?? []].flat(), names);
    /** Call a function and turn its error into a remark, so that one file does not keep the others from being mapped. */
    const passed = async (look: () => Promise<void>): Promise<void> => {
      try {
        await look();
      } catch (error) {
        if (!(error instanceof WrongUsage || error instanceof UnreadableInput)) throw error;
        remarks.push(error.message);
      }
    };
    const sampled: SampledFile[] = [];
    const sample = async (name: string): Promise<void> => {
      sampled.push(...(await sampleFile(folder, name, temporary)).map((part) => ({ name, ...part })));
    };
    for (const name of names) await (isAlone ? sample(name) : passed(() => sample(name)));
    const { entries, unknown, remarks: said } = proposeFiles(sampled, { wanted, isAlone });
    remarks.push(...said);
    const rows: ShownRow[] = [];
    for (const name of new Set(sampled.map((file) => file.name))) {
      await passed(async () => {
        const shown = await firstRows({ folder, name, temporary }, entries);
        rows.push(...shown.rows);
        remarks.push(...shown.remarks);
      });
    }
    for (const [name, likeliest] of unknown) remarks.push(unknownText(name, likeliest, isAlone));
    if (entries.length === 0)
      throw new WrongUsage([`${path} has no file to propose a mapping for.`, ...remarks].join('\n'));
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
  { print, say, environment }: Pick<Terminal, 'print' | 'say' | 'environment'>,
): Promise<void> {
  const { mapping, remarks, rows } = await mapFile(path, options);
  const text = `${JSON.stringify(mapping, undefined, 2)}\n`;
  if (options.output === undefined) print(text);
  else await writeNew(options.output, text);
  remarks.forEach(say);
  if (rows.length > 0)
    say('The first rows as they would be sent; catalogues and periods are checked by load --dry-run:');
  const hasSeveral = new Set(rows.map(({ origin }) => origin.file)).size > 1;
  for (const { origin, account, list, item = '', problem } of rows) {
    const place = hasSeveral ? `${origin.file}: ` : '';
    const whose = list === undefined ? `account ${account ?? 'unknown'}` : `in ${list}`;
    say(
      `  ${place}line ${Math.floor(origin.line)}, ${whose}: ${problem === undefined ? item : `not sent: ${problem} ${item}`.trim()}`,
    );
  }
  if (options.output !== undefined) {
    const isOpen = text.includes(`"${OPEN}"`);
    say(`Written to ${options.output}. ${isOpen ? `Fill in each "${OPEN}", check` : 'Check'} it, then:`);
    const loading = optionsText({ mapping: options.output, dryRun: true });
    const folder = (await isFolder(path)) ? path : dirname(path);
    say(commandText('load', folder, loading, environment));
  }
}

/** The kinds that `--kind` accepts. */
const KINDS_OF_FILES: readonly MappedKind[] = [...KINDS, ACCOUNTS.name];

/**
 * @returns the kind that is requested for each file
 * @throws WrongUsage for an unknown kind, or for a name that no file has
 */
function wantedKinds(
  said: readonly string[],
  names: readonly string[],
): (name: string) => MappedKind | undefined {
  const rules = said.map((text) => {
    const [, pattern, typed = text] = /^(.+)=([^=]*)$/s.exec(text) ?? [];
    const kind = KINDS_OF_FILES.find((known) => known === typed);
    if (!kind) throw unknownName(`--kind: ${typed} is no kind of file.`, typed, KINDS_OF_FILES);
    const fits = pattern === undefined ? (): boolean => true : namedBy([pattern]);
    if (!names.some(fits)) throw new WrongUsage(`--kind: there is no file ${pattern ?? ''}.`);
    return { kind, fits, isOfOne: pattern !== undefined };
  });
  const inOrder = [...rules.filter(({ isOfOne }) => isOfOne), ...rules];
  return (name) => inOrder.find(({ fits }) => fits(name))?.kind;
}

function unknownText(name: string, likeliest: MappedKind, isAlone: boolean): string {
  const option = isAlone ? likeliest : quoted(`${name}=${likeliest}`);
  return `${name}: neither its name nor its columns say what it holds. Run this again with --kind ${option}, or with another of ${KINDS_OF_FILES.join(', ')}.`;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** One file, or the files of a folder or an archive. */
async function filesOf(path: string): Promise<{
  readonly folder: string;
  readonly names: readonly string[];
  readonly remarks: string[];
  /** Whether there is only one file, so that remarks need not name it. */
  readonly isAlone: boolean;
}> {
  const isOne = !(await isFolder(path));
  const folder = isOne ? dirname(path) : path;
  const all: readonly Lying[] = isOne ? [{ path: basename(path) }] : await lyingIn(folder);
  const [names, remarks]: [string[], string[]] = [[], []];
  const take = (name: string): void => {
    if (MAPPED.test(basename(name))) names.push(name);
    else if (!NO_ROWS.test(name))
      remarks.push(`${name} is not read: load rejects it, unless it is removed or listed in "ignore_files".`);
  };
  for (const one of all) {
    const members = /\.zip$/i.test(one.path) ? await membersIn(folder, one.path) : undefined;
    for (const { path: name, reason } of members ?? [one]) {
      if (reason !== undefined) remarks.push(`${name} is not read: ${reason}.`);
      else if (isOne && !members) names.push(name);
      else take(name);
    }
  }
  if (names.length === 0)
    throw new WrongUsage([`${path} has no file to propose a mapping for.`, ...remarks].join(' '));
  return { folder, names, remarks, isAlone: isOne && !/\.zip$/i.test(path) };
}

/** Names of files that are read. */
const MAPPED = /^[^.].*\.(?:(?:ndjson|jsonl|json|csv|tsv|txt|dat)(?:\.gz)?|xlsx)$/i;

/** Reports, which contain no rows. */
const NO_ROWS = /\.html?$/i;

async function writeNew(path: string, text: string): Promise<void> {
  const file = await openNew(path);
  await file.writeFile(text);
  await file.close();
}
