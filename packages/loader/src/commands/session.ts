import { createHash } from 'node:crypto';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCopies, FileRecords, WrongUsage, type Copies } from '@data-import/files';
import { Journal, readState } from '../journal/journal.js';
import type { JournalState } from '../journal/state.js';
import { openWorkFolder, type WorkFolder } from '../journal/work-folder.js';
import { FailuresFolder } from '../retry/failures-folder.js';
import type { FolderContent } from '../rows/folder.js';
import { recheck, type ReadingOptions } from '../rows/prepare.js';
import { prepareRows } from '../rows/join.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { EntriesOptions } from '../verify/entries-file.js';
import { removeLoaded } from './loaded-file.js';
import type { LoadOptions } from './options.js';
import { readingOf, type Run } from './run.js';
import type { Terminal } from './terminal.js';
import type { Preparation } from '../rows/preparation.js';
import { FIELDS } from '../kinds/fields.js';
import { expectRecordTypes, usedFiles } from '../rows/left-out.js';

/** The options with which a run of `load` or `retry` begins. */
export interface SessionOptions {
  readonly command: 'load' | 'retry';
  /** The prefix of every request id. */
  readonly run: string;
  /** The start time in milliseconds of the terminal's clock. */
  readonly startedAt: number;
  readonly options: LoadOptions;
  /** The options except `--dry-run`, as they can be typed again. */
  readonly typed: string;
  /** The command that continues this run. */
  readonly resume: string;
  readonly terminal: Terminal;
  readonly running: Run;
}

/** A run whose folder is locked, with the folder's journal. */
export interface Session extends SessionOptions {
  readonly work: WorkFolder;
  readonly journal: Journal;
  readonly failures: FailuresFolder;
  readonly close: () => Promise<void>;
}

/** A run that has read its files. */
export interface ReadSession extends Session {
  readonly copies: Copies;
  readonly preparations: ReadonlyMap<Kind, Preparation>;
  /** Of a dry run, why the load needs `--again`. */
  readonly againBecause: readonly string[];
}

/**
 * Lock a folder and open its journal.
 *
 * @throws WrongUsage when another loader works on it, or it was loaded for another supplier or into another service
 */
export async function openSession(given: SessionOptions): Promise<Session> {
  const { options, run, typed, terminal, running } = given;
  const { folder, supplier, baseUrl, isAgain, isDryRun } = options;
  const isRetry = given.command === 'retry';
  const { work, lock } = await openWorkFolder(folder, running.stop);
  try {
    if (isDryRun) await beginRehearsal(work, isRetry);
    const path = isDryRun ? work.rehearsal : work.journal;
    const journal = await openJournal(path, isAgain);
    const failures = new FailuresFolder(
      join(folder, isDryRun ? 'dry-run' : 'failures'),
      work.path,
      !isDryRun ? 'corrections' : isRetry ? 'errors' : 'rows',
      terminal.say,
    );
    if (!isDryRun)
      journal.beforeChange = () => {
        removeLoaded(folder);
      };
    const other = otherTarget(journal.state, options);
    if (other !== undefined && !isAgain) throw new WrongUsage(other);
    const close = async (): Promise<void> => {
      try {
        await journal.close();
      } finally {
        // Releasing can fail, for example on a full disk. The lock also ends with this process.
        await lock.release().catch(() => undefined);
      }
    };
    const session = { ...given, work, journal, failures, close };
    if (isAgain && !isDryRun) await setAside(session);
    const command = isDryRun ? 'dry-run' : given.command;
    journal.append({ event: 'run', run, command, at: Date.now(), supplier, baseUrl, options: typed });
    return session;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A dry run of `load` tries every row anew; a dry run of `retry` tries the failed rows. */
async function beginRehearsal({ journal, rehearsal }: WorkFolder, isRetry: boolean): Promise<void> {
  await rm(rehearsal, { force: true });
  if (!isRetry) return;
  await copyFile(journal, rehearsal).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
}

/** When everything is sent again, a damaged journal is kept next to the new one. */
async function openJournal(path: string, isAgain: boolean): Promise<Journal> {
  try {
    return await Journal.open(path);
  } catch (error) {
    if (!isAgain || !(error instanceof WrongUsage)) throw error;
    await rename(path, `${path}.damaged-${Date.now()}`);
    return Journal.open(path);
  }
}

/** The acknowledgements of one service say nothing about another. @returns why the folder needs `--again` */
function otherTarget(state: JournalState, { supplier, baseUrl }: LoadOptions): string | undefined {
  const last = state.runs.at(-1);
  if (!last || (last.supplier === supplier && last.baseUrl === baseUrl)) return undefined;
  // A mistyped address cannot have acknowledged anything.
  if (KINDS.every((kind) => state.of(kind).settled === 0)) return undefined;
  return `This folder was loaded for ${last.supplier} into ${last.baseUrl}. To load it for ${supplier} into ${baseUrl} from the start, add --again.`;
}

async function setAside({ journal, failures, options, run, terminal }: Session): Promise<void> {
  const { kinds, folder, supplier, baseUrl } = options;
  const last = journal.state.runs.at(-1);
  const isSameTarget = last?.supplier === supplier && last.baseUrl === baseUrl;
  await failures.setAside();
  const corrected = join(folder, 'corrected');
  const kept = join(folder, '.data-import-loader', `corrected-before-${run}`);
  const hasCorrected = await rename(corrected, kept).then(
    () => true,
    () => false,
  );
  if (hasCorrected)
    terminal.say(
      `Rows that were corrected earlier are kept in ${kept}. Those that fail again can be copied from there to ${join(folder, 'failures')}, for retry.`,
    );
  journal.append({ event: 'set-aside', kinds: isSameTarget ? kinds : KINDS });
}

/**
 * Read the files of all kinds once, or compare them with the files that an earlier run has read.
 *
 * @throws UnreadableInput, WrongUsage, also when a file with settled rows has changed
 */
export async function readFiles(session: Session, files: FolderContent['files']): Promise<ReadSession> {
  // A dry run can use the files as an earlier run has read them.
  const earlier = await readState(session.work.journal);
  const copies = await copyFiles(session, files, earlier);
  const { isDryRun } = session.options;
  const other = isDryRun ? otherTarget(earlier, session.options) : undefined;
  const againBecause = other === undefined ? [] : [other];
  const needsAgain = (why: string): void => {
    if (!isDryRun) throw new WrongUsage(why);
    againBecause.push(why);
  };
  const preparations = await prepareKinds({ ...session, copies }, files, earlier, needsAgain);
  expectRecordTypes(usedFiles(preparations.values()), session.options.mapping.of);
  return { ...session, copies, preparations, againBecause };
}

/** Copy the files that are inside other files, see copies.ts. `retry` does not copy files that an earlier run has read. */
function copyFiles(
  { command, options, running, journal, work }: Session,
  files: FolderContent['files'],
  earlier: JournalState,
): Promise<Copies> {
  const { folder, kinds, mapping } = options;
  const isRead = (kind: Kind): boolean =>
    command === 'load' || (journal.state.of(kind).prepared ?? earlier.of(kind).prepared) === undefined;
  const named = kinds
    .filter(isRead)
    .flatMap((kind) => (files.get(kind) ?? []).map((name) => ({ folder, name, kind })));
  return ensureCopies(named, {
    workFolder: work.unpacked,
    mappingOf: mapping.of,
    signal: running.stop.signal,
    progress: readingOf(running.progress),
  });
}

async function prepareKinds(
  session: Omit<ReadSession, 'preparations' | 'againBecause'>,
  files: FolderContent['files'],
  earlier: JournalState,
  needsAgain: (why: string) => void,
): Promise<ReadSession['preparations']> {
  const { command, journal } = session;
  const { kinds, mapping, isDryRun } = session.options;
  const preparations = new Map<Kind, Preparation>();
  for (const kind of kinds) {
    const names = files.get(kind) ?? [];
    const state = journal.state.of(kind);
    const known = state.prepared ?? earlier.of(kind).prepared;
    const isSettled = (isDryRun ? earlier : journal.state).of(kind).settled > 0;
    if (names.length === 0 && !isSettled) continue;
    if (command === 'retry' && known) {
      preparations.set(kind, known.preparation);
      continue;
    }
    const reading = readingOptions(kind, session);
    const hash = createHash('sha256').update(mapping.of(kind).text).digest('hex');
    if (known?.mapping === hash) {
      const { changed, preparation } = await recheck(known.preparation, names, reading);
      if (changed.length === 0) {
        journal.append({ ...known, preparation });
        preparations.set(kind, preparation);
        continue;
      }
      if (isSettled)
        needsAgain(
          `After a part of the folder was loaded, ${changed.join(', ')}. To send everything from the start, add --again: the service recognises what it has. A new file can also be loaded from a folder of its own.`,
        );
    } else if (isSettled) {
      needsAgain(
        `The mapping of ${kind} is not the one with which they were loaded before. To send all of them from the start, add --again; to correct rows that failed, use retry.`,
      );
    }
    if (names.length === 0) continue;
    const preparation = await prepareRows(kind, names, reading);
    const headers: Record<string, string> = {};
    for (const name of names) {
      if (reading.mapping.of(name).join) continue;
      const header = await FileRecords.header({ ...reading, fields: FIELDS[kind] }, name);
      if (header) headers[name] = header.text;
    }
    journal.append({ event: 'prepared', preparation, mapping: hash, headers });
    preparations.set(kind, preparation);
  }
  return preparations;
}

export function readingOptions(
  kind: Kind,
  { options, running, work, copies }: Omit<ReadSession, 'preparations' | 'againBecause'>,
): ReadingOptions {
  return {
    folder: options.folder,
    workFolder: work.temporary,
    mapping: options.mapping.of(kind),
    copies,
    progress: readingOf(running.progress),
    signal: running.stop.signal,
  };
}

/** How the entries of the folder are made, beside those of `verify`. */
export function entriesIn(
  { options, running, work }: Session,
  preparations: readonly Preparation[],
): EntriesOptions {
  return {
    folders: [options.folder],
    workFolder: work.verify,
    sortedFolder: work.temporary,
    mapping: options.mapping,
    preparations,
    signal: running.stop.signal,
    progress: readingOf(running.progress),
  };
}
