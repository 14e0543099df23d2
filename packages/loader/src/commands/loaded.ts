import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { dateTimeText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { accountsIn } from '../verify/account-entries.js';
import { digestsOfSections, expectedRows } from '../verify/compare.js';
import { accountDigest, accountLine } from '../verify/digests.js';
import type { Entry } from '../verify/entry.js';
import { inputFiles } from '../verify/input.js';
import { failedLines } from './checked-rows.js';
import { entriesOf, verifyFolder } from './entries.js';
import { writeLoadedFile } from './loaded-file.js';
import type { SendingOptions } from './options.js';
import type { Run } from './run.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

/** Accounts between two looks at whether the command is interrupted. */
const ACCOUNTS_AT_ONCE = 1_000;

/** What the rows that are there add up to; rows of equal content count once. */
interface Sums {
  /** Accounts with rows. */
  readonly accounts: number;
  readonly rows: Readonly<Partial<Record<Kind, number>>>;
  /** By type of transaction the exact sum, with two decimals. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Over the accounts with rows, as choice V4 says for those of a supplier. */
  readonly digest: string;
}

export interface LoadedContext {
  readonly options: SendingOptions;
  readonly running: Run;
  readonly terminal: Terminal;
}

/**
 * Write `loaded.json`, when every row of a folder is settled.
 *
 * Source: choice L7.
 */
export async function writeLoaded(
  session: Session,
  result: Result,
  { options, running, terminal }: LoadedContext,
): Promise<void> {
  const { folder, supplier, baseUrl, isDryRun, hasCheck } = options;
  if (isDryRun || result.unsent > 0) return;
  const { state } = session.journal;
  const { kinds, read, loaded, already, failed, groups, checked } = result;
  const preparations = KINDS.flatMap((kind) => (kinds[kind] ? (state.of(kind).preparation ?? []) : []));
  const files = preparations.flatMap(({ kind, files: all }) =>
    all.map(({ name, sha256, bytes, rows }) => ({ kind, name, sha256, bytes, rows })),
  );
  try {
    const sums = hasCheck ? await sumsOf(session, files, { options, running }) : undefined;
    const document = {
      at: dateTimeText(terminal.clock.now()),
      supplier,
      base_url: baseUrl,
      runs: state.runs.filter(({ command }) => command !== 'dry-run').map(({ run }) => run),
      ...{ read, loaded, already, failed, kinds, checked },
      ...(sums ?? { accounts: null, rows: null, amounts: null, digest: null }),
      files,
      failures: groups.map(({ kind, code, attr, count }) => ({ kind, code, attr, count })),
    };
    if (!(await writeLoadedFile(folder, session.work.path, document)))
      terminal.say(`${folder}/loaded.json is another program's file; what was loaded is not written there.`);
  } catch (error) {
    if (!(error instanceof UnreadableInput || error instanceof WrongUsage)) throw error;
    terminal.say(`loaded.json is not written. ${error.message}`);
  }
}

/** @throws WrongUsage when a file is not as it was loaded; UnreadableInput */
async function sumsOf(
  { work, journal }: Session,
  loaded: readonly { readonly kind: Kind; readonly name: string; readonly sha256: string }[],
  { options, running }: Omit<LoadedContext, 'terminal'>,
): Promise<Sums> {
  const { folder, folderOptions } = options;
  const kinds = [...new Set(loaded.map(({ kind }) => kind))];
  const preparations = kinds.flatMap((kind) => journal.state.of(kind).preparation ?? []);
  const files = await inputFiles([folder], kinds, folderOptions);
  const workFolder = await verifyFolder(work);
  const entries = { workFolder, options, running, isShared: true, preparations };
  const { path, hashes } = await entriesOf(files, [folder], entries);
  for (const { kind, name, sha256 } of loaded) {
    const index = files.findIndex((file) => file.kind === kind && file.name === name);
    if (hashes[index] !== sha256) throw new WrongUsage(`${name} is not as it was loaded.`);
  }
  const { failed, conflicts } = await failedLines(files, journal);
  const isThere = ({ file, line }: Entry): boolean => !failed.has(file, line) && !conflicts.has(file, line);
  const digest = createHash('sha256');
  const rows = new Map(kinds.map((kind) => [kind, 0]));
  const cents = new Map<string, bigint>();
  let accounts = 0;
  for (const own of accountsIn(path)) {
    const there = own.entries.filter(isThere);
    if (there.length === 0) continue;
    const expected = expectedRows(there);
    for (const kind of kinds) rows.set(kind, (rows.get(kind) ?? 0) + (expected.get(kind)?.length ?? 0));
    digest.update(accountLine(own.account, accountDigest(digestsOfSections(expected))));
    for (const amount of new Map(there.map((entry) => [entry.content, entry.amount])).values())
      addAmount(cents, amount);
    accounts += 1;
    if (accounts % ACCOUNTS_AT_ONCE > 0) continue;
    await setImmediate();
    running.stop.signal.throwIfAborted();
  }
  return {
    accounts,
    rows: Object.fromEntries(rows),
    amounts: Object.fromEntries(
      [...cents]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([type, sum]) => [type, inUnits(sum)]),
    ),
    digest: digest.digest('hex'),
  };
}

/** @param amount see {@link Entry} */
function addAmount(sums: Map<string, bigint>, amount = ''): void {
  const [type = '', text = ''] = amount.split(' ');
  if (type === '') return;
  const [units = '', decimals = ''] = text.split('.');
  sums.set(type, (sums.get(type) ?? 0n) + BigInt(units + decimals.padEnd(2, '0')));
}

function inUnits(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
