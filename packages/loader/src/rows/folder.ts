import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  ACCOUNTS,
  Archive,
  hint,
  isLikePart,
  namedBy,
  oddityOf,
  UnknownForm,
  UnreadableInput,
  whyOf,
  WrongUsage,
} from '@data-import/files';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { MappedKind } from '../kinds/fields.js';

const FORMS =
  '`NAME.ndjson`, `NAME.jsonl`, `NAME.csv`, `NAME.tsv`, `NAME.txt` or `NAME.xlsx`, or several `NAME-*.csv` and so on, each also with `.gz` or in a `.zip`';

/** A file or folder that is not loaded. */
export interface Other {
  /** Path below the folder. */
  readonly path: string;
  /** The reason why it is not loaded, as a sentence without its subject. */
  readonly reason: string;
}

/** The loaded and the other content of a folder. */
export interface FolderContent {
  /** For each kind, in the order in which kinds are loaded, the names of its files in order. Kinds without files are absent. */
  readonly files: ReadonlyMap<Kind, readonly string[]>;
  /** Unknown files that are not loaded (choice L1). */
  readonly others: readonly Other[];
  /** Files that the mapping marks as files of accounts. The loader passes over them. */
  readonly accounts: readonly string[];
  /** For each pattern, the number of files that it ignores. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** The form of the files in a folder, besides their names. */
export interface FolderOptions {
  /** Name patterns of files that are not loaded, see {@link namedBy}. */
  readonly ignore?: readonly string[];
  /** Paths of files that were passed to the command itself, such as a mapping. */
  readonly own?: readonly (string | undefined)[];
  /** The kinds that a mapping assigns to a file, regardless of its name. */
  readonly kindsOf?: (name: string) => readonly MappedKind[];
  /** The names of the parts that a mapping reads from a file; the name of the file if it is read as one. */
  readonly partsOf?: (name: string) => readonly string[];
}

/**
 * Find the files of a folder.
 *
 * @throws WrongUsage when it cannot be read, has no file to load, or has a file both packed and unpacked
 */
export async function findFiles(
  folder: string,
  { ignore = [], own = [], kindsOf = () => [], partsOf = (name) => [name] }: FolderOptions = {},
): Promise<FolderContent> {
  const kindsIn = (name: string): readonly (MappedKind | undefined)[] => {
    const given = kindsOf(name);
    return given.length > 0 ? given : [kindOf(name)];
  };
  const isLoaded = (name: string): boolean => kindsIn(name)[0] !== undefined;
  const patterns = ignore.map((pattern) => [pattern, namedBy([pattern])] as const);
  const ignored = new Map(ignore.map((pattern) => [pattern, 0]));
  const isIgnored = (path: string): boolean => {
    const fitting = patterns.filter(([, fits]) => fits(path));
    for (const [pattern] of fitting) ignored.set(pattern, (ignored.get(pattern) ?? 0) + 1);
    return fitting.length > 0;
  };
  const isOwn = new Set(own.flatMap((path) => (path === undefined ? [] : [resolve(path)])));
  const top = (await lyingIn(folder)).filter(
    ({ path }) => !isIgnored(path) && !isOwn.has(resolve(folder, path)),
  );
  const lying: Lying[] = [];
  for (const one of top) {
    const found = isArchive(one) ? await membersIn(folder, one.path) : [one];
    lying.push(...found.filter(({ path }) => !isIgnored(path)));
  }
  const names = lying.flatMap(({ path, reason }) => (reason === undefined ? partsOf(path) : []));
  const files = new Map(
    KINDS.map((kind) => [kind, names.filter((name) => kindsIn(name).includes(kind))] as const).filter(
      ([, found]) => found.length > 0,
    ),
  );
  const others: Other[] = [];
  for (const { path, reason } of lying) {
    if (reason !== undefined) others.push({ path, reason });
    else if (!isLoaded(path) && !(await isReport(join(folder, path))))
      others.push({ path, reason: reasonOf(path) });
  }
  if (files.size === 0) {
    const found = others.length > 0 ? `\n${listOf(others)}` : '';
    throw new UnknownForm(
      `${folder} has no file to load: ${FORMS}, where NAME is ${KINDS.join(', ')}.${found}`,
    );
  }
  const twice = names.find((name) => isLoaded(name) && names.includes(`${name}.gz`));
  if (twice !== undefined) {
    throw new WrongUsage(`${folder} has both ${twice} and ${twice}.gz; remove one of them.`);
  }
  const accounts = names.filter((name) => kindsIn(name).includes(ACCOUNTS.name));
  return { files, others, accounts, ignored };
}

/** @throws WrongUsage that names the files that are not loaded, with the reason for each (choice L1) */
export function expectNoOthers(folder: string, { others }: FolderContent): void {
  const [first] = others;
  if (!first) return;
  throw new UnknownForm(
    `${folder} has files that are not loaded, so nothing is sent:\n${listOf(others)}\nRename, move or remove them, or ignore them: --ignore PATTERN, such as --ignore '${first.path}'.`,
  );
}

/** The most files that are named in the message about files that are not loaded. */
const SAID_MAX = 20;

function listOf(others: readonly Other[]): string {
  const lines = others.slice(0, SAID_MAX).map(({ path, reason }) => `  ${path}: ${reason}`);
  const left = others.length - lines.length;
  return [...lines, ...(left > 0 ? [`  and ${left.toLocaleString('en')} more`] : [])].join('\n');
}

const FORM = /\.(?:ndjson|jsonl|csv|tsv|txt|xlsx)$/;

/** @returns the kind that follows from a file name; undefined if none follows, or if the form of the file is not supported */
export function kindOf(name: string): Kind | undefined {
  const unpacked = name.slice(name.lastIndexOf('/') + 1).replace(/\.gz$/, '');
  const stem = unpacked.replace(FORM, '');
  if (stem === unpacked || name.endsWith('.xlsx.gz')) return undefined;
  return KINDS.find((kind) => stem === kind || stem.startsWith(`${kind}-`));
}

/** Files of the system, locks of Excel (`~$NAME`) and LibreOffice (`.~lock.NAME#`), of the loader and of `sample`, which contain no rows. */
const KNOWN = /^(?:\..*|~\$.*|thumbs\.db|desktop\.ini|__MACOSX)$/i;
const OWN = new Set(['failures', 'corrected', 'dry-run', 'accounts.ndjson', 'expected.json', 'loaded.json']);

/** The beginning of the loader's pages, see report/html.ts. */
export const REPORT_MARK = '<!doctype html>\n<!-- data-import-loader -->';

/** Whether a file is a report that an earlier command wrote into the folder. */
async function isReport(path: string): Promise<boolean> {
  if (!/\.html?$/i.test(path)) return false;
  const file = await open(path).catch(() => undefined);
  try {
    const bytes = Buffer.alloc(REPORT_MARK.length);
    await file?.read(bytes, 0, bytes.length, 0);
    return bytes.toString() === REPORT_MARK;
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

const REASONS: readonly (readonly [ending: RegExp, reason: string])[] = [
  [/\.(?:part|partial|filepart|crdownload|download|tmp|new)$/i, 'it looks like an unfinished copy'],
  [/\.xlsx\.gz$/i, 'a workbook is packed already; unpack it'],
  [/\.(?:xls[mb]?|ods)$/i, 'workbooks of this format are not supported; save it as .xlsx'],
  [/\.(?:7z|rar|tar|tgz)(?:\.gz)?$/i, 'archives of this format are not supported; zip (.zip) is'],
  [/\.zip$/i, 'it is an archive within another; unpack it'],
  [/\.(?:zst|bz2|xz|lz4|lzma|Z)$/, 'it is compressed in a format that is not supported; gzip (.gz) is'],
];

function reasonOf(name: string): string {
  const known = REASONS.find(([ending]) => ending.test(name));
  if (known) return known[1];
  const stem = name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/\..*$/, '')
    .replace(/[-_ ]?\d+$/, '');
  const isOfKind = KINDS.some((kind) => stem === kind || stem.startsWith(`${kind}-`));
  if (isOfKind) return 'its file name extension is not supported';
  return `its name does not start with a kind.${hint(stem, KINDS)}`;
}

/** A file in a folder or in one of its archives. */
export interface Lying {
  readonly path: string;
  /** The reason why it is not loaded; undefined if it can be loaded. */
  readonly reason?: string;
}

/** All files in a folder and its subfolders, ordered by name, without skipped files (choice L1). */
export async function lyingIn(folder: string): Promise<Lying[]> {
  const found: Lying[] = [];
  const look = async (below: string): Promise<void> => {
    const entries = await entriesOf(join(folder, below));
    const isSample = entries.some(({ name }) => name === 'expected.json');
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      const path = below === '' ? name : `${below}/${name}`;
      if (KNOWN.test(name)) continue;
      if (below === '' && (OWN.has(name) || (isSample && name === 'documents'))) continue;
      if (entry.isDirectory()) {
        await look(path);
        continue;
      }
      const is = entry.isFile() ? undefined : await oddityOf(join(folder, path));
      const isPart = isLikePart(name) ? 'its name is that of a part of another file' : undefined;
      const reason = is ? `it is ${is}` : below === '' ? isPart : 'it is in a subfolder';
      found.push({ path, ...(reason !== undefined && { reason }) });
    }
  };
  await look('');
  return found;
}

function isArchive({ path, reason }: Lying): boolean {
  return reason === undefined && /\.zip$/i.test(path);
}

/** Control characters that a terminal would interpret. */
const CONTROLS = /[\0-\x1f\x7f-\x9f]/g;

/**
 * The members of an archive, as if it were the folder. A single top folder that all of them share is ignored. An archive that cannot
 * be read is listed itself.
 */
export async function membersIn(folder: string, archiveName: string): Promise<Lying[]> {
  let archive: Archive;
  try {
    archive = await Archive.open(join(folder, archiveName));
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    const reason = error.message.replace(`${archiveName} cannot be read: `, '').replace(/\.$/, '');
    return [{ path: archiveName, reason }];
  }
  archive.close();
  const members = archive.members
    .filter(({ name }) => !name.split('/').some((part) => KNOWN.test(part) && !/^\.+$/.test(part)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (members.length === 0) return [{ path: archiveName, reason: 'it is an archive without files' }];
  const [first = '', ...below] = members[0]?.name.split('/') ?? [];
  const shared = below.length > 0 && members.every(({ name }) => name.startsWith(`${first}/`)) ? first : '';
  const begin = shared === '' ? 0 : shared.length + 1;
  return members.map(({ name, problem }): Lying => {
    const path = `${archiveName}/${name.replaceAll(CONTROLS, '\uFFFD')}`;
    const isWithin = /\.zip$/i.test(name) ? reasonOf(name) : undefined;
    const isBelow = name.includes('/', begin) ? 'it is in a subfolder' : undefined;
    const isStrange = path.endsWith(name) ? undefined : 'its name has characters that are not text';
    const isPart = isLikePart(name) ? 'its name is that of a part of another file' : undefined;
    const reason = problem ?? isStrange ?? isWithin ?? isBelow ?? isPart;
    return { path, ...(reason !== undefined && { reason }) };
  });
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new WrongUsage(`The folder ${folder} cannot be read: ${whyOf(error)}.`, { cause: error });
  }
}
