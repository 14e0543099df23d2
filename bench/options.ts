import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { SERVICE_PROGRAM } from './contenders.js';

/** The options of a run. */
export interface BenchOptions {
  /** Length of a window, in seconds. */
  readonly seconds: number;
  /** Windows of each scenario and contender; the median is reported. */
  readonly rounds: number;
  /** Names of scenarios; default: all. */
  readonly only?: readonly string[];
  /** Names of contenders; default: the first three. */
  readonly contenders?: readonly string[];
  /** Folder of a built checkout of this project with which this build is compared. */
  readonly against?: string;
  /** Whether the result is written to docs/performance.md. */
  readonly write: boolean;
  /** Number of accounts, for the bulk measurement. */
  readonly bulk?: number;
  /** Numbers of stored rows, for the growth measurement. */
  readonly growth?: readonly number[];
  /** Number of stored transactions, for the measurement of the console's pages. */
  readonly screens?: number;
  /** Number of stored transactions, for the measurement of what accounts hold. */
  readonly contents?: number;
  /** Number of transactions that are removed, for the measurement of undoing import requests. */
  readonly undo?: number;
  /** Number of imports that are sent at once, for the burst measurement. */
  readonly burst?: number;
  /** Whether requests are measured beside others whose lists have millions of items. */
  readonly longLists: boolean;
  /** Whether the loader is measured beside the driver of the benchmark. */
  readonly loader: boolean;
  /** Addresses of databases, migrated and empty, that are measured with two suppliers at once. */
  readonly nodes?: readonly string[];
  /** Order of the accounts in the requests of the growth measurement. */
  readonly visits: 'scattered' | 'in-order';
  /** Folder in which the temporary folder of the run is created. */
  readonly folder: string;
}

const ROUNDS_DEFAULT = 3;
/** More, because two builds usually differ by less than the rounds of one build. */
const ROUNDS_DEFAULT_AGAINST = 12;
const BULK_DEFAULT = 1_000_000;
const GROWTH_DEFAULT = [1_000_000, 20_000_000];
const SCREENS_DEFAULT = 20_000_000;
const CONTENTS_DEFAULT = 1_000_000;
const UNDO_DEFAULT = 1_000_000;

const BURST_DEFAULT = 1_500;

const SECONDS_MAX = 600;
const ROUNDS_MAX = 100;
const ROWS_MAX = 1_000_000_000;
const BURST_MAX = 20_000;

/** Read the arguments of `npm run bench --`. Wrong ones end the process with a message. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const program = new Command('npm run bench --')
    .description(
      'Measure the service and two comparison servers on one PostgreSQL. Results are only meaningful on an idle machine.',
    )
    .option('--seconds <n>', 'length of a window', number(0.2, SECONDS_MAX), 3)
    .option(
      '--rounds <n>',
      `windows of each scenario and contender (default: ${ROUNDS_DEFAULT}, with --against ${ROUNDS_DEFAULT_AGAINST})`,
      wholeNumber(1, ROUNDS_MAX),
    )
    .option('--only <scenarios>', 'names of scenarios, separated by commas', names)
    .option(
      '--contenders <contenders>',
      'service, floor, tutorial, floor-behind-nest, separated by commas (default: the first three)',
      names,
    )
    .addOption(
      new Option('--against <folder>', 'compare this build with the one of another checkout of this project')
        .argParser(builtCheckout)
        .conflicts(['contenders', 'write', 'bulk', 'growth']),
    )
    .option('--write', 'write the result to docs/performance.md', false)
    .option('--bulk [accounts]', 'measure staging, importing and listing many accounts', rowCount)
    .option('--growth [sizes]', 'measure with few and with many rows stored', growthSizes)
    .addOption(
      new Option('--long-lists', 'measure the effect of lists with millions of items on other requests')
        .default(false)
        .conflicts(['contenders', 'write', 'bulk', 'growth']),
    )
    .addOption(
      new Option('--loader', "measure the supplier's loader beside the driver of the benchmark")
        .default(false)
        .conflicts(['contenders', 'bulk', 'growth', 'against', 'longLists']),
    )
    .option('--screens [transactions]', 'measure the pages of the console with many rows stored', rowCount)
    .option('--contents [transactions]', 'measure the list of what accounts hold', rowCount)
    .option('--undo [transactions]', 'measure undoing import requests of 20 transactions', rowCount)
    .option(
      '--burst [requests]',
      'measure the status requests of an organisation while another sends many large imports at once',
      burstSize,
    )
    .addOption(
      new Option(
        '--nodes <urls>',
        'measure two suppliers at once on each of several databases, migrated and empty, for example on one node and on several',
      )
        .argParser(names)
        .conflicts(['contenders', 'write', 'bulk', 'growth', 'burst', 'against', 'longLists']),
    )
    .option(
      '--visits <order>',
      'order of the accounts under --growth: scattered, in-order',
      visits,
      'scattered',
    )
    .option(
      '--folder <folder>',
      'where the temporary folder of PostgreSQL is created',
      resolveFolder,
      tmpdir(),
    )
    .parse(argv, { from: 'user' });
  const options = program.opts<
    Omit<BenchOptions, 'rounds' | 'bulk' | 'growth' | 'burst' | 'screens' | 'contents' | 'undo'> & {
      rounds?: number;
      bulk?: number | true;
      growth?: readonly number[] | true;
      burst?: number | true;
      screens?: number | true;
      contents?: number | true;
      undo?: number | true;
    }
  >();
  const { bulk, growth, burst, screens, contents, undo, ...rest } = options;
  return {
    rounds: rest.against === undefined || burst !== undefined ? ROUNDS_DEFAULT : ROUNDS_DEFAULT_AGAINST,
    ...rest,
    ...(bulk !== undefined && { bulk: bulk === true ? BULK_DEFAULT : bulk }),
    ...(burst !== undefined && { burst: burst === true ? BURST_DEFAULT : burst }),
    ...(screens !== undefined && { screens: screens === true ? SCREENS_DEFAULT : screens }),
    ...(contents !== undefined && { contents: contents === true ? CONTENTS_DEFAULT : contents }),
    ...(undo !== undefined && { undo: undo === true ? UNDO_DEFAULT : undo }),
    ...(growth !== undefined && { growth: growth === true ? GROWTH_DEFAULT : growth }),
  };
}

export function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  const read = number(min, max);
  return (text) => {
    const value = read(text);
    if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
    return value;
  };
}

export function names(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

const rowCount = wholeNumber(1_000, ROWS_MAX);

const burstSize = wholeNumber(1, BURST_MAX);

function growthSizes(text: string): number[] {
  return [...new Set(names(text).map(wholeNumber(1_000, ROWS_MAX)))];
}

function visits(text: string): BenchOptions['visits'] {
  if (text === 'scattered' || text === 'in-order') return text;
  throw new InvalidArgumentError('It must be scattered or in-order.');
}

function resolveFolder(text: string): string {
  return resolve(text);
}

/** @throws InvalidArgumentError when the folder holds no build of the service */
export function builtCheckout(text: string): string {
  const folder = resolve(text);
  const program = join(folder, SERVICE_PROGRAM);
  if (existsSync(program)) return folder;
  throw new InvalidArgumentError(`It must be a checkout that is built; ${program} does not exist.`);
}
