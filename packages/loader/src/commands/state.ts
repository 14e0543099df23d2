import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCopies, WrongUsage } from '@data-import/files';
import type { RunStarted } from '../journal/events.js';
import { failuresOf, readState } from '../journal/journal.js';
import { workFolderOf } from '../journal/work-folder.js';
import { collectResult } from '../report/collect.js';
import type { Result, RunResult } from '../report/result.js';
import { dateTimeText } from '../report/progress.js';
import { groupFailures } from '../report/groups.js';
import { groupsText, runsText, summaryText } from '../report/text.js';
import { findFiles } from '../rows/folder.js';
import { prepareRows } from '../rows/join.js';
import { leftOutOf, usedFiles } from '../rows/left-out.js';
import type { Preparation } from '../rows/preparation.js';
import type { Kind } from '../kinds/kinds.js';
import { commandText } from './continue.js';
import { folderOptionsOf, readMappingFile } from './options.js';
import { EXIT, type Terminal } from './terminal.js';

export interface StateFlags {
  readonly json?: boolean;
  readonly mapping?: string;
  readonly ignore?: readonly string[];
}

/** Print what the journal says about a folder, without calling the service. It also works while a load runs. */
export async function status(folder: string, flags: StateFlags, terminal: Terminal): Promise<number> {
  await expectFolder(folder);
  const { journal: path } = await workFolderOf(folder);
  const state = await readState(path);
  const last = state.runs.at(-1);
  const { rows, leftOut } = await readIn(folder, state, flags);
  const result = await collectResult(
    { state, failures: () => failuresOf(path, state) },
    {
      rows,
      leftOut,
      isComplete: false,
      seconds: 0,
      isDryRun: false,
      run: last?.run,
    },
  );
  const runs = state.runs.map(({ run, command, at, supplier, baseUrl, settled }): RunResult => {
    return { run, command, at: dateTimeText(at), supplier, base_url: baseUrl, ...settled };
  });
  if (flags.json) terminal.print(`${JSON.stringify({ ...result, runs })}\n`);
  else {
    terminal.print(summaryText(result));
    if (last) terminal.print(`\n${runsText(runs)}\n${nextText(result, folder, last, terminal.environment)}`);
  }
  return EXIT.complete;
}

/** The next step, with its command; empty if every row has arrived. */
function nextText(
  { failed, unsent, checked }: Result,
  folder: string,
  { options }: RunStarted,
  environment: Terminal['environment'],
): string {
  const text = (sentence: string, command: 'load' | 'retry'): string =>
    `${sentence}\n${commandText(command, folder, options, environment)}\n`;
  if (unsent > 0)
    return text('Rows are left to be sent. Unless a load is running now, continue with:', 'load');
  if (!checked) return text('It is not confirmed that the service has every row. To check:', 'load');
  if (failed > 0) return text(`Correct failed rows in ${folder}/failures/, and send them again:`, 'retry');
  return '';
}

/** Print the failed rows of a folder by cause. */
export async function failures(folder: string, flags: StateFlags, terminal: Terminal): Promise<number> {
  await expectFolder(folder);
  const { journal: path } = await workFolderOf(folder);
  const groups = await groupFailures(failuresOf(path, await readState(path)));
  terminal.print(flags.json ? `${JSON.stringify({ groups })}\n` : groupsText(groups));
  return EXIT.complete;
}

/** The number of rows of each kind and the lines that are left out. They come from the last run, or are counted now. */
async function readIn(
  folder: string,
  state: Awaited<ReturnType<typeof readState>>,
  { mapping: file, ignore = [] }: StateFlags,
): Promise<{ rows: ReadonlyMap<Kind, number>; leftOut: Result['left_out'] }> {
  const mapping = await readMappingFile(file);
  const content = await findFiles(folder, folderOptionsOf(mapping, ignore));
  const { files } = content;
  const preparations: Preparation[] = [];
  const unread = [...files].filter(([kind]) => state.of(kind).preparation === undefined);
  const named = unread.flatMap(([kind, names]) => names.map((name) => ({ folder, name, kind })));
  // Joined files and files inside others need disk space, and a running load may be using the work folder.
  const workFolder = await mkdtemp(join(tmpdir(), 'data-import-loader-'));
  try {
    const copies = await ensureCopies(named, { workFolder, mappingOf: mapping.of });
    for (const [kind, names] of files) {
      const known = state.of(kind).preparation;
      const options = { folder, workFolder, mapping: mapping.of(kind), copies };
      preparations.push(known ?? (await prepareRows(kind, names, options)));
    }
    return {
      rows: new Map(preparations.map(({ kind, rows }) => [kind, rows])),
      leftOut: leftOutOf(usedFiles(preparations), mapping, [content]),
    };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function expectFolder(folder: string): Promise<void> {
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory();
  if (isFolder !== true) throw new WrongUsage(`${folder} is no folder, or does not exist.`);
}
