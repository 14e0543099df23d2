import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { DataImportClient, DataImportError } from '@data-import/client';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { collectResult } from '../report/collect.js';
import { writeCorrectedFiles } from '../retry/failures-folder.js';
import { reportPage } from '../report/html.js';
import { durationText, startProgress, type Progress } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { groupsText, summaryText, timeText } from '../report/text.js';
import type { Kind } from '../kinds/kinds.js';
import type { Preparation } from '../rows/row.js';
import { removeSorted } from '../rows/sort.js';
import { Loading, type LoadingParts } from '../send/loading.js';
import { Stop, type StopReason } from '../send/stop.js';
import { answerOf, ClientTransport } from '../send/transport.js';
import { commandText, optionsText } from './continue.js';
import { readSendingOptions, type SendingFlags, type SendingOptions } from './options.js';
import { openSession, prepareKinds, type Session } from './session.js';
import { findSupplier } from './supplier.js';
import { EXIT, failureText, type Terminal } from './terminal.js';

/** Bytes of a request, with room below the service's 10 MiB. */
const BYTES_PER_REQUEST = 8 * 1024 * 1024;

/** Longest time for the answer to one request. */
export const ANSWER_TIMEOUT_MS = 120_000;

/** What is sent: the rows of the folder, or those that failed. */
export interface Sending {
  readonly ledger: LoadingParts['ledger'];
  readonly rows: LoadingParts['rows'];
  readonly kinds: readonly Kind[];
  /** Rows of each kind that are to be sent and are settled, for the progress. */
  readonly counts: ReadonlyMap<Kind, { settled: number; rows: number }>;
}

/** A command that sends rows. */
export interface SendingCommand {
  readonly name: 'load' | 'retry';
  readonly begin: (session: Session, context: SendingContext) => Promise<Sending>;
}

export interface SendingContext {
  readonly options: SendingOptions;
  readonly preparations: ReadonlyMap<Kind, Preparation>;
  readonly terminal: Terminal;
  readonly stop: Stop;
  readonly reading: (kind: Kind, share: number) => void;
}

/** Run `load` or `retry`. @returns the exit code */
export async function send(
  command: SendingCommand,
  folder: string,
  flags: SendingFlags,
  terminal: Terminal,
): Promise<number> {
  const options = await readSendingOptions(folder, flags, terminal.environment);
  const run = runName();
  const stop = new Stop();
  const resume = commandText(command.name, folder, optionsText(flags), terminal.environment);
  const startedAt = terminal.clock.now();
  const forget = terminal.onInterrupt(() => {
    interrupt(stop, terminal, resume);
  });
  const progress = startProgress(terminal.errors, terminal.clock.now);
  let session: Session | undefined;
  try {
    const name = options.isDryRun ? 'dry-run' : command.name;
    const isRetry = command.name === 'retry';
    const typed = optionsText({ ...flags, dryRun: false });
    session = await openSession({ options, run, command: name, isRetry, typed, stop, say: terminal.say });
    const { counted, sentMs } = await sendAll(command, session, { options, run, stop, terminal, progress });
    progress.stop();
    const seconds = (terminal.clock.now() - startedAt) / 1_000;
    const result = await finish(session, {
      counted,
      options,
      run,
      seconds,
      isComplete: isComplete(command, stop),
    });
    // Sorted copies are kept for a run that continues.
    if (result.unsent === 0 && !options.isDryRun) await removeSorted(session.work.temporary);
    print(result, { options, terminal, sentMs });
    if (options.report !== undefined)
      await writeFile(options.report, reportPage(result, session.journal.state), { mode: 0o600 });
    const next = (name: 'load' | 'retry'): string => commandText(name, folder, typed, terminal.environment);
    return conclude(result, stop.reason, { terminal, command: command.name, resume, next, options });
  } catch (error) {
    progress.stop();
    if (isOwnError(error)) throw error;
    // What a stop has ended throws its reason; before the files were read there is nothing to count.
    const { reason } = stop;
    terminal.say(
      reason && stop.signal.aborted ? sentenceOf(reason) : `${failureText(error)} This continues:`,
    );
    terminal.say(resume);
    return EXIT.stopped;
  } finally {
    forget();
    await session?.close();
  }
}

/** The second time it ends at once: what was acknowledged is in the journal already. */
function interrupt(stop: Stop, terminal: Terminal, resume: string): void {
  if (stop.signal.aborted) {
    terminal.say(resume);
    terminal.exit(EXIT.stopped);
    return;
  }
  terminal.say('Waiting for the requests that are under way. To end at once, interrupt again.');
  stop.because({ is: 'interrupted' });
}

interface SendAllOptions {
  readonly options: SendingOptions;
  readonly run: string;
  readonly stop: Stop;
  readonly terminal: Terminal;
  readonly progress: Progress;
}

async function sendAll(
  command: SendingCommand,
  session: Session,
  { options, run, stop, terminal, progress }: SendAllOptions,
): Promise<{ counted: ReadonlyMap<Kind, number>; sentMs: number }> {
  const reading = (kind: Kind, share: number): void => {
    progress.reading(kind, share);
  };
  const preparations = await prepareKinds(session, {
    isRetry: command.name === 'retry',
    options,
    stop,
    say: terminal.say,
    progress: ({ kind, bytes, bytesTotal }) => {
      reading(kind, bytesTotal === 0 ? 1 : bytes / bytesTotal);
    },
  });
  const sending = await command.begin(session, { options, preparations, terminal, stop, reading });
  for (const [kind, { settled, rows }] of sending.counts) progress.kind(kind, settled, rows);
  const startedAt = terminal.clock.now();
  const client = new DataImportClient({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    connections: options.concurrency,
    timeoutMs: ANSWER_TIMEOUT_MS,
    userAgent: 'data-import-loader',
    // Import requests are repeated by the loader itself; the first question to the service is not.
    onRetry: ({ error }) => {
      progress.undecided(error instanceof DataImportError ? answerOf(error).status : 0);
    },
  });
  try {
    await findSupplier(client, options, stop);
    const { isDryRun, forceAddToCurrentStatement, giveUpAfterMs, ...others } = options;
    const loading = new Loading(
      { ...others, giveUpAfterMs, isDryRun, run, bytesPerRequest: BYTES_PER_REQUEST },
      {
        transport: new ClientTransport(client, { isDryRun, forceAddToCurrentStatement }),
        ledger: sending.ledger,
        rows: sending.rows,
        clock: terminal.clock,
        progress: (kind, rows, failed) => {
          progress.settled(kind, rows, failed);
        },
        undecided: (status) => {
          progress.undecided(status);
        },
      },
      stop,
    );
    await loading.run(sending.kinds);
  } finally {
    client.close();
  }
  const counted = new Map([...preparations].map(([kind, { rows }]) => [kind, rows]));
  return { counted, sentMs: terminal.clock.now() - startedAt };
}

function isComplete(command: SendingCommand, stop: Stop): boolean {
  return command.name === 'load' && !stop.signal.aborted;
}

interface FinishOptions {
  readonly counted: ReadonlyMap<Kind, number>;
  readonly options: SendingOptions;
  readonly run: string;
  readonly seconds: number;
  readonly isComplete: boolean;
}

/** Derive everything that is shown from the journal. */
async function finish(
  { journal, failures }: Session,
  { counted, options, run, seconds, isComplete }: FinishOptions,
): Promise<Result> {
  const result = await collectResult(
    { state: journal.state, events: () => journal.events(), failures: () => journal.failures() },
    { rows: counted, isComplete, seconds, isDryRun: options.isDryRun, run },
  );
  await failures.write(journal, options.mapping.of);
  if (!options.isDryRun) await writeCorrectedFiles(options.folder, journal);
  return result;
}

function print(
  result: Result,
  { options, terminal, sentMs }: { options: SendingOptions; terminal: Terminal; sentMs: number },
): void {
  const estimated = options.isDryRun ? { estimated_seconds: Math.ceil(sentMs / 1_000) } : {};
  if (options.isJson) {
    terminal.print(`${JSON.stringify({ ...result, ...estimated })}\n`);
    return;
  }
  terminal.print(summaryText(result));
  if (result.groups.length > 0) terminal.print(`\n${groupsText(result.groups)}`);
  terminal.print(`\n${timeText(result)}`);
  if (!options.isDryRun && result.failed + result.unsent === 0) terminal.print('Every row is there.\n');
  if (options.isDryRun) {
    terminal.print(
      `Nothing was stored. Loading takes about as long as this: ${durationText(sentMs / 1_000)}.\n`,
    );
  }
}

interface Conclusion {
  readonly terminal: Terminal;
  readonly command: 'load' | 'retry';
  /** The command that continues what was stopped. */
  readonly resume: string;
  /** A command with the same options, other than `--dry-run`. */
  readonly next: (command: 'load' | 'retry') => string;
  readonly options: SendingOptions;
}

/** Say what comes next; the last line is the command for it. @returns the exit code */
function conclude(
  { failed, unsent }: Result,
  reason: StopReason | undefined,
  { terminal, command, resume, next, options: { folder, isDryRun } }: Conclusion,
): number {
  if (reason) {
    terminal.say(sentenceOf(reason));
    terminal.say(resume);
    return reason.is === 'refused' && reason.isUsage ? EXIT.usage : EXIT.stopped;
  }
  if (failed > 0) {
    const rehearsed =
      command === 'retry'
        ? `Correct them in ${folder}/failures/. This sends all of them again:`
        : `Correct them in the files of ${folder}, or load the others and correct these afterwards:`;
    const where = isDryRun ? 'dry-run' : 'failures';
    terminal.say(
      `The failed rows are in ${folder}/${where}/, which holds customers' data like the folder itself.`,
    );
    terminal.say(
      isDryRun ? rehearsed : 'Correct them there, or have their accounts imported, and send them again:',
    );
    terminal.say(next(isDryRun ? command : 'retry'));
    return EXIT.failed;
  }
  if (isDryRun) {
    terminal.say('Every row can be loaded:');
    terminal.say(next(command));
    return EXIT.complete;
  }
  if (unsent > 0) {
    terminal.say('Rows that were never sent are left:');
    terminal.say(next('load'));
    return EXIT.stopped;
  }
  return EXIT.complete;
}

export function sentenceOf(reason: StopReason): string {
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

export function isOwnError(error: unknown): boolean {
  return error instanceof WrongUsage || error instanceof UnreadableInput;
}

/** Ten characters of 32, of which no two runs have the same. */
function runName(): string {
  return Array.from(randomBytes(10), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
}
