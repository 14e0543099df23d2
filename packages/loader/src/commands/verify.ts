import { join } from 'node:path';
import type { DataImportClient } from '@data-import/client';
import { removeCopies } from '@data-import/files';
import { readState } from '../journal/journal.js';
import { openWorkFolder, workFolderOf, type WorkFolder } from '../journal/work-folder.js';
import { dateTimeText } from '../report/progress.js';
import { groupDifferences } from '../report/groups.js';
import type { VerifyResult } from '../report/result.js';
import { verifyPage, verifyText } from '../report/verify-text.js';
import { expectNoOthers, findFiles, type FolderContent } from '../rows/folder.js';
import { expectRecordTypes, leftOutOf } from '../rows/left-out.js';
import { KINDS } from '../kinds/kinds.js';
import { removeSorted } from '../rows/sort.js';
import { ClientSource } from '../verify/source.js';
import { Compared } from '../verify/compared.js';
import { compareAll, DIFFERENCES_MAX } from '../verify/comparing.js';
import { sha256 } from '../verify/digests.js';
import { ensureEntries, type EntriesFile } from '../verify/entries-file.js';
import { inputFiles, type InputFile } from '../verify/input.js';
import { joinedRowsOf } from '../verify/joined-rows.js';
import { nameDifferences } from '../verify/naming.js';
import { differing, shownDifference, type Tally } from '../verify/result.js';
import { commandText, optionsText } from './continue.js';
import { expectUsed, readServiceOptions, type ServiceFlags, type ServiceOptions } from './options.js';
import { clientFor, readingOf, runCommand, writeReport, type Run } from './run.js';
import { findSupplier } from './supplier.js';
import { EXIT, type Terminal } from './terminal.js';

/** The options that say how files are read and which API key is used. */
const FILES_FLAGS = ['apiKeyFile', 'mapping', 'ignore'];

/** The context that the parts of a comparison share. */
interface Context {
  readonly folders: readonly string[];
  readonly options: ServiceOptions;
  readonly terminal: Terminal;
  readonly running: Run;
  readonly work: WorkFolder;
  /** Options of a load of the same files, as they can be typed. */
  readonly typed: string;
}

/**
 * Compare the files of folders with the service's content. An interrupted comparison is continued.
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
      const same = Object.entries(flags).filter(([name]) => FILES_FLAGS.includes(name));
      const typed = optionsText({ ...Object.fromEntries(same), supplier, baseUrl });
      const context = { folders, options, terminal, running, typed, work };
      const result = await compareFolders(context);
      running.progress.stop();
      await removeCopies(work.unpacked);
      return await conclude(result, context);
    } finally {
      await lock.release();
    }
  });
}

async function compareFolders(context: Context): Promise<VerifyResult> {
  const { folders, options, terminal, running, work } = context;
  const { stop } = running;
  const startedAt = terminal.clock.now();
  const { concurrency, giveUpAfterMs } = options;
  const retry = { giveUpAfterMs, attempts: Infinity };
  const client = clientFor(options, running, { connections: concurrency + 1, retry });
  try {
    const status = await findSupplier(client, { ...options, say: terminal.say }, stop);
    stop.signal.throwIfAborted();
    const contents: FolderContent[] = [];
    for (const folder of folders) {
      const content = await findFiles(folder, options.folderOptions);
      expectNoOthers(folder, content);
      contents.push(content);
    }
    expectUsed(
      options,
      contents.flatMap((content) => [...content.files.values()].flat()),
    );
    const files = await inputFiles(folders, options.kinds, options.folderOptions, {
      workFolder: work.unpacked,
      mappingOf: options.mapping.of,
      signal: stop.signal,
      progress: readingOf(running.progress),
    });
    const entries = await ensureEntries(files, {
      folders,
      workFolder: work.verify,
      mapping: options.mapping,
      signal: stop.signal,
      progress: readingOf(running.progress),
    });
    expectRecordTypes(entries.uses, options.mapping.of);
    const leftOut = leftOutOf(entries.uses, options.mapping, contents);
    const comparison = await compareEntries(context, client, { entries, files, status: status ?? '' });
    return { ...comparison, left_out: leftOut, seconds: (terminal.clock.now() - startedAt) / 1_000 };
  } finally {
    client.close();
  }
}

async function compareEntries(
  { folders, options, terminal, running: { stop, progress }, work }: Context,
  client: DataImportClient,
  { entries, files, status }: { entries: EntriesFile; files: readonly InputFile[]; status: string },
): Promise<Omit<VerifyResult, 'seconds' | 'left_out'>> {
  const { supplier, baseUrl, kinds, concurrency, isAgain: isNew } = options;
  const { clock } = terminal;
  const { verify: workFolder } = work;
  const target = sha256(JSON.stringify([entries.path, folders, supplier, baseUrl, kinds])).slice(0, 32);
  const compared = await Compared.open(workFolder, target, { status, isNew, clock });
  try {
    if (compared.after !== undefined)
      terminal.say(
        `The comparison that began ${dateTimeText(compared.about.beganAt)} is continued; --again starts from the beginning.`,
      );
    if (status === 'ongoing')
      terminal.say(`The migration of ${supplier} is ongoing: rows can be added while they are compared.`);
    const before = settledRows(compared.rows);
    progress.kind('compared', before, Math.max(entries.rows, before));
    await compareAll({
      entries: entries.path,
      kinds,
      concurrency,
      source: new ClientSource(client, supplier),
      compared,
      signal: stop.signal,
      progress: (rows) => {
        progress.settled('compared', settledRows(rows), 0);
      },
    });
    const reading = { mappingOf: options.mapping.of, signal: stop.signal };
    const differences = await nameDifferences(compared, files, {
      ...reading,
      rowsOf: joinedRowsOf(files, entries.hashes, { ...reading, sortedFolder: workFolder }),
    });
    await removeSorted(workFolder);
    await compared.remove();
    const { accounts, rows, omitted, about } = compared;
    const labels = files.map(({ label }) => label);
    const isWhole = kinds.length === KINDS.length;
    const digests = compared.supplierDigests();
    return {
      accounts,
      rows,
      digest: isWhole ? digests.files : null,
      service_digest: isWhole ? digests.service : null,
      differences: differences.map(shownDifference),
      groups: groupDifferences(differences, labels, omitted.values()),
      ...(differing(rows) > DIFFERENCES_MAX && { differences_omitted: differing(rows) - differences.length }),
      kinds,
      supplier,
      supplier_status: [about.status, status].includes('ongoing') ? 'ongoing' : status,
      changed_accounts: compared.changed,
    };
  } finally {
    await compared.close();
  }
}

/** The number of rows of the files that were compared. */
function settledRows({ matched, different, missing }: Tally): number {
  return matched + different + missing;
}

/** Print the result. @returns the exit code */
async function conclude(result: VerifyResult, context: Context): Promise<number> {
  const { folders, options, terminal, typed } = context;
  const at = terminal.clock.now() - result.seconds * 1_000;
  await writeReport(options, () => verifyPage(result, { baseUrl: options.baseUrl, at }));
  terminal.print(options.isJson ? `${JSON.stringify(result)}\n` : verifyText(result));
  if (differing(result.rows) === 0) return EXIT.complete;
  if (result.rows.missing > 0) {
    terminal.say('Rows are missing. To send them, and to see which were rejected:');
    for (const folder of folders.filter((one) => folders.length === 1 || canLackRows(one, result)))
      terminal.say(commandText('load', folder, typed, terminal.environment));
  }
  for (const folder of folders) {
    // The comparison does not depend on the journal, which may be damaged.
    const state = await readState((await workFolderOf(folder)).journal).catch(() => undefined);
    if (!state || !options.kinds.some((kind) => state.of(kind).failed > 0)) continue;
    terminal.say(`Rows were rejected. Correct them in ${join(folder, 'failures')}, and send them again:`);
    terminal.say(commandText('retry', folder, typed, terminal.environment));
  }
  return EXIT.failed;
}

/** Whether rows of a folder are missing, as far as the named differences show. */
function canLackRows(folder: string, { differences, differences_omitted: omitted }: VerifyResult): boolean {
  // The beginning of a joined path: empty for the current folder.
  const inside = join(folder, '-').slice(0, -1);
  return (
    omitted !== undefined ||
    differences.some(({ problem, file }) => problem === 'missing' && file?.startsWith(inside))
  );
}
