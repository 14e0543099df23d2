import { randomBytes } from 'node:crypto';
import { collectResult } from '../report/collect.js';
import { writeCorrectedFiles } from '../retry/failures-folder.js';
import { reportPage } from '../report/html.js';
import { durationText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { groupsText, summaryText, timeText } from '../report/text.js';
import type { Kind } from '../kinds/kinds.js';
import type { Preparation } from '../rows/row.js';
import { leftOutText } from '../rows/prepare.js';
import { removeSorted } from '../rows/sort.js';
import { Loading, type LoadingParts } from '../send/loading.js';
import { ClientTransport } from '../send/transport.js';
import { commandText, optionsText } from './continue.js';
import { readSendingOptions, type SendingFlags, type SendingOptions } from './options.js';
import { clientFor, readingOf, runCommand, sayStopped, writeReport, type Run } from './run.js';
import { openSession, prepareKinds, type PreparationOptions, type Session } from './session.js';
import { findSupplier } from './supplier.js';
import { EXIT, type Terminal } from './terminal.js';

/** Bytes of a request, with room below the service's 10 MiB. */
const BYTES_PER_REQUEST = 8 * 1024 * 1024;

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
  readonly reading: Omit<PreparationOptions, 'isRetry' | 'say'>;
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
  const resume = commandText(command.name, folder, optionsText(flags), terminal.environment);
  const startedAt = terminal.clock.now();
  const typed = optionsText({ ...flags, dryRun: false });
  const waiting = 'Waiting for the requests that are under way. To end at once, interrupt again.';
  return runCommand(terminal, { resume, waiting, giveUpAfterMs: options.giveUpAfterMs }, async (running) => {
    const { stop, progress } = running;
    const session = await openSession({
      options,
      run,
      command: command.name,
      typed,
      stop,
      say: terminal.say,
    });
    try {
      const { counted, sentMs } = await sendAll(command, session, { options, run, terminal, running });
      progress.stop();
      const seconds = (terminal.clock.now() - startedAt) / 1_000;
      const isComplete = command.name === 'load' && !stop.signal.aborted;
      const result = await finish(session, { counted, options, run, seconds, isComplete });
      // Sorted copies are kept for a run that continues.
      if (result.unsent === 0 && !options.isDryRun) await removeSorted(session.work.temporary);
      print(result, { options, terminal, sentMs });
      await writeReport(options, () => reportPage(result, session.journal.state));
      if (stop.reason) return sayStopped(stop.reason, resume, terminal);
      const next = (name: 'load' | 'retry'): string => commandText(name, folder, typed, terminal.environment);
      return conclude(result, { terminal, command: command.name, next, options });
    } finally {
      await session.close();
    }
  });
}

interface SendAllOptions {
  readonly options: SendingOptions;
  readonly run: string;
  readonly terminal: Terminal;
  readonly running: Run;
}

async function sendAll(
  command: SendingCommand,
  session: Session,
  { options, run, terminal, running }: SendAllOptions,
): Promise<{ counted: ReadonlyMap<Kind, number>; sentMs: number }> {
  const { stop, progress } = running;
  const reading = { options, stop, progress: readingOf(progress) };
  const isRetry = command.name === 'retry';
  const preparations = await prepareKinds(session, { isRetry, say: terminal.say, ...reading });
  for (const preparation of preparations.values()) leftOutText(preparation).forEach(terminal.say);
  const sending = await command.begin(session, { options, preparations, terminal, reading });
  for (const [kind, { settled, rows }] of sending.counts) progress.kind(kind, settled, rows);
  const startedAt = terminal.clock.now();
  // Import requests are repeated by the loader itself; the first question to the service is not.
  const client = clientFor(options, running, { connections: options.concurrency });
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
  /** A command with the same options, other than `--dry-run`. */
  readonly next: (command: 'load' | 'retry') => string;
  readonly options: SendingOptions;
}

/** Say what comes next; the last line is the command for it. @returns the exit code */
function conclude(
  { failed, unsent }: Result,
  { terminal, command, next, options: { folder, isDryRun } }: Conclusion,
): number {
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

/** Ten characters of 32, of which no two runs have the same. */
function runName(): string {
  return Array.from(randomBytes(10), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
}
