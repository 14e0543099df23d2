import type { ShownPlace } from '@data-import/files';
import type { JournalState } from '../journal/state.js';
import { KINDS } from '../kinds/kinds.js';
import { chart } from './chart.js';
import type { DifferenceGroup, FailureGroup } from './groups.js';
import type { Page } from './html.js';
import { leftOutSentences, meantRows } from './left-out-text.js';
import { countText, dateTimeText, durationText } from './progress.js';
import type { Counts, Result, RunResult } from './result.js';
import { plural, tableText, type Table } from './tables.js';

/** The summary that a run ends with. */
export function summaryText(result: Result): string {
  return [tableText(countsTable(result)), ...saidOf(result), ''].join('\n');
}

/** A page that shows a result to people. It names files and lines, but no other data of any row. */
export function loadPage(result: Result, state: JournalState): Page {
  const { dry_run: isDryRun, seconds, changed, groups } = result;
  const last = state.runs.at(-1);
  const title = `${isDryRun ? 'Dry run' : 'Load'} of ${last?.supplier ?? ''}`;
  const began = last ? `, run ${last.run}, begun ${dateTimeText(last.at)}` : '';
  const svg = chart(state);
  return {
    title,
    verdict: `${title}: ${verdict(result)}`,
    content: [
      `Into ${last?.baseUrl ?? ''}${began}, ${durationText(seconds)}.`,
      { table: countsTable(result) },
      ...(changed.length === 0 ? [] : ['These changes are not loaded:', { list: changed }]),
      ...saidOf(result),
      { heading: 'Rows a second' },
      svg === '' ? 'Nothing was sent.' : { svg },
      { heading: 'Failed rows by cause' },
      ...(groups.length === 0
        ? ['No row has failed.']
        : [{ table: groupsTable(groups) }, { list: detailsOf(groups) }]),
    ],
  };
}

function countsTable({ kinds, ...all }: Result): Table {
  const of = (name: string, { read, loaded, already, failed, unsent }: Counts): (string | number)[] => [
    ...[name, read, loaded, already, failed, unsent],
  ];
  const ofKinds = KINDS.flatMap((kind) => {
    const counts = kinds[kind];
    return counts ? [of(kind, counts)] : [];
  });
  const heads = ['', 'read', all.dry_run ? 'loadable' : 'loaded', 'already there', 'failed', 'not sent'];
  return { heads, rows: [...ofKinds, of('all', all)] };
}

/** Remarks about the rows, in addition to the counts. */
function saidOf(result: Result): string[] {
  const said = [takenUpText(result), movedText(result)].flatMap((sentence) => sentence ?? []);
  return [...said, ...leftOutSentences(result.left_out)];
}

function takenUpText({ taken_up: takenUp }: Result): string | undefined {
  if (!takenUp) return undefined;
  const { rows, accounts } = takenUp;
  return `Sent again: ${plural(rows, 'row')} of ${plural(accounts, 'account')} not imported before.`;
}

function verdict(result: Result): string {
  const { already, failed, unsent, read, changed, checked, dry_run: isDryRun, left_out: leftOut } = result;
  if (changed.length > 0) return `files were changed during the load`;
  if (unsent > 0) return `${countText(unsent)} of ${countText(read)} rows are not sent`;
  if (failed > 0) return `${countText(failed)} of ${countText(read)} rows failed`;
  const can = already > 0 ? 'can be loaded or are there already' : 'can be loaded';
  const verb = isDryRun ? can : checked ? 'are there' : 'were sent';
  return meantRows(`all ${countText(read)} rows`, verb, leftOut);
}

/**
 * A sentence about the transactions that were, or may have been, moved into the open statement period; undefined if
 * there are none.
 */
function movedText({ moved, dry_run: isDryRun }: Result): string | undefined {
  const { count, maybe, from, to } = moved;
  if (count + maybe === 0) return undefined;
  const were = `${plural(count, 'transaction')} ${isDryRun ? 'would be' : count === 1 ? 'was' : 'were'} moved into the open statement period`;
  const days = from && to ? `: of days from ${from.join(' to ')} to days from ${to.join(' to ')}` : '';
  const others = ` ${countText(maybe)} more ${maybe === 1 ? 'was' : 'were'} there already and may have been moved: by an earlier load, or by a request whose answer was lost.`;
  return `${were}${days}.${maybe > 0 ? others : ''}`;
}

export function timeText({ seconds, run, dry_run: isDryRun }: Result): string {
  const what = isDryRun ? 'Dry run ended' : 'Ended';
  return `${what} after ${durationText(seconds)}${run === null ? '' : `, run ${run}`}.\n`;
}

/** The runs of a folder, one a line, with the number of rows that each has settled. */
export function runsText(runs: readonly RunResult[]): string {
  if (runs.length === 0) return '';
  const rows = runs.map(({ run, command, at, loaded, already, failed, supplier, base_url: baseUrl }) => [
    ...[run, command, at, loaded, already, failed, `${supplier} at ${baseUrl}`],
  ]);
  const heads = ['run', 'command', 'begun', 'loaded', 'already there', 'failed', 'for'];
  return `${tableText({ heads, rows })}\n`;
}

/** A table of the causes of failures. */
export function groupsText(groups: readonly FailureGroup[]): string {
  if (groups.length === 0) return 'No row has failed.\n';
  return `${tableText(groupsTable(groups))}\n${detailsOf(groups).join('\n')}\n`;
}

/** A table of failures or differences by cause. */
export function groupsTable(groups: readonly (FailureGroup | DifferenceGroup)[]): Table {
  const valueOf = (group: FailureGroup | DifferenceGroup): string | undefined =>
    'value' in group ? group.value : undefined;
  const hasValues = groups.some((group) => valueOf(group) !== undefined);
  const rows = groups.map((group) => {
    const { number, count, kind, code, attr, first } = group;
    const value = hasValues ? [valueOf(group) ?? ''] : [];
    return [number, count, kind, code, attr, ...value, shownText(first)];
  });
  const heads = ['group', 'rows', 'kind', 'code', 'field', ...(hasValues ? ['value'] : []), 'first'];
  return { heads, rows };
}

function detailsOf(groups: readonly FailureGroup[]): string[] {
  return groups.map(({ number, detail }) => `${number}: ${detail}`);
}

/** The place of a row; empty for a row that only the service has. */
export function shownText(
  place: { readonly [Name in keyof ShownPlace]: ShownPlace[Name] | null } | null,
): string {
  if (!place?.file) return '';
  return `${place.file}${place.sheet === null ? '' : ` (sheet ${place.sheet})`}:${place.line}`;
}
