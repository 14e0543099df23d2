import { readFile } from 'node:fs/promises';
import { expectFilledIn, oddityOf, unknownName, whyOf, WrongUsage, type Mapping } from '@data-import/files';
import type { FolderOptions } from '../rows/folder.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { MappedKind } from '../kinds/fields.js';
import { parseMapping } from '../kinds/mapping.js';

/** Options, as on the command line, of every command that calls the service. `verify` has only these. */
export interface ServiceFlags {
  readonly baseUrl?: string;
  readonly supplier?: string;
  readonly apiKeyFile?: string;
  readonly kinds?: string;
  readonly concurrency: string;
  readonly giveUpAfter: string;
  readonly mapping?: string;
  readonly ignore?: readonly string[];
  readonly report?: string;
  readonly json?: boolean;
  readonly again?: boolean;
}

/** Options of `load` and `retry`, as on the command line. */
export interface LoadFlags extends ServiceFlags {
  readonly itemsPerRequest: string;
  readonly maxErrors?: string;
  readonly forceAddToCurrentStatement?: string;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly limit?: string;
  readonly group?: string;
}

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly supplier: string;
  readonly apiKey: string;
  /** The kinds in the order in which they are loaded. */
  readonly kinds: readonly Kind[];
  readonly concurrency: number;
  readonly giveUpAfterMs: number;
  readonly mapping: Mapping<MappedKind>;
  /** The form of the files in a folder, besides their names. */
  readonly folderOptions: FolderOptions;
  readonly report: string | undefined;
  readonly isJson: boolean;
  readonly isAgain: boolean;
}

export interface LoadOptions extends ServiceOptions {
  readonly folder: string;
  readonly itemsPerRequest: number;
  readonly maxErrors: number;
  /** Whether the service may move transactions into the open statement period. Undefined: not specified, so it may not. */
  readonly forceAddToCurrentStatement: boolean | undefined;
  readonly isDryRun: boolean;
  /** Whether the run ends with a check that the service has the rows. */
  readonly hasCheck: boolean;
  /** The number of accounts to load; undefined for all. */
  readonly limit: number | undefined;
  readonly group: number | undefined;
}

/** An option as it is typed, its description, and its default. */
type OptionRow = readonly [flags: string, description: string, byDefault?: string];

/** The only option that can be repeated. */
export const IGNORE = '--ignore <pattern>';

/** The options of every command that calls the service. */
export const SERVICE_OPTIONS: readonly OptionRow[] = [
  ['--base-url <url>', 'address of the service (DATA_IMPORT_BASE_URL)'],
  ['--supplier <code>', 'code of the import supplier (DATA_IMPORT_SUPPLIER)'],
  ['--api-key-file <file>', 'file with the API key, unless DATA_IMPORT_API_KEY has it'],
  ['--kinds <list>', `only some of ${KINDS.join()}`],
  ['--concurrency <number>', 'accounts that are sent or compared concurrently', '8'],
  [
    '--give-up-after <duration>',
    'stop when the service was unavailable for this long, such as 30s or 2h',
    '10m',
  ],
  ['--mapping <file>', 'mapping file, for files with other names, dates or numbers'],
  [IGNORE, 'ignore files and subfolders of this name, with * and ?; can be repeated'],
  ['--report <file>', 'write a report as one HTML file'],
  ['--json', 'print the result as one JSON document'],
];

/** The additional options of `load` and `retry`. */
export const LOAD_OPTIONS: readonly OptionRow[] = [
  ['--items-per-request <number>', 'largest number of rows in one request', '500'],
  ['--max-errors <number>', 'stop when more rows than this have failed'],
  [
    '--force-add-to-current-statement <true|false>',
    'whether transactions outside the open statement period are moved into it; without it they fail',
  ],
  ['--dry-run', 'check every row with the service and store nothing'],
  ['--no-check', 'do not check at the end that the service has every row'],
];

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws WrongUsage that names the option */
export async function readLoadOptions(
  folder: string,
  flags: LoadFlags,
  environment: Environment,
): Promise<LoadOptions> {
  const force = flags.forceAddToCurrentStatement;
  const own = {
    folder,
    itemsPerRequest: whole(flags.itemsPerRequest, '--items-per-request', 1, 100_000),
    maxErrors: flags.maxErrors === undefined ? Infinity : whole(flags.maxErrors, '--max-errors', 0, 1e15),
    forceAddToCurrentStatement:
      force === undefined ? undefined : trueOrFalse(force, '--force-add-to-current-statement'),
    isDryRun: flags.dryRun === true,
    hasCheck: flags.check !== false,
    limit: flags.limit === undefined ? undefined : whole(flags.limit, '--limit', 1, 1e9),
    group: flags.group === undefined ? undefined : whole(flags.group, '--group', 1, 1e9),
  };
  return { ...(await readServiceOptions(flags, environment)), ...own };
}

/** @throws WrongUsage that names the option */
export async function readServiceOptions(
  flags: ServiceFlags,
  environment: Environment,
): Promise<ServiceOptions> {
  const baseUrl = required(flags.baseUrl, 'BASE_URL', environment);
  const supplier = required(flags.supplier, 'SUPPLIER', environment);
  const mapping = await readMappingFile(flags.mapping);
  return {
    baseUrl: baseUrlOf(baseUrl),
    supplier,
    kinds: kindsOf(flags.kinds),
    concurrency: whole(flags.concurrency, '--concurrency', 1, 256),
    giveUpAfterMs: duration(flags.giveUpAfter, '--give-up-after'),
    mapping,
    folderOptions: folderOptionsOf(mapping, flags.ignore, [flags.mapping, flags.report, flags.apiKeyFile]),
    report: flags.report,
    isJson: flags.json === true,
    isAgain: flags.again === true,
    apiKey: await readApiKey(flags.apiKeyFile, environment),
  };
}

/** @throws WrongUsage, whose message never contains the key */
async function readApiKey(file: string | undefined, environment: Environment): Promise<string> {
  const fromEnvironment = environment.DATA_IMPORT_API_KEY;
  if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment.trim();
  if (file === undefined) {
    throw new WrongUsage(
      'Give the API key in the environment variable DATA_IMPORT_API_KEY or in a file: --api-key-file FILE.',
    );
  }
  const key = (await textOf(file, '--api-key-file')).trim();
  if (key === '' || /\s/.test(key))
    throw new WrongUsage(`--api-key-file: ${file} must have one API key and nothing else.`);
  return key;
}

/** @param file undefined for a folder without a mapping */
export async function readMappingFile(file: string | undefined): Promise<Mapping<MappedKind>> {
  const text = file === undefined ? '{}' : await textOf(file, '--mapping');
  expectFilledIn(text, file ?? '');
  return parseMapping(text, file ?? '');
}

/**
 * @param names the names of the files in all folders
 * @throws WrongUsage that names the entries of the mapping with which no file is read (choice L1)
 */
export function expectUsed({ mapping, kinds }: ServiceOptions, names: readonly string[]): void {
  const unused = mapping.unused(names, kinds);
  if (unused.length === 0) return;
  throw new WrongUsage(
    `The mapping file has entries that nothing uses, so nothing is sent:\n${unused.map((one) => `  ${one}`).join('\n')}`,
  );
}

/** Combine the mapping file's and the command line's options for the files of a folder. */
export function folderOptionsOf(
  mapping: Mapping<MappedKind>,
  ignore: readonly string[] = [],
  own: FolderOptions['own'] = [],
): FolderOptions {
  return { ...mapping, ignore: [...ignore, ...mapping.ignore], own };
}

/** Shells pass the output of a command as a pipe below `/dev`. Any other pipe may never have a writer. */
async function textOf(file: string, option: string): Promise<string> {
  const is = /^\/(?:dev|proc)\//.test(file) ? undefined : await oddityOf(file);
  if (is !== undefined) throw new WrongUsage(`${option}: ${file} is ${is}.`);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`${option}: ${file} cannot be read: ${whyOf(error)}.`, { cause: error });
  }
}

/** @param name the name of the variable without its prefix; that of the option differs from it in case only */
function required(typed: string | undefined, name: string, environment: Environment): string {
  const variable = `DATA_IMPORT_${name}`;
  const value = typed ?? environment[variable];
  if (value !== undefined && value !== '') return value;
  throw new WrongUsage(`Give --${name.toLowerCase().replace('_', '-')} or set ${variable}.`);
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WrongUsage('--base-url: expected an address that begins with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new WrongUsage('--base-url: expected an address without user, password, query and fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function kindsOf(text: string | undefined): readonly Kind[] {
  if (text === undefined) return KINDS;
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (KINDS.some((kind) => kind === name)) continue;
    throw unknownName(`--kinds: ${name} is no kind.`, name, KINDS);
  }
  return KINDS.filter((kind) => names.includes(kind));
}

export function whole(text: string, option: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new WrongUsage(
    `${option}: expected a whole number from ${min}${max < 1e9 ? ` to ${max}` : ''}, not ${text}.`,
  );
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
export function duration(text: string, option: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined || Number(number) === 0) {
    throw new WrongUsage(`${option}: expected a duration such as 30s, 10m or 2h, not ${text}.`);
  }
  return Number(number) * factor;
}

function trueOrFalse(text: string, option: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new WrongUsage(`${option}: expected true or false, not ${text}.`);
}
