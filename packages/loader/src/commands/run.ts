import { writeFile } from 'node:fs/promises';
import { DataImportClient, DataImportError, type RetryOptions } from '@data-import/client';
import { ContradictoryAnswer, UnreadableInput, WrongUsage } from '../common/errors.js';
import { Stop, type StopReason } from '../common/stop.js';
import { startProgress, type Progress } from '../report/progress.js';
import type { ReadingProgress } from '../rows/prepare.js';
import { answerOf } from '../send/transport.js';
import type { ServiceOptions } from './options.js';
import { VERSION } from '../common/version.js';
import { stopBecauseOf } from './supplier.js';
import { EXIT, failureText, type Terminal } from './terminal.js';

/** Longest time for the answer to one request. */
const ANSWER_TIMEOUT_MS = 120_000;

/** What a command that asks the service works with. */
export interface Run {
  readonly stop: Stop;
  readonly progress: Progress;
}

/**
 * Run a command that asks the service and can be interrupted. The second interruption ends the process at once: what was
 * decided is kept already.
 *
 * @param resume the command that continues it, which is said when it ends early
 * @param waiting said when it is interrupted
 * @returns the exit code
 * @throws WrongUsage, UnreadableInput
 */
export async function runCommand(
  terminal: Terminal,
  { resume, waiting, giveUpAfterMs }: { resume: string; waiting?: string; giveUpAfterMs: number },
  work: (run: Run) => Promise<number>,
): Promise<number> {
  const stop = new Stop();
  const forget = terminal.onInterrupt(() => {
    if (stop.signal.aborted) {
      terminal.say(resume);
      terminal.exit(EXIT.stopped);
    } else if (waiting !== undefined) terminal.say(waiting);
    stop.because({ is: 'interrupted' });
  });
  const progress = startProgress(terminal.errors, terminal.clock.now);
  try {
    return await work({ stop, progress });
  } catch (error) {
    progress.stop();
    if (error instanceof WrongUsage || error instanceof UnreadableInput) throw error;
    if (error instanceof DataImportError && !stop.signal.aborted) stopBecauseOf(error, giveUpAfterMs, stop);
    if (stop.reason) return sayStopped(stop.reason, resume, terminal);
    const isContradiction = error instanceof ContradictoryAnswer;
    terminal.say(`${isContradiction ? `${error.message}.` : failureText(error)} This continues:`);
    terminal.say(resume);
    return EXIT.stopped;
  } finally {
    forget();
  }
}

/** @returns the exit code */
export function sayStopped(reason: StopReason, resume: string, terminal: Terminal): number {
  terminal.say(sentenceOf(reason));
  terminal.say(resume);
  return reason.is === 'refused' && reason.isUsage ? EXIT.usage : EXIT.stopped;
}

function sentenceOf(reason: StopReason): string {
  switch (reason.is) {
    case 'interrupted':
      return 'Interrupted. This continues:';
    case 'max-errors':
      return `Stopped, since more than ${reason.limit} rows failed. This continues:`;
    case 'away':
      return `Stopped, since the service was away for ${Math.round(reason.forMs / 1_000)} s. This continues:`;
    case 'refused':
      return `${reason.sentence} Then this continues:`;
  }
}

/** @param retry of calls that are not repeated by the command itself */
export function clientFor(
  { baseUrl, apiKey }: ServiceOptions,
  { progress }: Run,
  { connections, retry }: { connections: number; retry?: RetryOptions },
): DataImportClient {
  return new DataImportClient({
    baseUrl,
    apiKey,
    connections,
    timeoutMs: ANSWER_TIMEOUT_MS,
    userAgent: `data-import-loader/${VERSION}`,
    ...(retry && { retry }),
    onRetry: ({ error }) => {
      progress.undecided(error instanceof DataImportError ? answerOf(error).status : 0);
    },
  });
}

/** Shows how far files are read. */
export function readingOf(progress: Progress): ReadingProgress {
  return (kind, share) => {
    progress.reading(kind, share);
  };
}

/** Write the report for people, if one is asked for. */
export async function writeReport({ report }: ServiceOptions, html: () => string): Promise<void> {
  if (report !== undefined) await writeFile(report, html(), { mode: 0o600 });
}
