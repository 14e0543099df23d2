import { randomBytes } from 'node:crypto';
import type { DataImportClient } from '@data-import/client';
import { copiesText, removeCopies, UnknownForm, UnreadableInput, WrongUsage } from '@data-import/files';
import { check, type CheckedRows, type Missed } from '../check/check.js';
import type { Kind } from '../kinds/kinds.js';
import { collectResult } from '../report/collect.js';
import { countText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { loadPage } from '../report/text.js';
import { writeCorrectedFiles } from '../retry/failures-folder.js';
import { expectNoOthers, findFiles, type FolderContent } from '../rows/folder.js';
import { leftOutOf, usedFiles } from '../rows/left-out.js';
import { removeSorted } from '../rows/sort.js';
import { PeriodWatch } from '../send/moving.js';
import { Sender, type SenderParts } from '../send/sender.js';
import { ClientTransport } from '../send/transport.js';
import { ClientSource } from '../verify/source.js';
import { changesBehind, changesSince, type Change } from './changes.js';
import { conclude, printResult, sayChanged } from './conclusion.js';
import { commandText, optionsText } from './continue.js';
import { writeLoaded } from './loaded.js';
import { expectUsed, readLoadOptions, type LoadFlags } from './options.js';
import { asking, clientFor, expectRoomForReport, runCommand, sayStopped, writeReport } from './run.js';
import { openSession, readFiles, type ReadSession, type Session } from './session.js';
import { findSupplier } from './supplier.js';
import type { Terminal } from './terminal.js';

/** Size limit of a request in bytes, well below the service's 10 MiB. */
const BYTES_PER_REQUEST = 8 * 1024 * 1024;

/** The rows that a run sends: the rows of the folder or the failed rows. */
export interface LoadPlan {
  readonly ledger: SenderParts['ledger'];
  readonly rows: SenderParts['rows'];
  readonly kinds: readonly Kind[];
  /** For each kind, the number of rows to send and the number of those that are already settled. */
  readonly counts: ReadonlyMap<Kind, { settled: number; rows: number }>;
  /** The rows that the check at the end looks for. */
  readonly checkedRows: () => Promise<CheckedRows>;
  /** The number of settled rows that had failed before because their account was not imported. */
  readonly takenUp?: () => NonNullable<Result['taken_up']>;
}

/** A command that sends rows. */
export interface LoadCommand {
  readonly name: 'load' | 'retry';
  readonly plan: (session: ReadSession) => Promise<LoadPlan>;
}

/**
 * Run `load` or `retry`. When it is unknown how to read the files, the error names the command that proposes a mapping.
 *
 * @returns the exit code
 * Source: choice L11.
 */
export async function runLoad(
  command: LoadCommand,
  folder: string,
  flags: LoadFlags,
  terminal: Terminal,
): Promise<number> {
  try {
    return await runInFolder(command, folder, flags, terminal);
  } catch (error) {
    if (!(error instanceof UnknownForm) || flags.mapping !== undefined) throw error;
    const map = commandText('map', folder, '--output mapping.json', terminal.environment);
    throw new UnknownForm(
      `${error.message}\nFiles of other names and forms are read by a mapping file. This proposes one:\n${map}`,
    );
  }
}

async function runInFolder(
  command: LoadCommand,
  folder: string,
  flags: LoadFlags,
  terminal: Terminal,
): Promise<number> {
  const options = await readLoadOptions(folder, flags, terminal.environment);
  await expectRoomForReport(options);
  const content = await findFiles(folder, options.folderOptions);
  if (command.name === 'load') {
    expectNoOthers(folder, content);
    for (const name of content.accounts)
      terminal.say(`${name} has accounts, which the operator stages. It is passed over.`);
  }
  expectUsed(options, [...content.files.values(), content.accounts].flat());
  const { giveUpAfterMs, limit } = options;
  const limited = limit === undefined ? '' : ` --limit ${limit}`;
  const given = {
    command: command.name,
    run: runName(),
    startedAt: terminal.clock.now(),
    options,
    typed: optionsText({ ...flags, dryRun: false }),
    resume: commandText(command.name, folder, optionsText(flags), terminal.environment) + limited,
    terminal,
  };
  const waiting = 'Waiting for the requests that are running. To stop at once, interrupt again.';
  return runCommand(terminal, { resume: given.resume, waiting, giveUpAfterMs }, async (running) => {
    const session = await openSession({ ...given, running });
    try {
      return await new LoadRun(command, session, content).execute();
    } finally {
      await session.close();
    }
  });
}

/** One run of `load` or `retry`: read the files, send and check their rows, record the result and report it. */
class LoadRun {
  private sentMs = 0;
  private isChecked = false;
  /** The changes of the folder during the run. */
  private changes: readonly Change[] = [];

  constructor(
    private readonly command: LoadCommand,
    private readonly session: Session,
    private readonly content: FolderContent,
  ) {}

  /** @returns the exit code */
  async execute(): Promise<number> {
    const session = await readFiles(this.session, this.content.files);
    copiesText(session.copies).forEach(session.terminal.say);
    const plan = await this.command.plan(session);
    await this.send(session, plan);
    const result = await this.record(session, plan);
    return this.report(session, result);
  }

  private get isStopped(): boolean {
    return this.session.running.stop.signal.aborted;
  }

  private get isUnchanged(): boolean {
    return this.changes.length === 0;
  }

  private async send(session: ReadSession, plan: LoadPlan): Promise<void> {
    const { command, options, terminal, running, journal } = session;
    for (const [kind, { settled, rows }] of plan.counts) running.progress.kind(kind, settled, rows);
    const startedAt = terminal.clock.now();
    // The loader retries import requests itself, but not its first request to the service.
    const client = clientFor(options, running, { connections: options.concurrency });
    try {
      await findSupplier(client, { ...options, say: terminal.say }, running.stop);
      const sender = this.senderFor(client, plan);
      await sender.run(plan.kinds);
      if (options.hasCheck && !this.isStopped) this.isChecked = await this.check(plan, sender);
    } catch (error) {
      if (command === 'retry' || !(error instanceof UnreadableInput || error instanceof WrongUsage))
        throw error;
      this.changes = await changesBehind(error, session);
    } finally {
      client.close();
    }
    this.sentMs = terminal.clock.now() - startedAt;
    if (command === 'load' && !this.isStopped && this.isUnchanged) this.changes = await changesSince(session);
    // A check of some accounts says nothing about other accounts.
    if (this.isChecked && this.isUnchanged && options.limit === undefined)
      journal.append({ event: 'checked', at: terminal.clock.now(), kinds: [...plan.counts.keys()] });
  }

  private senderFor(client: DataImportClient, { ledger, rows }: LoadPlan): Sender {
    const { options, run, terminal, running } = this.session;
    const { stop, progress } = running;
    const { isDryRun, forceAddToCurrentStatement: isMoving = false } = options;
    return new Sender(
      { ...options, isMoving, run, bytesPerRequest: BYTES_PER_REQUEST },
      {
        transport: new ClientTransport(client, { isDryRun, forceAddToCurrentStatement: isMoving }),
        ledger: new PeriodWatch(ledger, stop),
        rows,
        clock: terminal.clock,
        progress: (kind, settled, failed) => {
          progress.settled(kind, settled, failed);
        },
        undecided: (why) => {
          progress.undecided(why);
        },
      },
      stop,
    );
  }

  /**
   * Look for the rows that were sent. A check that ends early stops the run.
   *
   * @returns whether every row was looked for
   * Source: choice L14.
   */
  private async check(plan: LoadPlan, sender: Sender): Promise<boolean> {
    const { journal, options, terminal, running } = this.session;
    const { stop, progress } = running;
    const { concurrency, supplier, isDryRun } = options;
    const isEnded = await asking(options, running, concurrency + 1, async (client) => {
      const checked = await plan.checkedRows();
      progress.kind('checked', 0, sum([...plan.counts.values()].map(({ rows }) => rows)));
      const sendAgain = async (missed: Missed): Promise<void> => {
        for (const [kind, count] of missed) {
          const { rows: all } = plan.counts.get(kind) ?? { rows: count };
          progress.kind(kind, all - count, all);
        }
        await sender.run([...missed.keys()]);
        progress.kind('checked', 0, sum(missed.values()));
      };
      const missed = await check(checked, {
        source: new ClientSource(client, supplier),
        concurrency,
        signal: stop.signal,
        isDryRun,
        sendAgain,
        known: (kind, count) => {
          const counts = { loaded: -count, already: count };
          journal.append({ event: 'ack', kind, at: terminal.clock.now(), ranges: [], ...counts });
        },
        progress: (looked) => {
          progress.settled('checked', looked, 0);
        },
      });
      const count = sum(missed.values());
      if (count > 0)
        terminal.say(
          `Rows that were acknowledged and are missing at the service, for example because an import was undone, were sent again: ${countText(count)}.`,
        );
      return true;
    });
    return isEnded === true;
  }

  /** Derive the result from the journal, and write the files that describe the outcome of the rows. */
  private async record(session: ReadSession, plan: LoadPlan): Promise<Result> {
    const { command, run, startedAt, options, terminal, running, work, journal, failures } = session;
    const { folder, isDryRun, limit } = options;
    const result = await collectResult(
      { state: journal.state, failures: () => journal.failures() },
      {
        rows: new Map([...session.preparations].map(([kind, { rows }]) => [kind, rows])),
        isComplete: command === 'load' && !this.isStopped && this.isUnchanged && limit === undefined,
        seconds: (terminal.clock.now() - startedAt) / 1_000,
        isDryRun,
        run,
        changed: this.changes.map(({ text }) => text),
        takenUp: plan.takenUp?.(),
        leftOut: leftOutOf(usedFiles(session.preparations.values()), options.mapping, [this.content]),
      },
    );
    await failures.write(journal, options.mapping.of);
    if (!isDryRun) await writeCorrectedFiles(folder, journal);
    if (!running.stop.reason && this.isUnchanged) await writeLoaded(session, result);
    running.progress.stop();
    if (result.unsent === 0 && !isDryRun) {
      await removeSorted(work.temporary);
      await removeCopies(work.unpacked);
    }
    return result;
  }

  /** @returns the exit code */
  private async report(session: ReadSession, result: Result): Promise<number> {
    const { changes } = this;
    const { options, terminal, resume } = session;
    const { reason } = session.running.stop;
    printResult(result, session, this.sentMs);
    await writeReport(options, () => loadPage(result, session.journal.state));
    if (reason) return sayStopped(reason, resume, terminal);
    return this.isUnchanged ? conclude(result, session) : sayChanged(changes, session);
  }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** Ten characters from an alphabet of 32, unique to the run. */
function runName(): string {
  return Array.from(randomBytes(10), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
}
