import { CommandError } from '../common/command-error.js';
import { AppError } from '../common/errors.js';
import { CommandLineEnd } from '../common/operator-command.js';
import { databaseComplaint } from '../common/sql-state.js';
import { StartError } from '../config/env.js';
import type { CommandHost } from './command-host.js';
import { Interruption } from './interruption.js';

const REFUSED = 1;
const WRONG_USAGE = 2;

/** How a command failed: its exit code, and the code and the sentence of `{error: {code, detail}}`. */
interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly detail: string;
}

/**
 * Print why a command failed: under `--json` one document on standard output, otherwise a sentence on standard error.
 *
 * @returns the exit code; 0 when the help was requested, which commander throws too
 * Source: choices, section 6.
 */
export function printFailure(
  error: unknown,
  { stdout, stderr }: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
): number {
  if (error instanceof CommandLineEnd && error.exitCode === 0) return 0;
  const { exitCode, code, detail } = failureOf(error);
  if (asJson) stdout.write(`${JSON.stringify({ error: { code, detail } })}\n`);
  // commander has printed its own complaints.
  else if (!(error instanceof CommandLineEnd)) stderr.write(`${detail}\n`);
  // An unexpected error: the stack helps to find its cause.
  if (code === 'error') stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return exitCode;
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommandLineEnd) {
    return { exitCode: WRONG_USAGE, code: 'wrong_usage', detail: usageDetail(error) };
  }
  if (error instanceof Interruption) {
    return { exitCode: error.exitCode, code: 'interrupted', detail: error.message };
  }
  return { exitCode: REFUSED, ...refusalOf(error) };
}

function refusalOf(error: unknown): Omit<Failure, 'exitCode'> {
  if (error instanceof CommandError || error instanceof AppError) {
    return { code: error.code, detail: error.message };
  }
  if (error instanceof StartError) return { code: 'cannot_start', detail: error.message };
  const complaint = databaseComplaint(error);
  if (complaint) return { code: complaint.code, detail: complaint.sentence };
  const { message } = error as Error;
  return { code: 'error', detail: `The command failed unexpectedly: ${message || String(error)}` };
}

function usageDetail({ code, message }: CommandLineEnd): string {
  if (code === 'commander.help') return 'A command is missing; add --help to see them all.';
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}
