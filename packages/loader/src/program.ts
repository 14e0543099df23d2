import { Command, CommanderError, Option } from 'commander';
import { UnreadableInput, WrongUsage } from '@data-import/files';
import { commandText, optionsText } from './commands/continue.js';
import { load } from './commands/load.js';
import { mapCommand, type MapOptions } from './commands/map.js';
import { retry } from './commands/retry.js';
import { writeSample } from './commands/sample.js';
import { failures, status, type StateFlags } from './commands/state.js';
import { verify } from './commands/verify.js';
import {
  IGNORE,
  LOAD_OPTIONS,
  SERVICE_OPTIONS,
  whole,
  type LoadFlags,
  type ServiceFlags,
} from './commands/options.js';
import { EXIT, failureText, type Terminal } from './commands/terminal.js';
import { KINDS } from './kinds/kinds.js';
import { countText } from './report/progress.js';
import { VERSION } from './common/version.js';

/**
 * Run one command line.
 *
 * @param args the arguments without the name of the program
 * @returns the exit code
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.complete;
  const program = commands(terminal, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    if (error instanceof WrongUsage || error instanceof UnreadableInput) {
      terminal.say(error.message);
      return EXIT.usage;
    }
    terminal.say(failureText(error));
    return EXIT.stopped;
  }
}

function commands(terminal: Terminal, ended: (code: number) => void): Command {
  const program = new Command('data-import-loader')
    .description(
      "Loads a supplier's files into the data-import service, and continues where it was interrupted.",
    )
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.print,
      writeErr: (text) => {
        terminal.say(text.trimEnd());
      },
    })
    .addHelpText('after', AFTER_HELP);
  loadCommand(program, 'load', 'send every row of a folder that the service does not have yet')
    .option('--again', 'ignore earlier acknowledgements and send everything again')
    .option('--limit <number>', 'only this number of accounts, from the beginning of the folder')
    .action(async (folder: string, flags: LoadFlags) => {
      ended(await load(folder, flags, terminal));
    });
  loadCommand(program, 'retry', 'send failed rows again, as they are in failures/ now')
    .option('--group <number>', 'only the rows of one group, by its number in "failures"')
    .action(async (folder: string, flags: LoadFlags) => {
      ended(await retry(folder, flags, terminal));
    });
  withServiceOptions(
    program
      .command('verify')
      .description('compare every row of one folder or several with what the service has')
      .argument('<folders...>', 'folders with the files, in the order in which they were loaded'),
  )
    .option('--again', 'start an interrupted comparison again from the beginning')
    .action(async (folders: string[], flags: ServiceFlags) => {
      ended(await verify(folders, flags, terminal));
    });
  program
    .command('status')
    .description('show which rows the service has, which failed and which are not sent')
    .argument('<folder>', 'folder with the files')
    .option('--mapping <file>', 'mapping file, for files with other names, dates or numbers')
    .option(IGNORE, 'files and subfolders that are ignored', collected)
    .option('--json', 'print the result as one JSON document')
    .action(async (folder: string, flags: StateFlags) => {
      ended(await status(folder, flags, terminal));
    });
  program
    .command('failures')
    .description('show failed rows by cause')
    .argument('<folder>', 'folder with the files')
    .option('--json', 'print the result as one JSON document')
    .action(async (folder: string, flags: { json?: boolean }) => {
      ended(await failures(folder, flags, terminal));
    });
  preparing(program, terminal);
  for (const command of [program, ...program.commands]) command.exitOverride().allowExcessArguments(false);
  return program;
}

/** The commands that need no service. */
function preparing(program: Command, terminal: Terminal): void {
  program
    .command('map')
    .description(
      'propose a mapping for a file with other names, dates or numbers, and show its first rows with it',
    )
    .argument('<file>', 'NDJSON, a table or a workbook, also packed, or a folder or a .zip of such files')
    .option('--kind <name>', 'KIND or NAME=KIND: what files hold; can be repeated', collected)
    .option('--output <file>', 'write the mapping there')
    .action((file: string, flags: MapOptions) => mapCommand(file, flags, terminal));
  program
    .command('sample')
    .description('write sample files to try the loader')
    .argument('<folder>', 'folder for the files')
    .option('--accounts <number>', 'number of accounts, each with 25 rows', '100')
    .option('--seed <number>', 'the same seed gives the same files', '1')
    .option('--bad <number>', 'number of rows that are rejected, in addition to the others', '0')
    .option('--documents <folder>', 'also write the documents that rows refer to into this folder')
    .option('--order <grouped|mixed>', 'whether the rows of an account are together', 'grouped')
    .action(async (folder: string, flags: SampleFlags) => {
      if (flags.order !== 'grouped' && flags.order !== 'mixed') {
        throw new WrongUsage(`--order: expected grouped or mixed, not ${flags.order}.`);
      }
      const { rows, documents } = await writeSample(folder, {
        accounts: whole(flags.accounts, '--accounts', 0, 1e9),
        seed: whole(flags.seed, '--seed', 0, 2 ** 31),
        bad: whole(flags.bad, '--bad', 0, 1e9),
        documents: flags.documents,
        order: flags.order,
      });
      const counts = Object.entries(rows).map(([kind, count]) => `${countText(count)} ${kind}`);
      const next = commandText('load', folder, optionsText({ dryRun: true }), terminal.environment);
      terminal.print(
        `${counts.join(', ')}; ${countText(documents)} documents.\nAn operator of the service stages and imports the accounts of ${folder}/accounts.ndjson. Then:\n${next}\n`,
      );
    });
}

interface SampleFlags {
  readonly accounts: string;
  readonly seed: string;
  readonly bad: string;
  readonly documents?: string;
  readonly order: string;
}

function loadCommand(program: Command, name: string, description: string): Command {
  const command = program
    .command(name)
    .description(description)
    .argument('<folder>', 'folder with the files');
  return withServiceOptions(command, LOAD_OPTIONS);
}

function withServiceOptions(command: Command, more: typeof SERVICE_OPTIONS = []): Command {
  for (const [flags, description, byDefault] of [...SERVICE_OPTIONS, ...more]) {
    if (flags === IGNORE) command.option(flags, description, collected);
    else command.option(flags, description, byDefault);
  }
  return command.addOption(new Option('--api-key [key]').hideHelp().argParser(refuseKey));
}

/** Collect the values of an option that is given more than once. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Refuse a key as an argument. Everyone on the machine can see arguments, and shells store them. */
function refuseKey(): never {
  throw new WrongUsage(
    'The API key is not accepted as an argument, which everyone on this machine can see. Set DATA_IMPORT_API_KEY, or give --api-key-file FILE.',
  );
}

const AFTER_HELP = `
A folder holds ${KINDS.join(', ')}, each as NAME.ndjson, NAME.jsonl,
NAME.csv, NAME.tsv, NAME.txt or NAME.xlsx, or several NAME-*.csv and so on, all also with .gz or in a .zip. Any other
file in it is listed, and nothing is sent, unless --ignore excludes it.

Exit codes: 0 the service has every row, 1 some failed or differ, 2 wrong usage or an unreadable file, 3 stopped before the end.`;
