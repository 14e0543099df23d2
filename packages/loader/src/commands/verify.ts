import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { DataImportClient, DataImportError } from '@data-import/client';
import { openWorkFolder, type WorkFolder } from '../journal/work-folder.js';
import { startProgress, type Progress } from '../report/progress.js';
import { verifyPage } from '../report/verify-html.js';
import { verifyText } from '../report/verify-text.js';
import { hashFile } from '../rows/byte-source.js';
import { KINDS } from '../kinds/kinds.js';
import { Stop } from '../send/stop.js';
import { answerOf } from '../send/transport.js';
import { Checkpoints } from '../verify/checkpoint.js';
import { ClientSource } from '../verify/client-source.js';
import { compareAll, DIFFERENCES_MAX } from '../verify/comparing.js';
import { sha256 } from '../verify/digests.js';
import { ensureEntries, type EntriesFile } from '../verify/entries-file.js';
import type { Share, ShareTask } from '../verify/entries-share.js';
import { inputFiles, type InputFile } from '../verify/input.js';
import { nameDifferences } from '../verify/naming.js';
import { differing, type Tally, type VerifyResult } from '../verify/result.js';
import { shareInThread } from '../verify/share-thread.js';
import { ContradictoryAnswer } from '../verify/source.js';
import { commandText, optionsText } from './continue.js';
import { readServiceOptions, type ServiceFlags, type ServiceOptions } from './options.js';
import { ANSWER_TIMEOUT_MS, isOwnError, sentenceOf } from './send.js';
import { findSupplier, stopBecauseOf } from './supplier.js';
import { EXIT, failureText, type Terminal } from './terminal.js';

/** The built program stands beside the one that this file is a part of (build.mjs). To start it takes as long as a few megabytes. */
const THREAD = {
  run: (task: ShareTask, signal: AbortSignal): Promise<Share> =>
    shareInThread(new URL('entries-thread.js', import.meta.url), task, signal),
  fromBytes: 8_000_000,
};

/** What the parts of a comparison share. */
interface Context {
  readonly folders: readonly string[];
  readonly options: ServiceOptions;
  readonly terminal: Terminal;
  readonly stop: Stop;
  readonly progress: Progress;
  /** Where its state is kept. */
  readonly workFolder: string;
}

/**
 * Compare the files of folders with what the service has. A comparison that was interrupted is continued.
 *
 * @returns the exit code
 * Source: choices V9, L8.
 */
export async function verify(
  folders: readonly string[],
  flags: ServiceFlags,
  terminal: Terminal,
): Promise<number> {
  const options = await readServiceOptions(flags, terminal.environment);
  const stop = new Stop();
  const resume = commandText('verify', folders, optionsText(flags), terminal.environment);
  const forget = terminal.onInterrupt(() => {
    if (stop.signal.aborted) {
      terminal.say(resume);
      terminal.exit(EXIT.stopped);
    }
    stop.because({ is: 'interrupted' });
  });
  const progress = startProgress(terminal.errors, terminal.clock.now);
  let close: () => Promise<void> = () => Promise.resolve();
  try {
    const { work, lock } = await openWorkFolder(folders[0] ?? '', () => {
      const sentence = 'Another data-import-loader has taken over the folder.';
      stop.because({ is: 'refused', sentence, isUsage: false });
    });
    close = lock.release;
    const workFolder = await verifyFolder(work);
    const context = { folders, options, terminal, stop, progress, workFolder };
    const result = await compareFolders(context);
    progress.stop();
    return await conclude(result, context);
  } catch (error) {
    progress.stop();
    if (isOwnError(error)) throw error;
    return stopped(error, { options, stop, terminal, resume });
  } finally {
    forget();
    await close();
  }
}

/** @returns the exit code */
function stopped(
  error: unknown,
  { options, stop, terminal, resume }: Pick<Context, 'options' | 'stop' | 'terminal'> & { resume: string },
): number {
  if (error instanceof DataImportError && !stop.signal.aborted)
    stopBecauseOf(error, options.giveUpAfterMs, stop);
  const { reason } = stop;
  if (reason) terminal.say(sentenceOf(reason));
  else if (error instanceof ContradictoryAnswer) terminal.say(`${error.message}. This continues:`);
  else terminal.say(`${failureText(error)} This continues:`);
  terminal.say(resume);
  return reason?.is === 'refused' && reason.isUsage ? EXIT.usage : EXIT.stopped;
}

async function verifyFolder({ verify: folder }: WorkFolder): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

async function compareFolders(context: Context): Promise<VerifyResult> {
  const { folders, options, terminal, stop, progress, workFolder } = context;
  const startedAt = terminal.clock.now();
  const client = clientOf(context);
  try {
    const status = await findSupplier(client, options, stop);
    stop.signal.throwIfAborted();
    const files = await inputFiles(folders, options.kinds);
    const entries = await ensureEntries(files, {
      folders,
      workFolder,
      mapping: options.mapping,
      signal: stop.signal,
      progress: (kind, share) => {
        progress.reading(kind, share);
      },
      ...(availableParallelism() > 1 && { thread: THREAD }),
    });
    const comparison = await compareEntries(context, client, { entries, files, status: status ?? '' });
    return { ...comparison, seconds: (terminal.clock.now() - startedAt) / 1_000 };
  } finally {
    client.close();
  }
}

function clientOf({ options, progress }: Context): DataImportClient {
  const { baseUrl, apiKey, concurrency, giveUpAfterMs } = options;
  return new DataImportClient({
    baseUrl,
    apiKey,
    connections: concurrency + 1,
    timeoutMs: ANSWER_TIMEOUT_MS,
    userAgent: 'data-import-loader',
    retry: { giveUpAfterMs, attempts: Infinity },
    onRetry: ({ error }) => {
      progress.undecided(error instanceof DataImportError ? answerOf(error).status : 0);
    },
  });
}

interface Compared {
  readonly entries: EntriesFile;
  readonly files: readonly InputFile[];
  readonly status: string;
}

async function compareEntries(
  { folders, options, terminal, stop, progress, workFolder }: Context,
  client: DataImportClient,
  { entries, files, status }: Compared,
): Promise<Omit<VerifyResult, 'seconds'>> {
  const { supplier, baseUrl, kinds, concurrency } = options;
  const target = sha256(JSON.stringify([entries.path, folders, supplier, baseUrl, kinds]));
  const checkpoints = await Checkpoints.open(workFolder, target, options.isAgain);
  try {
    const about = checkpoints.last ?? { target, beganAt: terminal.clock.now(), status };
    if (checkpoints.last)
      terminal.say(
        `The comparison that began ${momentText(about.beganAt)} is continued; with --again it begins anew.`,
      );
    if (status === 'ongoing')
      terminal.say(`The migration of ${supplier} is ongoing: rows can be added while they are compared.`);
    const before = checkpoints.last ? settledRows(checkpoints.last.rows) : 0;
    progress.kind('compared', before, Math.max(entries.rows, before));
    const totals = await compareAll({
      entries: entries.path,
      kinds,
      concurrency,
      source: new ClientSource(client, supplier),
      checkpoints,
      clock: terminal.clock,
      signal: stop.signal,
      about: { target, beganAt: about.beganAt, status: about.status },
      progress: (rows) => {
        progress.settled('compared', settledRows(rows), 0);
      },
    });
    const differences = await nameDifferences(checkpoints.path('differences'), files, {
      mappingOf: options.mapping.of,
      signal: stop.signal,
    });
    const isWhole = kinds.length === KINDS.length;
    const digest = isWhole ? await hashFile(checkpoints.path('digest-lines')) : null;
    const serviceDigest = isWhole ? await hashFile(checkpoints.path('service-digest-lines')) : null;
    await checkpoints.remove();
    const omitted = differing(totals.rows) - differences.length;
    return {
      accounts: totals.accounts,
      rows: totals.rows,
      digest,
      service_digest: serviceDigest,
      differences,
      ...(differing(totals.rows) > DIFFERENCES_MAX && { differences_omitted: omitted }),
      kinds,
      supplier,
      supplier_status: [about.status, status].includes('ongoing') ? 'ongoing' : status,
      changed_accounts: totals.changed,
    };
  } finally {
    await checkpoints.close();
  }
}

/** Rows of the files. */
function settledRows({ matched, different, missing }: Tally): number {
  return matched + different + missing;
}

/** Print the result. @returns the exit code */
async function conclude(result: VerifyResult, { folders, options, terminal }: Context): Promise<number> {
  const at = terminal.clock.now() - result.seconds * 1_000;
  if (options.report !== undefined)
    await writeFile(options.report, verifyPage(result, { baseUrl: options.baseUrl, at }), { mode: 0o600 });
  terminal.print(options.isJson ? `${JSON.stringify(result)}\n` : verifyText(result));
  if (differing(result.rows) === 0) return EXIT.complete;
  if (result.rows.missing > 0) {
    terminal.say('Rows that are missing can be sent again; the service recognises what it has:');
    const typed = optionsText({ supplier: options.supplier, baseUrl: options.baseUrl });
    for (const folder of folders)
      terminal.say(`${commandText('load', folder, typed, terminal.environment)} --again`);
  }
  return EXIT.failed;
}

function momentText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
