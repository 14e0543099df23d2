import { KINDS } from '../kinds/kinds.js';
import { differing, type Tally } from '../verify/result.js';
import type { Page } from './html.js';
import { leftOutSentences, meantRows } from './left-out-text.js';
import { countText, dateTimeText, durationText } from './progress.js';
import type { VerifyResult } from './result.js';
import { plural, tableText, type Table } from './tables.js';
import { groupsTable, shownText } from './text.js';

/** The most differences that the terminal shows; the report and `--json` name more. */
const SHOWN_MAX = 20;

/** The summary at the end of a comparison. */
export function verifyText(result: VerifyResult): string {
  const { groups, differences, seconds } = result;
  const table = differencesTable(result, SHOWN_MAX);
  const others = othersOf(result, table);
  const different = [tableText(groupsTable(groups)), '', tableText(table)];
  if (others > 0) different.push(`… and ${countText(others)} more, see --report and --json.`);
  return [
    verdictText(result),
    '',
    tableText(countsTable(result)),
    '',
    ...(differences.length > 0 ? [...different, ''] : []),
    ...digestLines(result),
    ...notices(result),
    `Compared in ${durationText(seconds)}.`,
    '',
  ].join('\n');
}

/** A page that shows a comparison to people. It contains the values that identify a row, but no other values. */
export function verifyPage(result: VerifyResult, { baseUrl, at }: { baseUrl: string; at: number }): Page {
  const { supplier, seconds, groups, differences } = result;
  const table = differencesTable(result, Infinity);
  const others = othersOf(result, table);
  return {
    title: `Comparison of ${supplier}`,
    verdict: verdictText(result),
    content: [
      `The files of ${supplier} compared with ${baseUrl}, begun ${dateTimeText(at)}, ${durationText(seconds)}.`,
      ...notices(result),
      { table: countsTable(result) },
      { heading: 'Digests' },
      { lines: digestLines(result) },
      { heading: 'Differences by cause' },
      ...(differences.length === 0
        ? ['There are none.']
        : [{ table: groupsTable(groups) }, { heading: 'Differences' }, { table }]),
      ...(others === 0 ? [] : [`${countText(others)} more are counted but not listed.`]),
    ],
  };
}

/** The verdict in one sentence. */
function verdictText({ accounts, rows, kinds, left_out: leftOut }: VerifyResult): string {
  const only = kinds.length < KINDS.length ? ` of ${kinds.join(', ')}` : '';
  const all = differing(rows);
  if (all === 0 && rows.matched === 0)
    return `There are no rows${only} in the files, and none at the service.`;
  if (all === 0) {
    const rowsOf = `All ${countText(rows.matched)} rows${only} of ${plural(accounts.matched, 'account')}`;
    return `${meantRows(rowsOf, 'are at the service, and nothing else', leftOut)}.`;
  }
  const sorts = [
    [rows.missing, 'missing at the service'],
    [rows.unexpected, 'only at the service'],
    [rows.different, 'different there'],
  ] as const;
  const parts = sorts.filter(([count]) => count > 0).map(([count, what]) => `${countText(count)} ${what}`);
  return `${plural(all, 'row')}${only} of ${plural(differing(accounts), 'account')} ${all === 1 ? 'is' : 'are'} not the same: ${parts.join(', ')}. ${countText(rows.matched)} match.`;
}

/** Facts that the reader of the verdict must know in addition. */
function notices(result: VerifyResult): string[] {
  const { supplier, supplier_status: status, changed_accounts: changed, left_out: leftOut } = result;
  const ongoing = `The migration of ${supplier} was ongoing: rows can be added during and after the comparison. For a lasting proof, ask the operator to pause or complete it, and compare again.`;
  const changes = `${plural(changed, 'account')} changed during the comparison; the result is that of the later reading.`;
  return [
    ...(status === 'ongoing' ? [ongoing] : []),
    ...(changed > 0 ? [changes] : []),
    ...leftOutSentences(leftOut),
  ];
}

function digestLines({ digest, service_digest: ofService }: VerifyResult): string[] {
  if (digest === null || ofService === null) return ['No digests, since only some kinds were compared.'];
  return [
    `Digest of the files        ${digest}`,
    `Digest of the service      ${ofService}`,
    'The certificate of the operator has the same digest if nothing has changed since.',
  ];
}

function countsTable({ accounts, rows }: VerifyResult): Table {
  const of = (name: string, { matched, different, missing, unexpected }: Tally): (string | number)[] => [
    ...[name, matched, different, missing, unexpected],
  ];
  const heads = ['', 'matched', 'different', 'missing', 'unexpected'];
  return { heads, rows: [of('accounts', accounts), of('rows', rows)] };
}

function differencesTable({ differences }: VerifyResult, max: number): Table {
  const rows = differences.slice(0, max).map((difference) => {
    const { external_account_number: account, kind, key, problem, fields } = difference;
    return [problem, kind, account, key, shownText(difference), fields.join(', ')];
  });
  return { heads: ['problem', 'kind', 'account', 'key', 'place', 'fields'], rows };
}

/** The number of differences that the table does not show. */
function othersOf({ differences, differences_omitted: omitted = 0 }: VerifyResult, { rows }: Table): number {
  return differences.length + omitted - rows.length;
}
