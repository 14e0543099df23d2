import { CommandError } from '../common/command-error.js';
import { CommandLineEnd } from '../common/command-line.js';
import { AppError } from '../common/errors.js';
import { databaseComplaint } from '../common/sql-state.js';
import { StartError } from '../config/env.js';
import type { CommandHost } from './command-host.js';
import { printEnd, printFailure, type Failure } from './failure.js';
import { Interruption } from './interruption.js';

const REFUSED = 1;

/**
 * Print why a command failed.
 *
 * @returns the exit code
 * Source: choices, section 6.
 */
export function printError(
  error: unknown,
  host: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
): number {
  if (error instanceof CommandLineEnd) return printEnd(error, host, asJson);
  const failure = failureOf(error);
  printFailure(failure, host, asJson);
  // An unexpected error: the stack helps to find its cause.
  if (failure.code === 'error') host.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return failure.exitCode;
}

function failureOf(error: unknown): Failure {
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
