import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { SERVICE_PROGRAM } from './paths.js';

/** The command-line options of a run. */
export interface BenchOptions {
  /** Length of a window, in seconds. */
  readonly seconds: number;
  /** Windows of each scenario and build; the median is reported. */
  readonly rounds: number;
  /** Names of scenarios; all by default. */
  readonly only?: readonly string[];
  /** Folder of another built checkout of this project, with which this build is compared. */
  readonly against?: string;
  /** Whether the result is written to docs/performance.md. */
  readonly write: boolean;
  /** Folder in which the temporary folder of the run is created. */
  readonly folder: string;
  /** Order of the accounts in the requests of the growth measurement. */
  readonly visits: 'scattered' | 'in-order';

  // Measurements to run instead of the scenarios; at most one of them.
  readonly longLists?: true;
  readonly loader?: true;
  readonly burst?: true;
  /** Number of accounts. */
  readonly bulk?: number;
  /** Numbers of stored rows. */
  readonly growth?: readonly number[];
  /** Number of stored transactions. */
  readonly screens?: number;
  readonly feed?: number;
  /** Addresses of databases, migrated and empty. */
  readonly nodes?: readonly string[];
}

const ROUNDS_DEFAULT = 3;
/** More rounds, because two builds usually differ by less than the rounds of one build do. */
const ROUNDS_DEFAULT_AGAINST = 12;

const SECONDS_MAX = 600;
const ROUNDS_MAX = 100;
const ROWS_MAX = 1_000_000_000;

const rowCount = wholeNumber(1_000, ROWS_MAX);

/** Measurements to run instead of the scenarios. */
const MEASUREMENTS = [
  new Option('--long-lists', 'measure the effect of lists with millions of items on other requests'),
  new Option('--loader', "measure the supplier's loader beside the driver of the benchmark"),
  new Option('--bulk [accounts]', 'measure staging, importing and listing many accounts')
    .argParser(rowCount)
    .preset('1000000'),
  new Option('--growth [sizes]', 'measure with few and with many rows stored')
    .argParser((text) => [...new Set(names(text).map(rowCount))])
    .preset('1000000,20000000'),
  new Option('--screens [transactions]', 'measure the pages of the console with many rows stored')
    .argParser(rowCount)
    .preset('20000000'),
  new Option('--feed [transactions]', 'measure how fast the platform reads the feed of a supplier')
    .argParser(rowCount)
    .preset('1000000'),
  new Option(
    '--burst',
    'measure the notes of an organisation beside another one that takes all it can get: unread answers, large pages and imports',
  ),
  new Option(
    '--nodes <urls>',
    'measure two suppliers at once on each of several databases, migrated and empty, for example on one node and on several',
  ).argParser(names),
];

/** With `--against`, these measure both builds. */
const COMPARES_BUILDS = ['longLists', 'burst'];

/** Read the arguments of `npm run bench --`. Invalid arguments end the process with a message. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const program = new Command('npm run bench --').description(
    'Measure the service, alone or beside an older build of it. Results are only meaningful on an idle machine.',
  );
  addCommonOptions(program);
  const measured = MEASUREMENTS.map((option) => option.attributeName());
  for (const option of MEASUREMENTS) {
    const name = option.attributeName();
    const others = measured.filter((other) => other !== name);
    option.conflicts([...others, ...(COMPARES_BUILDS.includes(name) ? [] : ['against'])]);
    program.addOption(option);
  }
  const options = program
    .parse(argv, { from: 'user' })
    .opts<Omit<BenchOptions, 'rounds'> & { rounds?: number }>();
  const comparesScenarios = options.against !== undefined && measured.every((name) => !(name in options));
  return { rounds: comparesScenarios ? ROUNDS_DEFAULT_AGAINST : ROUNDS_DEFAULT, ...options };
}

function addCommonOptions(program: Command): void {
  program
    .option('--seconds <n>', 'length of a window', number(0.2, SECONDS_MAX), 3)
    .option(
      '--rounds <n>',
      `windows of each scenario and build (default: ${ROUNDS_DEFAULT}, of the scenarios with --against ${ROUNDS_DEFAULT_AGAINST})`,
      wholeNumber(1, ROUNDS_MAX),
    )
    .option('--only <scenarios>', 'names of scenarios, separated by commas', names)
    .addOption(
      new Option('--against <folder>', 'compare this build with the one of another checkout of this project')
        .argParser(builtCheckout)
        .conflicts('write'),
    )
    .option('--write', 'write the result to docs/performance.md', false)
    .addOption(
      new Option('--visits <order>', 'order of the accounts under --growth')
        .choices(['scattered', 'in-order'])
        .default('scattered'),
    )
    .option(
      '--folder <folder>',
      'where the temporary folder of PostgreSQL is created',
      (text) => resolve(text),
      tmpdir(),
    );
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

/** @throws InvalidArgumentError when the folder contains no build of the service */
export function builtCheckout(text: string): string {
  const folder = resolve(text);
  const program = join(folder, SERVICE_PROGRAM);
  if (existsSync(program)) return folder;
  throw new InvalidArgumentError(`It must be a checkout that is built; ${program} does not exist.`);
}
