import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError } from 'commander';
import { AppModule } from './app.module.js';
import { createLogger, NestLogger } from './common/logger.js';
import type {
  CommandAction,
  CommandSession,
  Progress,
  ProgressOptions,
  RegisterCommands,
} from './common/operator-command.js';
import { Refusal } from './common/refusal.js';
import { readEnvironment, StartError } from './config/env.js';
import { migrate, openDatabase, type OpenDatabase } from './database/open-database.js';
import { registerDocumentsCommands } from './documents/documents.commands.js';

/** The rooms' commands, in the order of the help. */
const COMMANDS: readonly RegisterCommands[] = [registerDocumentsCommands];

const REFUSED = 1;
const WRONG_USAGE = 2;

/**
 * Run one operator command and set the exit code: 0 done, 1 refused or failed, 2 wrong usage.
 *
 * @param argv the words after `data-import`
 * @param calledFrom the folder in which they were typed
 * Source: contract, section 6.
 */
export async function main(argv: readonly string[], calledFrom: string): Promise<void> {
  const asJson = argv.includes('--json');
  const session = new Session(calledFrom, asJson);
  try {
    await buildProgram(session, asJson).parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error, asJson);
  } finally {
    await session.close();
  }
}

/** The command line with every command; `session` is opened only by a command that runs. */
export function buildProgram(session: CommandSession, asJson: boolean): Command {
  const program = new Command('data-import')
    .description('Operator commands of the data-import service')
    .option('--json', 'print one JSON document on standard output')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: (text) => asJson || process.stderr.write(text) })
    .exitOverride();
  const action: CommandAction =
    (work) =>
    async (...args) => {
      const { json, text, exitCode = 0 } = await work(session, ...args);
      process.stdout.write(asJson ? `${JSON.stringify(json)}\n` : `${text}\n`);
      process.exitCode = exitCode;
    };
  for (const register of COMMANDS) register(program, action);
  inherit(program);
  return program;
}

/** commander hands these settings down only to commands made after them. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent).option('--json', 'print one JSON document on standard output');
    inherit(command);
  }
}

function fail(error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const [exitCode, code, detail] = describe(error);
  if (asJson) process.stdout.write(`${JSON.stringify({ error: { code, detail } })}\n`);
  // commander has printed what it complains of.
  else if (!(error instanceof CommanderError)) process.stderr.write(`${detail}\n`);
  return exitCode;
}

function describe(error: unknown): [exitCode: number, code: string, detail: string] {
  if (error instanceof CommanderError)
    return [WRONG_USAGE, 'wrong_usage', error.message.replace(/^error: /, '')];
  if (error instanceof Refusal) return [REFUSED, error.code, error.message];
  if (error instanceof StartError) return [REFUSED, 'cannot_start', error.message];
  return [REFUSED, 'error', (error as Error).stack ?? String(error)];
}

class Session implements CommandSession {
  private readonly interruption = new AbortController();
  private opened?: Promise<{ database: OpenDatabase; context: INestApplicationContext }>;

  constructor(
    readonly calledFrom: string,
    private readonly asJson: boolean,
  ) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        this.interruption.abort();
      });
    }
  }

  get interrupted(): AbortSignal {
    return this.interruption.signal;
  }

  get operator(): string {
    return process.env.OPERATOR ?? userInfo().username;
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

  async services(): Promise<INestApplicationContext> {
    this.opened ??= this.open();
    return (await this.opened).context;
  }

  async close(): Promise<void> {
    if (!this.opened) return;
    const opened = await this.opened.catch(() => undefined);
    await opened?.context.close();
    await opened?.database.close();
  }

  private async open(): Promise<{ database: OpenDatabase; context: INestApplicationContext }> {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const settings = readEnvironment(process.env);
    const database = await openDatabase(settings, {
      role: 'command',
      say: (sentence) => {
        this.say(sentence);
      },
    });
    try {
      if (database.isEmbedded) await migrate(database.url, database.environment);
      const logger = new NestLogger(createLogger('warn'));
      const module = AppModule.with(database.environment, database.url);
      const context = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
      return { database, context };
    } catch (error) {
      await database.close();
      throw error;
    }
  }
}

const NO_PROGRESS: Progress = { advance: () => undefined, stop: () => undefined };
