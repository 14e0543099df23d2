import { visitFile, type Row } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import { canonicalContent } from '../rows/content.js';
import { byteOrderOf } from '../rows/account-order.js';
import { Intervals } from '../rows/intervals.js';
import { readRows } from '../rows/read-rows.js';
import type { CheckedRows, PlacedRow } from '../check/check.js';
import { LineSet } from '../check/line-set.js';
import type { Arrived } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { rawText } from '../journal/raw-text.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Correction } from '../retry/corrections.js';
import { arrivedCorrections, writeCorrectedFiles } from '../retry/failures-folder.js';
import type { RetryLedger } from '../retry/retry-ledger.js';
import type { CheckLedger } from '../send/ledger.js';
import { isConflict } from '../send/outcome.js';
import { accountsIn, digestsOf, type AccountEntries, type Entry } from '../verify/entry.js';
import { inputFiles, isCorrected, type InputFile } from '../verify/input.js';
import { ensureEntries } from '../verify/entries-file.js';
import { entriesIn, readingOptions, type ReadSession } from './session.js';
import { toRow } from '../rows/to-row.js';
import { FIELDS } from '../kinds/fields.js';

/**
 * All rows of a folder that count as arrived. A dry run excludes corrected rows, which it does not send.
 *
 * @param isFirst whether an account is checked, when only some accounts are loaded
 */
export async function checkedFiles(
  session: ReadSession,
  ledger: CheckLedger,
  isFirst: ((account: string | undefined) => boolean) | undefined,
): Promise<CheckedRows> {
  const { options, journal, preparations, copies } = session;
  const { folder, folderOptions, isDryRun } = options;
  if (!isDryRun) await writeCorrectedFiles(folder, journal);
  const found = await inputFiles([folder], [...preparations.keys()], folderOptions);
  const files = found
    .filter((file) => !isDryRun || !isCorrected(file))
    .map((file) => ({ ...file, copies, replaced: isDryRun ? new Set<number>() : file.replaced }));
  const { path } = await ensureEntries(files, entriesIn(session, [...preparations.values()]));
  const indexOf = new Map(files.map(({ kind, name }, index) => [`${kind} ${name}`, index]));
  return {
    ledger,
    accounts: function* () {
      for (const entries of accountsIn(path)) if (isFirst?.(entries.account) ?? true) yield entries;
    },
    wanted: async () => {
      const { failed, conflicts } = await failedLines(files, journal);
      return ({ file, line }) =>
        failed.has(file, line) ? undefined : conflicts.has(file, line) ? 'conflict' : 'arrived';
    },
    rows: async function* (kind) {
      const preparation = preparations.get(kind);
      if (!preparation) return;
      const { done } = journal.state.of(kind);
      for await (const rows of readRows(preparation, readingOptions(kind, session), new Intervals())) {
        yield rows.flatMap((row) => {
          const file = indexOf.get(`${kind} ${row.origin.file}`);
          if (row.error || file === undefined || !done.has(row.start)) return [];
          return [{ row, file, line: row.origin.line }];
        });
      }
      for (const [index, file] of files.entries()) {
        if (file.kind !== kind || !isCorrected(file)) continue;
        yield await correctedRows(file, index, await arrivedCorrections(journal), options.mapping.of(kind));
      }
    },
  };
}

/** The lines of failed rows. Rows whose key the service has with other content are listed separately. */
export async function failedLines(
  files: readonly InputFile[],
  journal: Journal,
): Promise<{ readonly failed: LineSet; readonly conflicts: LineSet }> {
  const indexOf = new Map(files.map(({ kind, name }, index) => [`${kind} ${name}`, index]));
  const [failed, conflicts] = [new LineSet(), new LineSet()];
  for await (const { kind, origin, errors } of journal.failures()) {
    const index = indexOf.get(`${kind} ${origin.file}`);
    if (index !== undefined) (isConflict(kind, errors) ? conflicts : failed).add(index, origin.line);
  }
  return { failed, conflicts };
}

/** The rows of a file with corrected rows, with the places of the rows that they replace. */
async function correctedRows(
  { folder, name, kind, cameFrom }: InputFile,
  index: number,
  arrived: readonly Arrived[],
  mapping: Parameters<typeof visitFile>[0]['mapping'],
): Promise<PlacedRow[]> {
  const byText = grouped(arrived, (event) => JSON.stringify([event.kind, event.raw]));
  const found: PlacedRow[] = [];
  await visitFile({ folder, fields: FIELDS[kind], mapping, cameFrom }, name, (...record) => {
    const row = toRow(...record);
    const place = byText.get(JSON.stringify([kind, rawText(row.raw)]))?.shift();
    if (row.error || !place) return;
    const { account, item, key } = row;
    const { start, end, origin } = place;
    const raw = Buffer.from(row.raw);
    found.push({ row: { account, item, key, raw, start, end, origin }, file: index, line: row.origin.line });
  });
  return found;
}

/** The rows that `retry` has sent. */
export function checkedCorrections(
  corrections: ReadonlyMap<Kind, readonly Correction[]>,
  ledger: RetryLedger,
): CheckedRows {
  const all = [...corrections].flatMap(([kind, rows]) =>
    rows.flatMap(({ row }, index) =>
      row.error ? [] : [{ kind, row, file: KINDS.indexOf(kind), line: index + 1 }],
    ),
  );
  const inOrder = [...grouped(all, ({ row }) => row.account)]
    .map(([account, rows]) => ({ account, order: byteOrderOf(account), rows }))
    .sort((one, other) => (one.order < other.order ? -1 : 1));
  return {
    ledger,
    accounts: function* (): Generator<AccountEntries> {
      for (const { account, order, rows } of inOrder)
        yield { account, order, end: 0, entries: rows.map(({ kind, ...placed }) => entryOf(kind, placed)) };
    },
    wanted: () => {
      const rows = new Map(all.map(({ row, file, line }) => [`${file} ${line}`, row]));
      return Promise.resolve(({ file, line }) => {
        const row = rows.get(`${file} ${line}`);
        return row && ledger.outcomeOf(row);
      });
    },
    rows: async function* (kind) {
      yield await Promise.resolve(
        inOrder.flatMap(({ rows }) => rows.filter((placed) => placed.kind === kind)),
      );
    },
  };
}

function entryOf(kind: Kind, { row, file, line }: { row: Row; file: number; line: number }): Entry {
  return { kind, file, line, ...digestsOf(kind, canonicalContent(kind, row.item)) };
}
