import { KINDS } from '../kinds/kinds.js';
import type { FailureGroup } from './groups.js';
import { countText, durationText } from './progress.js';
import type { Counts, Result } from './result.js';

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
  return `${table([TITLES, ...kinds, of('all', result)])}\n`;
}

export function timeText({ seconds, run, dry_run: isDryRun }: Result): string {
  const what = isDryRun ? 'Rehearsed' : 'Ended';
  return `${what} after ${durationText(seconds)}${run === null ? '' : `, run ${run}`}.\n`;
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
