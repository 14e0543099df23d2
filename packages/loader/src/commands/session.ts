import { createHash } from 'node:crypto';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongUsage } from '../common/errors.js';
import { Journal, readState } from '../journal/journal.js';
import type { JournalState } from '../journal/state.js';
import { openWorkFolder, type WorkFolder } from '../journal/work-folder.js';
import { FailuresFolder } from '../retry/failures-folder.js';
import { ensureCopies, type Copies } from '../rows/copies.js';
import { FileRecords } from '../rows/file-records.js';
import type { FolderContent } from '../rows/folder.js';
import { recheck, type ReadingOptions, type ReadingProgress } from '../rows/prepare.js';
import { prepareRows } from '../rows/join.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Preparation } from '../rows/row.js';
import type { Stop } from '../common/stop.js';
import { removeLoaded } from './loaded-file.js';
import type { SendingOptions } from './options.js';

/** A folder that is being loaded, with its journal and its lock. */
export interface Session {
  readonly work: WorkFolder;
  readonly journal: Journal;
  readonly failures: FailuresFolder;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  readonly options: SendingOptions;
  readonly run: string;
  readonly command: 'load' | 'retry';
  /** The options as they can be typed again. */
  readonly typed: string;
  readonly stop: Stop;
  readonly say: (sentence: string) => void;
}

/**
 * Lock a folder and open its journal.
 *
 * @throws WrongUsage when another loader works on it, or it was loaded for another supplier or into another service
 */
export async function openSession(session: SessionOptions): Promise<Session> {
  const { options, run, typed, stop, say } = session;
  const { folder, supplier, baseUrl, isAgain, isDryRun } = options;
  const { work, lock } = await openWorkFolder(folder, stop);
  try {
    if (isDryRun) await beginRehearsal(work, session.command === 'retry');
    const path = isDryRun ? work.rehearsal : work.journal;
    const journal = await openJournal(path, isAgain);
    const holds = !isDryRun ? 'corrections' : session.command === 'retry' ? 'errors' : 'rows';
    const failures = new FailuresFolder(
      join(folder, isDryRun ? 'dry-run' : 'failures'),
      work.path,
      holds,
      say,
    );
    if (!isDryRun)
      journal.beforeChange = () => {
        removeLoaded(folder);
      };
    expectSameTarget(journal.state, options);
    if (isAgain && !isDryRun) await setAside(journal, failures, options, run, say);
    const command = isDryRun ? 'dry-run' : session.command;
    journal.append({ event: 'run', run, command, at: Date.now(), supplier, baseUrl, options: typed });
    const close = async (): Promise<void> => {
      try {
        await journal.close();
      } finally {
        // On a full disk, for example: it is free too when this process has ended.
        await lock.release().catch(() => undefined);
      }
    };
    return { work, journal, failures, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A dry run of a load decides about every row anew, that of a retry about the rows that failed. */
async function beginRehearsal({ journal, rehearsal }: WorkFolder, isRetry: boolean): Promise<void> {
  await rm(rehearsal, { force: true });
  if (!isRetry) return;
  await copyFile(journal, rehearsal).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
}

/** A damaged journal is kept beside the new one where everything is sent again. */
async function openJournal(path: string, isAgain: boolean): Promise<Journal> {
  try {
    return await Journal.open(path);
  } catch (error) {
    if (!isAgain || !(error instanceof WrongUsage)) throw error;
    await rename(path, `${path}.damaged-${Date.now()}`);
    return Journal.open(path);
  }
}

/** What one service acknowledged says nothing about another. */
function expectSameTarget(state: JournalState, { supplier, baseUrl, isAgain }: SendingOptions): void {
  const last = state.runs.at(-1);
  if (!last || isAgain || (last.supplier === supplier && last.baseUrl === baseUrl)) return;
  // Of an address that was mistyped nothing is known.
  if (KINDS.every((kind) => state.of(kind).settled === 0)) return;
  throw new WrongUsage(
    `This folder was loaded for ${last.supplier} into ${last.baseUrl}. To load it for ${supplier} into ${baseUrl} from the start, add --again.`,
  );
}

async function setAside(
  journal: Journal,
  failures: FailuresFolder,
  { kinds, folder, supplier, baseUrl }: SendingOptions,
  run: string,
  say: (sentence: string) => void,
): Promise<void> {
  const last = journal.state.runs.at(-1);
  const isSameTarget = last?.supplier === supplier && last.baseUrl === baseUrl;
  await failures.setAside();
  const corrected = join(folder, 'corrected');
  const kept = join(folder, '.data-import-loader', `corrected-before-${run}`);
  const hasCorrected = await rename(corrected, kept).then(
    () => true,
    () => false,
  );
  if (hasCorrected) say(`Rows that were corrected earlier are kept in ${kept}.`);
  journal.append({ event: 'set-aside', kinds: isSameTarget ? kinds : KINDS });
}

/** What {@link prepareKinds} needs. */
export interface PreparationOptions {
  /** Whether only rows that failed are sent: they are read from elsewhere, perhaps with another mapping. */
  readonly isRetry: boolean;
  readonly files: FolderContent['files'];
  readonly options: SendingOptions;
  readonly stop: Stop;
  readonly progress: ReadingProgress;
  readonly copies: Copies;
}

/**
 * Copy what of the files lies within others, see copies.ts. `retry` reads none of them where an earlier run has.
 *
 * @throws UnreadableInput, WrongUsage
 */
export async function copyFiles(
  { journal, work }: Session,
  { isRetry, files, options, stop, progress }: Omit<PreparationOptions, 'copies'>,
): Promise<Copies> {
  const { folder, kinds, mapping } = options;
  const earlier = await readState(work.journal);
  const isRead = (kind: Kind): boolean =>
    !isRetry || (journal.state.of(kind).prepared ?? earlier.of(kind).prepared) === undefined;
  const named = kinds
    .filter(isRead)
    .flatMap((kind) => (files.get(kind) ?? []).map((name) => ({ folder, name, kind })));
  const { signal } = stop;
  return ensureCopies(named, { workFolder: work.unpacked, mappingOf: mapping.of, signal, progress });
}

/**
 * Read the files of all kinds once, or compare them with what was read by an earlier run.
 *
 * @throws WrongUsage when a file was changed of which rows are settled
 */
export async function prepareKinds(
  { journal, work }: Session,
  { isRetry, files, options, stop, progress, copies }: PreparationOptions,
): Promise<ReadonlyMap<Kind, Preparation>> {
  const { kinds, mapping } = options;
  // What an earlier run has read is right for a dry run too.
  const earlier = await readState(work.journal);
  const preparations = new Map<Kind, Preparation>();
  for (const kind of kinds) {
    const names = files.get(kind) ?? [];
    const state = journal.state.of(kind);
    const known = state.prepared ?? earlier.of(kind).prepared;
    if (names.length === 0 && state.settled === 0) continue;
    if (isRetry && known) {
      preparations.set(kind, known.preparation);
      continue;
    }
    const reading = readingOptions(kind, work, { options, stop, progress, copies });
    const hash = createHash('sha256').update(mapping.text(kind)).digest('hex');
    if (known?.mapping === hash) {
      const { changed, preparation } = await recheck(known.preparation, names, reading);
      if (changed.length === 0) {
        journal.append({ ...known, preparation });
        preparations.set(kind, preparation);
        continue;
      }
      if (state.settled > 0) throw changedFiles(changed);
    } else if (state.settled > 0) {
      throw new WrongUsage(
        `The mapping of ${kind} is not the one with which they were loaded before. To send all of them from the start, add --again; to correct rows that failed, use retry.`,
      );
    }
    const preparation = await prepareRows(kind, names, reading);
    const headers: Record<string, string> = {};
    for (const name of names) {
      if (reading.mapping.of(name).join) continue;
      const header = await FileRecords.header({ ...reading, kind }, name);
      if (header !== undefined) headers[name] = header;
    }
    journal.append({ event: 'prepared', preparation, mapping: hash, headers });
    preparations.set(kind, preparation);
  }
  return preparations;
}

function changedFiles(names: readonly string[]): WrongUsage {
  const were = names.length === 1 ? 'was' : 'were';
  return new WrongUsage(
    `${names.join(', ')} ${were} changed after a part was loaded, so what was acknowledged no longer belongs to it. To send everything from the start, add --again: the service recognises what it has.`,
  );
}

export function readingOptions(
  kind: Kind,
  work: WorkFolder,
  { options, stop, progress, copies }: Omit<PreparationOptions, 'isRetry' | 'files'>,
): ReadingOptions {
  return {
    folder: options.folder,
    workFolder: work.temporary,
    mapping: options.mapping.of(kind),
    copies,
    progress,
    signal: stop.signal,
  };
}
