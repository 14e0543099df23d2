import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hashFile, isWorkbook, memberOf, partOf, UnreadableInput, WrongUsage } from '@data-import/files';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { dateTimeText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { fileBytes } from '../rows/prepare.js';
import { ensureEntries } from '../verify/entries-file.js';
import { accountsIn } from '../verify/entry.js';
import { inputFiles } from '../verify/input.js';
import { RowSums, type Sums } from '../verify/row-sums.js';
import { failedLines } from './checked-rows.js';
import { writeLoadedFile } from './loaded-file.js';
import { entriesIn, type Session } from './session.js';

/** The number of accounts that are processed between two checks for an interruption. */
const ACCOUNTS_AT_ONCE = 1_000;

/**
 * Write `loaded.json` when every row of a folder is settled.
 *
 * Source: choice L7.
 */
export async function writeLoaded(session: Session, result: Result): Promise<void> {
  const { terminal } = session;
  const { folder, supplier, baseUrl, isDryRun, hasCheck } = session.options;
  if (isDryRun || result.unsent > 0) return;
  const { state } = session.journal;
  const { kinds, read, loaded, already, failed, groups } = result;
  const preparations = KINDS.flatMap((kind) => (kinds[kind] ? (state.of(kind).preparation ?? []) : []));
  const files = preparations.flatMap(({ kind, files: all }) =>
    all.map(({ name, sha256, bytes, rows }) => ({ kind, name, sha256, bytes, rows })),
  );
  try {
    const sums = hasCheck ? await sumsOf(session, files) : undefined;
    const document = {
      at: dateTimeText(terminal.clock.now()),
      supplier,
      base_url: baseUrl,
      runs: state.runs.filter(({ command }) => command !== 'dry-run').map(({ run }) => run),
      ...{ read, loaded, already, failed, kinds, checked: result.checked },
      ...(sums ?? { accounts: null, rows: null, amounts: null, digest: null }),
      files: await Promise.all(files.map((file) => asItLies(session.options, file))),
      failures: groups.map(({ kind, code, attr, count }) => ({ kind, code, attr, count })),
    };
    if (!(await writeLoadedFile(folder, session.work.path, document)))
      terminal.say(`${folder}/loaded.json belongs to another program; what was loaded is not written there.`);
  } catch (error) {
    if (!(error instanceof UnreadableInput || error instanceof WrongUsage)) throw error;
    terminal.say(`loaded.json is not written. ${error.message}`);
  }
}

/** Describe a workbook or a JSON document by its file in the folder, not by the copy that is read. @throws UnreadableInput */
async function asItLies<File extends { readonly kind: Kind; readonly name: string }>(
  { folder, mapping }: Session['options'],
  file: File,
): Promise<File & { readonly sheet?: string }> {
  const { part, file: name } = partOf(file.name);
  const own = { ...file, name, ...(part?.is === 'sheet' && { sheet: part.text }) };
  const isConverted = isWorkbook(name) || mapping.of(file.kind).of(file.name).form.records !== undefined;
  if (!isConverted || memberOf(name)) return own;
  const path = join(folder, name);
  return { ...own, sha256: await hashFile(path), bytes: await fileBytes(path) };
}

/** @throws WrongUsage when a file has changed since it was loaded; UnreadableInput */
async function sumsOf(
  session: Session,
  loaded: readonly { readonly kind: Kind; readonly name: string; readonly sha256: string }[],
): Promise<Sums> {
  const { options, running, work, journal } = session;
  const { folder, folderOptions } = options;
  const kinds = [...new Set(loaded.map(({ kind }) => kind))];
  const preparations = kinds.flatMap((kind) => journal.state.of(kind).preparation ?? []);
  const files = await inputFiles([folder], kinds, folderOptions, {
    workFolder: work.unpacked,
    mappingOf: options.mapping.of,
    signal: running.stop.signal,
  });
  const { path, hashes } = await ensureEntries(files, entriesIn(session, preparations));
  for (const { kind, name, sha256 } of loaded) {
    const index = files.findIndex((file) => file.kind === kind && file.name === name);
    if (hashes[index] !== sha256) throw new WrongUsage(`${name} is not as it was loaded.`);
  }
  const { failed, conflicts } = await failedLines(files, journal);
  const sums = new RowSums(kinds);
  for (const { account, entries: own } of accountsIn(path)) {
    sums.add(
      account,
      own.filter(({ file, line }) => !failed.has(file, line) && !conflicts.has(file, line)),
    );
    if (sums.accounts % ACCOUNTS_AT_ONCE > 0) continue;
    await setImmediate();
    running.stop.signal.throwIfAborted();
  }
  return sums.result();
}
