import { existsSync } from 'node:fs';
import { constants, userInfo } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError } from 'commander';
import { registerAccountsCommands } from '../accounts/accounts.commands.js';
import { registerAuthCommands } from '../auth/auth.commands.js';
import { registerCatalogueCommands } from '../catalogues/catalogues.commands.js';
import { AppError } from '../common/errors.js';
import { createLogger } from '../common/logger.js';
import type {
  CommandAction,
  CommandResult,
  CommandContext,
  Progress,
  ProgressOptions,
  RegisterCommands,
} from '../common/operator-command.js';
import { isBrokenPipe, ignoreOutputErrors } from '../common/standard-output.js';
import { CommandError } from '../common/command-error.js';
import { databaseComplaint } from '../common/sql-state.js';
import { readEnvironment, StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';
import { registerDatabaseCommands } from '../database/database.commands.js';
import { migrate, missingMigrations, openDatabase, type OpenDatabase } from '../database/open-database.js';
import { registerDocumentsCommands } from '../documents/documents.commands.js';
import { registerImportSuppliersCommands } from '../import-suppliers/import-suppliers.commands.js';

/** The rooms' commands, in the order of the help. */
const COMMANDS: readonly RegisterCommands[] = [
  registerAuthCommands,
  registerImportSuppliersCommands,
  registerAccountsCommands,
  registerCatalogueCommands,
  registerDocumentsCommands,
  registerDatabaseCommands,
];

const REFUSED = 1;
const WRONG_USAGE = 2;
/** What shells add to the number of the signal that ended a command. */
const ENDED_BY_SIGNAL = 128;

/** A Ctrl-C may arrive twice, from the terminal and from npm; one that comes this much later is meant as a second. */
const SECOND_SIGNAL_MS = 1_000;

const EXAMPLES = `
Examples:
  data-import supplier create ACME --name "Acme Energy" --organisation Acme
  data-import accounts stage ACME accounts.ndjson
  data-import accounts import ACME
  data-import migration status ACME --json

Exit code: 0 done, 1 refused or failed, 2 wrong usage, 130 or 143 ended by a signal.`;

/**
 * Run one operator command and set the exit code: 0 done, 1 refused or failed, 2 wrong usage. A command that does not ask
 * whether it is interrupted ends at the first SIGINT or SIGTERM with 128 and the signal's number, any other at a second.
 *
 * @param argv the words after `data-import`
 * @param calledFrom the folder in which they were typed
 * Source: contract, section 6.
 */
export async function main(argv: readonly string[], calledFrom: string): Promise<void> {
  const asJson = wantsJson(argv);
  ignoreOutputErrors();
  process.stdout.on('error', failUnlessLostReader);
  const session = new Session(calledFrom, asJson);
  try {
    await buildProgram(session, asJson, session.ended).parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error, asJson);
    if (error instanceof Interruption) await session.abandon();
  } finally {
    await session.close();
  }
}

/** Whoever reads may stop reading, as `head` does; but what a full disk did not take was never told. */
function failUnlessLostReader(error: Error): void {
  if (isBrokenPipe(error)) return;
  process.once('exit', (exitCode) => {
    process.exitCode = exitCode === 0 ? REFUSED : exitCode;
  });
}

/** After `--` a word that looks like an option is none. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/**
 * The command line with every command; `session` is opened only by a command that runs.
 *
 * @param ended rejected when the command is not to be waited for any more
 */
export function buildProgram(
  session: CommandContext,
  asJson: boolean,
  ended = new Promise<never>(() => undefined),
): Command {
  const program = new Command('data-import')
    .description('Operator commands of the data-import service')
    .option(...JSON_OPTION)
    .configureOutput({
      // Under --json standard output is for the one document only.
      writeOut: (text) => (asJson ? process.stderr : process.stdout).write(text),
      writeErr: (text) => asJson || process.stderr.write(text),
    })
    .showHelpAfterError('Add --help to see how it is used.')
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  const action: CommandAction =
    (work) =>
    async (...args) => {
      const result = await Promise.race([work(session, ...args), ended]);
      process.exitCode = result.exitCode ?? 0;
      await print(asJson ? jsonPieces(result.json) : textPieces(result.text));
    };
  for (const register of COMMANDS) register(program, action);
  inherit(program);
  return program;
}

const JSON_OPTION = ['--json', 'print one JSON document on standard output'] as const;

/** commander hands these settings down only to commands made after them. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent).option(...JSON_OPTION);
    inherit(command);
  }
}

async function print(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

async function* textPieces(text: CommandResult['text']): AsyncGenerator<string> {
  if (typeof text === 'string') yield text;
  else yield* text;
  yield '\n';
}

async function* jsonPieces(json: unknown): AsyncGenerator<string> {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (!members.some(([, value]) => isAsyncIterable(value))) {
    yield `${JSON.stringify(json)}\n`;
    return;
  }
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (isAsyncIterable(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield '}\n';
}

async function* listPieces(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let opening = '[';
  for await (const item of items) {
    yield `${opening}${JSON.stringify(item)}`;
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function fail(error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const [exitCode, code, detail] = describe(error);
  if (asJson) process.stdout.write(`${JSON.stringify({ error: { code, detail } })}\n`);
  // commander has printed what it complains of.
  else if (!(error instanceof CommanderError)) process.stderr.write(`${detail}\n`);
  // What nobody foresaw is for whoever mends it.
  if (code === 'error') process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return exitCode;
}

function describe(error: unknown): [exitCode: number, code: string, detail: string] {
  if (error instanceof CommanderError) return [WRONG_USAGE, 'wrong_usage', usageComplaint(error)];
  if (error instanceof Interruption) return [error.exitCode, 'interrupted', error.message];
  if (error instanceof CommandError) return [REFUSED, error.code, error.message];
  if (error instanceof StartError) return [REFUSED, 'cannot_start', error.message];
  if (error instanceof AppError) return [REFUSED, error.code, error.message];
  const complaint = databaseComplaint(error);
  if (complaint) return [REFUSED, complaint.code, complaint.sentence];
  return [REFUSED, 'error', `The command failed unexpectedly: ${(error as Error).message || String(error)}`];
}

function usageComplaint({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing; add --help to see them all.';
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}

/** A command was ended by a signal, in the middle of its work. */
class Interruption extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`The command was interrupted (${signal}) before it was done.`);
    this.exitCode = ENDED_BY_SIGNAL + constants.signals[signal];
  }
}

class Session implements CommandContext {
  /** Rejected by a signal, unless the command asks for {@link interrupted} and so ends by itself. */
  readonly ended: Promise<never>;
  private readonly interruption = new AbortController();
  private isEndingItself = false;
  private settings?: Environment;
  private opened?: Promise<OpenDatabase>;
  private context?: Promise<INestApplicationContext>;

  constructor(
    readonly calledFrom: string,
    private readonly asJson: boolean,
  ) {
    this.ended = new Promise((_resolve, reject) => {
      this.onSignal((interruption) => {
        this.interruption.abort();
        if (!this.isEndingItself) reject(interruption);
      });
    });
    // Between the end of the work and that of the process nobody waits for it.
    this.ended.catch(() => undefined);
  }

  get interrupted(): AbortSignal {
    this.isEndingItself = true;
    return this.interruption.signal;
  }

  get operator(): string {
    return this.environment.OPERATOR ?? systemUser();
  }

  private get environment(): Environment {
    if (!this.settings) {
      if (existsSync('.env')) process.loadEnvFile('.env');
      this.settings = readEnvironment(process.env);
    }
    return this.settings;
  }

  say(sentence: string): void {
    process.stderr.write(`${sentence}\n`);
  }

  progress({ total, unit }: ProgressOptions): Progress {
    if (this.asJson || !process.stderr.isTTY) return NO_PROGRESS;
    const bar = new SingleBar({
      format: `{bar} {percentage} % | {value} of {total} ${unit} | {eta_formatted} left`,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      hideCursor: true,
      gracefulExit: false,
    });
    bar.start(total, 0);
    return {
      advance: (done) => {
        bar.increment(done);
      },
      stop: () => {
        bar.stop();
      },
    };
  }

  async database(): Promise<OpenDatabase> {
    this.opened ??= openDatabase(this.environment, {
      role: 'command',
      say: (sentence) => {
        this.say(sentence);
      },
    });
    return this.opened;
  }

  async services(): Promise<INestApplicationContext> {
    this.context ??= this.openServices();
    return this.context;
  }

  async close(): Promise<void> {
    // What could not be opened was told when it failed, and needs no closing.
    const [context] = await Promise.allSettled([this.context]);
    if (context.status === 'fulfilled') await context.value?.close();
    await this.leaveDatabase();
  }

  /**
   * End the process without waiting for what is under way. Its connections end with it, but a PostgreSQL of our own would
   * go on by itself, so that one is stopped first.
   */
  async abandon(): Promise<never> {
    try {
      if (this.settings?.DATABASE_URL === undefined) await this.leaveDatabase();
    } catch (error) {
      this.say((error as Error).message);
    }
    process.exit();
  }

  private async leaveDatabase(): Promise<void> {
    const [database] = await Promise.allSettled([this.opened]);
    if (database.status === 'fulfilled') await database.value?.close();
  }

  /** @param first what the first signal does; a second one ends the process at once */
  private onSignal(first: (interruption: Interruption) => void): void {
    let firstMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const interruption = new Interruption(signal);
        if (firstMs === undefined) {
          firstMs = performance.now();
          first(interruption);
        } else if (performance.now() - firstMs > SECOND_SIGNAL_MS) {
          process.exit(interruption.exitCode);
        }
      });
    }
  }

  private async openServices(): Promise<INestApplicationContext> {
    const { url, environment, isEmbedded } = await this.database();
    if (isEmbedded) await migrate(url, environment);
    const missing = await missingMigrations(url, environment);
    if (missing.length > 0) {
      throw new CommandError(
        'database_not_migrated',
        `The database lacks ${missing.length} migrations of this version; run "data-import database migrate" first.`,
      );
    }
    // Loaded when it is needed: help and wrong usage are answered without the weight of the service.
    const { createContext } = await import('./operator.module.js');
    return createContext({ environment, databaseUrl: url, logger: createLogger('warn') });
  }
}

const NO_PROGRESS: Progress = { advance: () => undefined, stop: () => undefined };

/** A container may run under a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
