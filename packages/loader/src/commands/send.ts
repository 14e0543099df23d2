import { randomBytes } from 'node:crypto';
import { collectResult } from '../report/collect.js';
import { UnknownForm, UnreadableInput, WrongUsage } from '../common/errors.js';
import { writeCorrectedFiles } from '../retry/failures-folder.js';
import { durationText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { groupsText, loadPage, summaryText, timeText } from '../report/text.js';
import type { Kind } from '../kinds/kinds.js';
import { expectNoOthers, findFiles, type FolderContent } from '../rows/folder.js';
import type { Preparation } from '../rows/row.js';
import { copiesText, removeCopies } from '../rows/copies.js';
import { leftOutText } from '../rows/prepare.js';
import { removeSorted } from '../rows/sort.js';
import { Loading, type LoadingParts } from '../send/loading.js';
import { isMovable, OUTSIDE, PeriodWatch, WAYS_OUT } from '../send/moving.js';
import { ACCOUNT_NOT_FOUND } from '../send/refusal.js';
import { ClientTransport } from '../send/transport.js';
import type { CheckedRows } from '../check/check.js';
import { changesBehind, changesSince, type Change } from './changes.js';
import { checkAll } from './check.js';
import { commandText, optionsText } from './continue.js';
import { writeLoaded, type LoadedContext } from './loaded.js';
import { readSendingOptions, type SendingFlags, type SendingOptions } from './options.js';
import {
  clientFor,
  expectRoomForReport,
  readingOf,
  runCommand,
  sayStopped,
  writeReport,
  type Run,
} from './run.js';
import { copyFiles, openSession, prepareKinds, type PreparationOptions, type Session } from './session.js';
import { findSupplier } from './supplier.js';
import { EXIT, type Terminal } from './terminal.js';

/** Bytes of a request, with room below the service's 10 MiB. */
const BYTES_PER_REQUEST = 8 * 1024 * 1024;

/** Said once: without the option the service itself would move them. */
const NOT_MOVED =
  'Transactions outside the open statement period of their account fail with their dates. --force-add-to-current-statement true moves them into it.';

/** What is sent: the rows of the folder, or those that failed. */
export interface Sending {
  readonly ledger: LoadingParts['ledger'];
  readonly rows: LoadingParts['rows'];
  readonly kinds: readonly Kind[];
  /** What is looked for when they were sent. */
  readonly checked: (running: Run) => Promise<CheckedRows>;
  /** What was added up when that was called, for `loaded.json`. */
  readonly seen?: LoadedContext['seen'];
  /** Rows of each kind that are to be sent and are settled, for the progress. */
  readonly counts: ReadonlyMap<Kind, { settled: number; rows: number }>;
  /** How many rows were settled that had failed since their account was not imported. */
  readonly takenUp?: () => NonNullable<Result['taken_up']>;
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
  readonly running: Run;
  readonly reading: Omit<PreparationOptions, 'isRetry' | 'files'>;
}

/**
 * Run `load` or `retry`. Files of a form that nothing says lead to the command that proposes a mapping for them.
 *
 * @returns the exit code
 * Source: choice L11.
 */
export async function send(
  command: SendingCommand,
  folder: string,
  flags: SendingFlags,
  terminal: Terminal,
): Promise<number> {
  try {
    return await sendFolder(command, folder, flags, terminal);
  } catch (error) {
    if (!(error instanceof UnknownForm) || flags.mapping !== undefined) throw error;
    const map = commandText('map', folder, '--output mapping.json', terminal.environment);
    throw new UnknownForm(
      `${error.message}\nFiles of other names and forms are read by a mapping file. This proposes one:\n${map}`,
    );
  }
}

async function sendFolder(
  command: SendingCommand,
  folder: string,
  flags: SendingFlags,
  terminal: Terminal,
): Promise<number> {
  const options = await readSendingOptions(folder, flags, terminal.environment);
  await expectRoomForReport(options);
  const content = await findFiles(folder, options.folderOptions);
  if (command.name === 'load') expectNoOthers(folder, content);
  const { files } = content;
  const run = runName();
  const limited = options.limit === undefined ? '' : ` --limit ${options.limit}`;
  const resume = commandText(command.name, folder, optionsText(flags), terminal.environment) + limited;
  const startedAt = terminal.clock.now();
  const typed = optionsText({ ...flags, dryRun: false });
  const waiting = 'Waiting for the requests that are running. To stop at once, interrupt again.';
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
      const { counted, sentMs, changes, takenUp, seen } = await sendAll(command, session, {
        options,
        run,
        terminal,
        running,
        files,
      });
      const seconds = (terminal.clock.now() - startedAt) / 1_000;
      const isComplete =
        command.name === 'load' &&
        !stop.signal.aborted &&
        changes.length === 0 &&
        options.limit === undefined;
      const changed = changes.map(({ text }) => text);
      const ended = { counted, options, run, seconds, isComplete, changed, takenUp };
      const result = await finish(session, ended);
      if (!stop.reason && changes.length === 0)
        await writeLoaded(session, result, { options, running, terminal, seen });
      progress.stop();
      if (result.unsent === 0 && !options.isDryRun) await removeKept(session);
      print(result, { options, terminal, sentMs });
      await writeReport(options, () => loadPage(result, session.journal.state));
      if (stop.reason) return sayStopped(stop.reason, resume, terminal);
      if (changes.length > 0) return sayChanged(changes, session, { resume, options, terminal });
      const next = (name: 'load' | 'retry'): string => commandText(name, folder, typed, terminal.environment);
      return conclude(result, { terminal, command: command.name, next, options });
    } finally {
      await session.close();
    }
  });
}

/** Remove what is kept for a run that continues. */
async function removeKept({ work }: Session): Promise<void> {
  await removeSorted(work.temporary);
  await removeCopies(work.unpacked);
}

interface SendAllOptions {
  readonly options: SendingOptions;
  readonly run: string;
  readonly terminal: Terminal;
  readonly running: Run;
  readonly files: FolderContent['files'];
}

interface SentAll {
  /** How many rows the files of each kind have. */
  readonly counted: ReadonlyMap<Kind, number>;
  readonly sentMs: number;
  readonly changes: readonly Change[];
  readonly takenUp: Result['taken_up'];
  readonly seen: LoadedContext['seen'];
}

async function sendAll(
  command: SendingCommand,
  session: Session,
  { options, run, terminal, running, files }: SendAllOptions,
): Promise<SentAll> {
  const { stop, progress } = running;
  const isRetry = command.name === 'retry';
  const read = { options, stop, progress: readingOf(progress) };
  const reading = { ...read, copies: await copyFiles(session, { isRetry, files, ...read }) };
  const preparations = await prepareKinds(session, { isRetry, files, ...reading });
  [...copiesText(reading.copies), ...[...preparations.values()].flatMap(leftOutText)].forEach(terminal.say);
  const isFirst = session.journal.state.runs.length === 1;
  if (isFirst && options.forceAddToCurrentStatement === undefined && [...preparations.keys()].some(isMovable))
    terminal.say(NOT_MOVED);
  const sending = await command.begin(session, { options, preparations, terminal, running, reading });
  for (const [kind, { settled, rows }] of sending.counts) progress.kind(kind, settled, rows);
  const startedAt = terminal.clock.now();
  // Import requests are repeated by the loader itself; the first question to the service is not.
  let changes: readonly Change[] = [];
  let isChecked = false;
  const client = clientFor(options, running, { connections: options.concurrency });
  try {
    await findSupplier(client, { ...options, say: terminal.say }, stop);
    const { isDryRun, forceAddToCurrentStatement: isMoving = false, giveUpAfterMs, ...others } = options;
    const loading = new Loading(
      { ...others, giveUpAfterMs, isDryRun, isMoving, run, bytesPerRequest: BYTES_PER_REQUEST },
      {
        transport: new ClientTransport(client, { isDryRun, forceAddToCurrentStatement: isMoving }),
        ledger: new PeriodWatch(sending.ledger, stop),
        rows: sending.rows,
        clock: terminal.clock,
        progress: (kind, rows, failed) => {
          progress.settled(kind, rows, failed);
        },
        undecided: (why) => {
          progress.undecided(why);
        },
      },
      stop,
    );
    await loading.run(sending.kinds);
    if (options.hasCheck && !stop.signal.aborted) {
      const send = (kinds: readonly Kind[]): Promise<void> => loading.run(kinds);
      isChecked = await checkAll(sending, { options, terminal, running, send });
    }
  } catch (error) {
    if (isRetry || !(error instanceof UnreadableInput || error instanceof WrongUsage)) throw error;
    changes = await changesBehind(error, preparations, options, reading.copies);
  } finally {
    client.close();
  }
  const counted = new Map([...preparations].map(([kind, { rows }]) => [kind, rows]));
  const sentMs = terminal.clock.now() - startedAt;
  if (!isRetry && !stop.signal.aborted && changes.length === 0)
    changes = await changesSince(preparations, options, reading.copies);
  // Of a part of the accounts it says nothing of the others.
  if (isChecked && changes.length === 0 && options.limit === undefined)
    session.journal.append({ event: 'checked', at: terminal.clock.now(), kinds: [...sending.counts.keys()] });
  return { counted, sentMs, changes, takenUp: sending.takenUp?.(), seen: sending.seen };
}

interface FinishOptions {
  readonly counted: ReadonlyMap<Kind, number>;
  readonly options: SendingOptions;
  readonly run: string;
  readonly seconds: number;
  readonly isComplete: boolean;
  readonly changed: readonly string[];
  readonly takenUp: Result['taken_up'];
}

/** Derive everything that is shown from the journal. */
async function finish(
  { journal, failures }: Session,
  { counted, options, run, seconds, isComplete, changed, takenUp }: FinishOptions,
): Promise<Result> {
  const result = await collectResult(
    { state: journal.state, failures: () => journal.failures() },
    { rows: counted, isComplete, seconds, isDryRun: options.isDryRun, run, changed, takenUp },
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
  if (!options.isDryRun && result.failed + result.unsent + result.changed.length === 0)
    terminal.print(result.checked ? 'Every row is there.\n' : 'Every row was sent.\n');
  if (options.isDryRun) {
    terminal.print(`Nothing was stored. Loading takes about this long: ${durationText(sentMs / 1_000)}.\n`);
  }
}

/**
 * Say what happened to the files meanwhile. Where rows of them are settled, only a load from the start can know which.
 *
 * @returns the exit code
 */
function sayChanged(
  changes: readonly Change[],
  { journal }: Session,
  { resume, options, terminal }: { resume: string; options: SendingOptions; terminal: Terminal },
): number {
  terminal.say('The folder was changed while it was loaded, and these changes are not sent:');
  for (const { text } of changes) terminal.say(`  ${text}`);
  const isSettled = changes.some(({ kind }) => kind !== undefined && journal.state.of(kind).settled > 0);
  const isAgain = isSettled && !options.isDryRun;
  terminal.say('When the folder no longer changes, continue; the service recognises what it has:');
  terminal.say(isAgain ? `${resume} --again` : resume);
  return EXIT.stopped;
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
  { failed, unsent, groups }: Result,
  { terminal, command, next, options }: Conclusion,
): number {
  const { isDryRun, limit } = options;
  if (failed > 0) {
    sayFailed(groups, { terminal, command, next, options });
    return EXIT.failed;
  }
  if (isDryRun) {
    terminal.say(
      unsent > 0 ? 'Every row that was checked can be loaded. To load:' : 'Every row can be loaded. To load:',
    );
    terminal.say(next(command));
    return EXIT.complete;
  }
  if (unsent > 0) {
    terminal.say(
      limit === undefined
        ? 'Some rows were never sent. To send them:'
        : 'Rows of other accounts are not sent, because of --limit. To send them:',
    );
    terminal.say(next('load'));
    return limit === undefined ? EXIT.stopped : EXIT.complete;
  }
  return EXIT.complete;
}

/** Say where the failed rows are, and what is to be done about them. */
function sayFailed(
  groups: Result['groups'],
  { terminal, command, next, options: { folder, isDryRun } }: Conclusion,
): void {
  if (groups.some(({ code }) => code === OUTSIDE))
    terminal.say(`Some are outside the open statement period. ${WAYS_OUT}`);
  if (groups.some(({ code }) => code === ACCOUNT_NOT_FOUND))
    terminal.say(
      'Rows of accounts that are not imported are sent by `load` when an operator of the service has imported them.',
    );
  const isRetried = isDryRun && command === 'retry';
  const where = isDryRun && !isRetried ? 'dry-run' : 'failures';
  terminal.say(
    `The failed rows are in ${folder}/${where}/, which holds customers' data like the folder itself.`,
  );
  if (isRetried) terminal.say(`What is wrong with them now is in ${folder}/dry-run/.`);
  if (isDryRun && !isRetried)
    terminal.say(`Correct them in the files of ${folder}, or load the others and correct these afterwards:`);
  else terminal.say('Correct failed rows there, and send them again:');
  terminal.say(next(isDryRun ? command : 'retry'));
}

/** Ten characters of 32, of which no two runs have the same. */
function runName(): string {
  return Array.from(randomBytes(10), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
}
