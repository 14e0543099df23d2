import { KINDS } from '../kinds/kinds.js';
import type { FailureGroup } from './groups.js';
import { countText, durationText } from './progress.js';
import type { Counts, Result, RunResult } from './result.js';

const COLUMNS = ['read', 'loaded', 'already', 'failed', 'unsent'] as const;
const TITLES = ['', 'read', 'loaded', 'already there', 'failed', 'not sent'];

/** The summary that a run ends with. */
export function summaryText(result: Result): string {
  const of = (name: string, counts: Counts): string[] => [
    name,
    ...COLUMNS.map((column) => countText(counts[column])),
  ];
  const kinds = KINDS.flatMap((kind) => {
    const counts = result.kinds[kind];
    return counts ? [of(kind, counts)] : [];
  });
  const said = [takenUpText(result), movedText(result)].flatMap((sentence) => sentence ?? []);
  return [table([TITLES, ...kinds, of('all', result)]), ...said, ''].join('\n');
}

function takenUpText({ taken_up: takenUp }: Result): string | undefined {
  if (!takenUp) return undefined;
  const { rows, accounts } = takenUp;
  const of =
    accounts === 1
      ? 'an account that was not imported before'
      : `${countText(accounts)} accounts that were not imported before`;
  return `Sent again: ${countText(rows)} ${rows === 1 ? 'row' : 'rows'} of ${of}.`;
}

/** What was moved into the open statement period, or may have been; nothing where nothing was. */
export function movedText({ moved, dry_run: isDryRun }: Result): string | undefined {
  const { count, maybe, from, to } = moved;
  if (count + maybe === 0) return undefined;
  const were = `${countText(count)} ${count === 1 ? 'transaction' : 'transactions'} ${isDryRun ? 'would be' : count === 1 ? 'was' : 'were'} moved into the open statement period`;
  const days = from && to ? `: of days from ${from.join(' to ')} to days from ${to.join(' to ')}` : '';
  const others = ` ${countText(maybe)} more ${maybe === 1 ? 'was' : 'were'} there already and may have been moved: by an earlier load, or by a request whose answer was lost.`;
  return `${were}${days}.${maybe > 0 ? others : ''}`;
}

export function timeText({ seconds, run, dry_run: isDryRun }: Result): string {
  const what = isDryRun ? 'Rehearsed' : 'Ended';
  return `${what} after ${durationText(seconds)}${run === null ? '' : `, run ${run}`}.\n`;
}

/** The runs of a folder, one a line, with what each has settled. */
export function runsText(runs: readonly RunResult[]): string {
  if (runs.length === 0) return '';
  const rows = runs.map(({ run, command, at, loaded, already, failed, supplier, base_url: baseUrl }) => [
    ...[run, command, at],
    ...[loaded, already, failed].map(countText),
    `${supplier} at ${baseUrl}`,
  ]);
  return `${table([['run', 'command', 'begun', 'loaded', 'already there', 'failed', 'for'], ...rows])}\n`;
}

/** A table of the causes of failures. */
export function groupsText(groups: readonly FailureGroup[]): string {
  if (groups.length === 0) return 'No row has failed.\n';
  const rows = groups.map(({ number, count, kind, code, attr, value, first }) => [
    String(number),
    countText(count),
    kind,
    code,
    attr,
    value ?? '',
    `${first.file}:${first.line}`,
  ]);
  const details = groups.map(({ number, detail }) => `${number}: ${detail}`);
  return `${table([['group', 'rows', 'kind', 'code', 'field', 'value', 'first'], ...rows])}\n${details.join('\n')}\n`;
}

/** Numbers stand right, everything else left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_title, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = widths.map((_width, column) =>
    rows.slice(1).every((row) => /^[\d,]+$/.test(row[column] ?? '')),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
