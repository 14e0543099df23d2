import { CommandError } from '../../infrastructure/errors/command-error.js';
import { AppError } from '../../infrastructure/errors/errors.js';
import { printableJson, printableLines } from '../../infrastructure/text/printable.js';
import { StartError } from '../../infrastructure/config/env.js';
import type { CommandHost } from './command-host.js';
import { Interruption } from './interruption.js';

const REFUSED = 1;
const WRONG_USAGE = 2;

/** The code of commander's error when it has printed the help. */
const HELP = 'commander.help';

/** How a command failed: its exit code, and the code and detail of `{error: {code, detail}}`. */
interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly detail: string;
}

/** Commander ended the command: it printed the help or version (exit code 0) or rejected the words. Its class is not exported. */
function isCommanders(error: unknown): error is Failure & Error {
  return String((error as { code?: unknown } | undefined)?.code).startsWith('commander.');
}

/**
 * Print why a command failed: with `--json` one document on standard output, otherwise a sentence on standard error.
 *
 * @param hint added to the sentence
 * @returns the exit code
 * Source: choices, section 6.
 */
export async function printError(
  error: unknown,
  { stdout, stderr }: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
  hint: string,
): Promise<number> {
  if (isCommanders(error) && error.exitCode === 0) return 0;
  const { exitCode, code, detail } = isCommanders(error) ? wrongUsage(error, hint) : await failureOf(error);
  if (asJson) stdout.write(`${printableJson(JSON.stringify({ error: { code, detail } }))}\n`);
  else if (!isCommanders(error)) stderr.write(`${printableLines(detail)}\n`);
  // Without a command, commander has printed the help.
  else if (error.code !== HELP) {
    stderr.write(printableLines(`error: ${detail}\nAdd --help to see how it is used.\n`));
  }
  // An unexpected error: the stack helps to find its cause.
  if (code === 'error') stderr.write(`${printableLines((error as Error).stack ?? String(error))}\n`);
  return exitCode;
}

function wrongUsage({ code, message }: Failure & Error, hint: string): Failure {
  const [sentence = '', ...rest] = message.replace(/^error: /, '').split(/\s*\n\s*/);
  const detail =
    code === HELP
      ? 'A command is missing; add --help to see them all.'
      : (hint === '' ? [sentence, ...rest] : [`${sentence}.${hint}`]).join(' ');
  return { exitCode: WRONG_USAGE, code: 'wrong_usage', detail };
}

async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof Interruption) {
    return { exitCode: error.exitCode, code: 'interrupted', detail: error.message };
  }
  return { exitCode: REFUSED, ...(await refusalOf(error)) };
}

async function refusalOf(error: unknown): Promise<Omit<Failure, 'exitCode'>> {
  if (error instanceof CommandError || error instanceof AppError) {
    return { code: error.code, detail: error.message };
  }
  if (error instanceof StartError) return { code: 'cannot_start', detail: error.message };
  // This loads TypeORM, which help and usage errors do not need.
  const { databaseComplaint } = await import('../../infrastructure/errors/sql-state.js');
  const complaint = databaseComplaint(error);
  if (complaint) return { code: complaint.code, detail: complaint.sentence };
  const { message } = error as Error;
  return { code: 'error', detail: `The command failed unexpectedly: ${message || String(error)}` };
}
