import type { CommandLineEnd } from '../common/command-line.js';
import type { CommandHost } from './command-host.js';

const WRONG_USAGE = 2;

/** How a command failed: its exit code, and the code and the sentence of `{error: {code, detail}}`. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly detail: string;
}

/**
 * Print why a command failed: under `--json` one document on standard output, otherwise a sentence on standard error.
 *
 * Source: choices, section 6.
 */
export function printFailure(
  { code, detail }: Failure,
  { stdout, stderr }: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
): void {
  if (asJson) stdout.write(`${JSON.stringify({ error: { code, detail } })}\n`);
  else stderr.write(`${detail}\n`);
}

/**
 * Print why commander has ended a command, unless that was the help or the version.
 *
 * @returns the exit code; 0 when one of them was requested, which commander throws too
 */
export function printEnd(
  end: CommandLineEnd,
  host: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
): number {
  if (end.exitCode === 0) return 0;
  const failure = { exitCode: WRONG_USAGE, code: 'wrong_usage', detail: detailOf(end) };
  // For people commander has printed its own complaint.
  if (asJson) printFailure(failure, host, asJson);
  return failure.exitCode;
}

function detailOf({ code, message }: CommandLineEnd): string {
  if (code === 'commander.help') return 'A command is missing; add --help to see them all.';
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}
