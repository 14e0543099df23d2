import { readdir } from 'node:fs/promises';
import { WrongUsage } from '../common/errors.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { namedBy } from './name-patterns.js';

const FORMS = '`NAME.ndjson`, `NAME.csv`, `NAME-*.ndjson` or `NAME-*.csv`, each also with `.gz`';

/** What of a folder is loaded. */
export interface FolderContent {
  /** By kind, in the order in which kinds are loaded, the names of its files in their order; without kinds that have none. */
  readonly files: ReadonlyMap<Kind, readonly string[]>;
  /** Names of data files that are not loaded because their names say no kind: to be shown to whoever misspelt one. */
  readonly others: readonly string[];
}

/** What is known of the files of a folder beside their names. */
export interface FolderOptions {
  /** Patterns of names, see {@link namedBy}: such files are not loaded. */
  readonly ignore?: readonly string[];
  /** The kind that a mapping gives a file, whatever its name says. */
  readonly kindOf?: (name: string) => Kind | undefined;
}

/**
 * Find the files of a folder.
 *
 * @throws WrongUsage when it cannot be read, has no file to load, or has a file both packed and unpacked
 */
export async function findFiles(
  folder: string,
  { ignore = [], kindOf: given }: FolderOptions = {},
): Promise<FolderContent> {
  const isIgnored = namedBy(ignore);
  const names = (await namesIn(folder)).filter((name) => !isIgnored(name));
  const kindIn = (name: string): Kind | undefined => given?.(name) ?? kindOf(name);
  const files = new Map(
    KINDS.map((kind) => [kind, names.filter((name) => kindIn(name) === kind)] as const).filter(
      ([, found]) => found.length > 0,
    ),
  );
  if (files.size === 0) {
    throw new WrongUsage(`${folder} has no file to load: ${FORMS}, where NAME is ${KINDS.join(', ')}.`);
  }
  const twice = names.find((name) => kindIn(name) !== undefined && names.includes(`${name}.gz`));
  if (twice !== undefined) {
    throw new WrongUsage(`${folder} has both ${twice} and ${twice}.gz; remove one of them.`);
  }
  const others = names.filter(
    (name) => /\.(?:ndjson|jsonl?|csv)(?:\.gz)?$/i.test(name) && !given?.(name) && !isKnown(name),
  );
  return { files, others };
}

/** @returns the kind that a file name says; undefined when it says none */
export function kindOf(name: string): Kind | undefined {
  const stem = /^(.+)\.(?:ndjson|csv)(?:\.gz)?$/.exec(name)?.[1];
  return KINDS.find((kind) => stem === kind || stem?.startsWith(`${kind}-`));
}

/** Whether the file is CSV; otherwise it is NDJSON. */
export function isCsv(name: string): boolean {
  return /\.csv(?:\.gz)?$/.test(name);
}

/** What separates the cells of a table. */
export function delimiterOf(name: string): ',' | '\t' {
  return /\.tsv(?:\.gz)?$/.test(name) ? '\t' : ',';
}

export function isPacked(name: string): boolean {
  return name.endsWith('.gz');
}

/** The files that `sample` writes for other commands are known too. */
function isKnown(name: string): boolean {
  return kindOf(name) !== undefined || name === 'accounts.ndjson' || name === 'expected.json';
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new WrongUsage(`The folder ${folder} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
