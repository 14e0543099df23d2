import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataImportClient, DataImportError, type RetryOptions } from '@data-import/client';
import { CannotWrite, UnreadableInput, whyOf, WrongUsage } from '@data-import/files';
import { Stop, type StopReason } from '../common/stop.js';
import { pageHtml, type Page } from '../report/html.js';
import { Progress } from '../report/progress.js';
import type { ReadingProgress } from '../rows/prepare.js';
import { NO_ANSWER, whyNotAnswered } from '../send/answer.js';
import { answerOf } from '../send/transport.js';
import type { ServiceOptions } from './options.js';
import { VERSION } from '../common/version.js';
import { stopBecauseOf } from './supplier.js';
import { EXIT, failureText, type Terminal } from './terminal.js';
import { ContradictoryAnswer } from '../common/contradictory-answer.js';

/** Timeout for the answer to one request. */
const ANSWER_TIMEOUT_MS = 120_000;

/** The tools of a command that calls the service. */
export interface Run {
  readonly stop: Stop;
  readonly progress: Progress;
}

/**
 * Run a command that calls the service and can be interrupted. The second interruption ends the process at once: the outcomes so
 * far are already stored.
 *
 * @param resume the command that continues it, printed when it ends early
 * @param waiting printed when it is interrupted
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
      terminal.say(`Stopped at once. Nothing is lost. To continue:\n${resume}`);
      terminal.exit(EXIT.stopped);
    } else if (waiting !== undefined) terminal.say(waiting);
    stop.because({ is: 'interrupted' });
  });
  const progress = new Progress(terminal.errors, terminal.clock.now);
  try {
    return await work({ stop, progress });
  } catch (error) {
    progress.stop();
    if (error instanceof WrongUsage || error instanceof UnreadableInput) throw error;
    if (error instanceof DataImportError && !stop.signal.aborted) stopBecauseOf(error, giveUpAfterMs, stop);
    if (stop.reason) return sayStopped(stop.reason, resume, terminal);
    const isSentence = error instanceof ContradictoryAnswer || error instanceof CannotWrite;
    terminal.say(
      `${isSentence ? error.message.replace(/\.?$/, '.') : failureText(error)} Then continue with:`,
    );
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
      return 'Interrupted. To continue:';
    case 'max-errors':
      return `Stopped because more than ${reason.limit} rows failed. To continue:`;
    case 'away':
      return `Stopped because the service was unavailable for ${Math.round(reason.forMs / 1_000)} s${reason.why === undefined ? '' : `: it ${reason.why}`}. To continue:`;
    case 'refused':
      return `${reason.sentence} Then continue with:`;
  }
}

/** @param retry for calls that the command does not retry itself */
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
      progress.undecided(error instanceof DataImportError ? whyNotAnswered(answerOf(error)) : NO_ANSWER);
    },
  });
}

/**
 * Ask the service, again and again while it is unavailable. A run that it stops says why.
 *
 * @returns undefined when the run is stopped
 */
export async function asking<Answer>(
  options: ServiceOptions,
  running: Run,
  connections: number,
  ask: (client: DataImportClient) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { giveUpAfterMs } = options;
  const client = clientFor(options, running, {
    connections,
    retry: { giveUpAfterMs, attempts: Infinity },
  });
  try {
    return await ask(client);
  } catch (error) {
    if (running.stop.signal.aborted) return undefined;
    if (!(error instanceof DataImportError)) throw error;
    stopBecauseOf(error, giveUpAfterMs, running.stop);
    return undefined;
  } finally {
    client.close();
  }
}

/** Show how far the files have been read. */
export function readingOf(progress: Progress): ReadingProgress {
  return (kind, share) => {
    progress.reading(kind, share);
  };
}

/** Write the report for people, if one is requested. */
export async function writeReport({ report }: ServiceOptions, page: () => Page): Promise<void> {
  if (report === undefined) return;
  await writeFile(report, pageHtml(page()), { mode: 0o600 }).catch((error: unknown) => {
    throw noReport(report, error);
  });
}

/** @throws WrongUsage when it would not be possible to write the report at the end */
export async function expectRoomForReport({ report }: ServiceOptions): Promise<void> {
  if (report === undefined) return;
  const found = await stat(report).catch(() => undefined);
  const way = found ? access(report, constants.W_OK) : access(dirname(report), constants.W_OK);
  await way.catch((error: unknown) => {
    throw noReport(report, error);
  });
  if (found && !found.isFile()) throw new WrongUsage(`--report: ${report} is no file.`);
}

function noReport(report: string, error: unknown): WrongUsage {
  return new WrongUsage(`--report: ${report} cannot be written: ${whyOf(error)}.`, { cause: error });
}
