import type { DataImportClient } from '@data-import/client';
import { openWorkFolder } from '../journal/work-folder.js';
import { dateTimeText } from '../report/progress.js';
import { verifyPage } from '../report/verify-html.js';
import { verifyText } from '../report/verify-text.js';
import { hashFile } from '../rows/byte-source.js';
import { removeCopies } from '../rows/copies.js';
import { expectNoOthers, findFiles } from '../rows/folder.js';
import { KINDS } from '../kinds/kinds.js';
import { Checkpoints } from '../verify/checkpoint.js';
import { ClientSource } from '../verify/client-source.js';
import { compareAll, DIFFERENCES_MAX } from '../verify/comparing.js';
import { sha256 } from '../verify/digests.js';
import type { EntriesFile } from '../verify/entries-file.js';
import { inputFiles, type InputFile } from '../verify/input.js';
import { nameDifferences } from '../verify/naming.js';
import { differing, type Tally, type VerifyResult } from '../verify/result.js';
import { commandText, optionsText } from './continue.js';
import { entriesOf, verifyFolder } from './entries.js';
import { readServiceOptions, type ServiceFlags, type ServiceOptions } from './options.js';
import { clientFor, readingOf, runCommand, writeReport, type Run } from './run.js';
import { findSupplier } from './supplier.js';
import { EXIT, type Terminal } from './terminal.js';

/** What the parts of a comparison share. */
interface Context {
  readonly folders: readonly string[];
  readonly options: ServiceOptions;
  readonly terminal: Terminal;
  readonly running: Run;
  /** Where its state is kept. */
  readonly workFolder: string;
  /** Where copies of files are that lie within others. */
  readonly unpacked: string;
  /** Options of a load of the same files, as they can be typed. */
  readonly typed: string;
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
  const resume = commandText('verify', folders, optionsText(flags), terminal.environment);
  return runCommand(terminal, { resume, giveUpAfterMs: options.giveUpAfterMs }, async (running) => {
    const { work, lock } = await openWorkFolder(folders[0] ?? '', running.stop);
    try {
      const { supplier, baseUrl } = options;
      const typed = optionsText({ ...filesFlags(flags), supplier, baseUrl });
      const { unpacked } = work;
      const workFolder = await verifyFolder(work);
      const context = { folders, options, terminal, running, typed, workFolder, unpacked };
      const result = await compareFolders(context);
      running.progress.stop();
      await removeCopies(unpacked);
      return await conclude(result, context);
    } finally {
      await lock.release();
    }
  });
}

/** The options that say how files are read, and with which key. */
function filesFlags({ apiKeyFile, mapping, ignore }: ServiceFlags): Partial<ServiceFlags> {
  return {
    ...(apiKeyFile !== undefined && { apiKeyFile }),
    ...(mapping !== undefined && { mapping }),
    ...(ignore && { ignore }),
  };
}

async function compareFolders(context: Context): Promise<VerifyResult> {
  const { folders, options, terminal, running, workFolder, unpacked } = context;
  const { stop } = running;
  const startedAt = terminal.clock.now();
  const { concurrency, giveUpAfterMs } = options;
  const retry = { giveUpAfterMs, attempts: Infinity };
  const client = clientFor(options, running, { connections: concurrency + 1, retry });
  try {
    const status = await findSupplier(client, options, stop);
    stop.signal.throwIfAborted();
    for (const folder of folders) expectNoOthers(folder, await findFiles(folder, options.folderOptions));
    const files = await inputFiles(folders, options.kinds, options.folderOptions, {
      workFolder: unpacked,
      mappingOf: options.mapping.of,
      signal: stop.signal,
      progress: readingOf(running.progress),
    });
    const entries = await entriesOf(files, folders, { workFolder, options, running, isShared: true });
    const comparison = await compareEntries(context, client, { entries, files, status: status ?? '' });
    return { ...comparison, seconds: (terminal.clock.now() - startedAt) / 1_000 };
  } finally {
    client.close();
  }
}

interface Compared {
  readonly entries: EntriesFile;
  readonly files: readonly InputFile[];
  readonly status: string;
}

async function compareEntries(
  { folders, options, terminal, running: { stop, progress }, workFolder }: Context,
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
        `The comparison that began ${dateTimeText(about.beganAt)} is continued; with --again it begins anew.`,
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
async function conclude(
  result: VerifyResult,
  { folders, options, terminal, typed }: Context,
): Promise<number> {
  const at = terminal.clock.now() - result.seconds * 1_000;
  await writeReport(options, () => verifyPage(result, { baseUrl: options.baseUrl, at }));
  terminal.print(options.isJson ? `${JSON.stringify(result)}\n` : verifyText(result));
  if (differing(result.rows) === 0) return EXIT.complete;
  if (result.rows.missing > 0) {
    terminal.say('Rows that are missing can be sent again; the service recognises what it has:');
    for (const folder of folders)
      terminal.say(`${commandText('load', folder, typed, terminal.environment)} --again`);
  }
  return EXIT.failed;
}
