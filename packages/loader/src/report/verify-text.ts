import { KINDS } from '../kinds/kinds.js';
import { differing, type Difference, type Tally, type VerifyResult } from '../verify/result.js';
import { countText, durationText } from './progress.js';
import { table } from './text.js';

/** Differences that the terminal shows; the report and `--json` name more. */
const SHOWN_MAX = 20;

/** The verdict in one sentence. */
export function verdictText({ accounts, rows, kinds }: VerifyResult): string {
  const only = kinds.length < KINDS.length ? ` of ${kinds.join(', ')}` : '';
  const all = differing(rows);
  if (all === 0 && rows.matched === 0)
    return `There are no rows${only} in the files, and none at the service.`;
  if (all === 0) {
    return `All ${countText(rows.matched)} rows${only} of ${plural(accounts.matched, 'account')} are at the service, and nothing else.`;
  }
  const sorts = [
    [rows.missing, 'missing at the service'],
    [rows.unexpected, 'only at the service'],
    [rows.different, 'different there'],
  ] as const;
  const parts = sorts.filter(([count]) => count > 0).map(([count, what]) => `${countText(count)} ${what}`);
  return `${plural(all, 'row')}${only} of ${plural(differing(accounts), 'account')} ${all === 1 ? 'is' : 'are'} not the same: ${parts.join(', ')}. ${countText(rows.matched)} match.`;
}

/** What a comparison ends with. */
export function verifyText(result: VerifyResult): string {
  const lines = [verdictText(result), '', countsTable(result), ''];
  if (result.differences.length > 0) lines.push(differencesTable(result), '');
  lines.push(...digestLines(result), ...notices(result), `Compared in ${durationText(result.seconds)}.`);
  return `${lines.join('\n')}\n`;
}

/** What whoever reads the verdict has to know beside it. */
export function notices({
  supplier,
  supplier_status: status,
  changed_accounts: changed,
}: VerifyResult): string[] {
  return [
    ...(status === 'ongoing'
      ? [
          `The migration of ${supplier} was ongoing: rows can be added behind the comparison. For a proof that lasts, have it paused or completed and compare again.`,
        ]
      : []),
    ...(changed > 0
      ? [
          `${plural(changed, 'account')} changed during the comparison; what is said holds for the later look.`,
        ]
      : []),
  ];
}

export function digestLines({ digest, service_digest: ofService }: VerifyResult): string[] {
  if (digest === null || ofService === null) return ['No digests, since only some kinds were compared.'];
  return [
    `Digest of the files        ${digest}`,
    `Digest of the service      ${ofService}`,
    'The certificate of the operator has the same digest if nothing has changed since.',
  ];
}

function countsTable({ accounts, rows }: VerifyResult): string {
  const of = (name: string, { matched, different, missing, unexpected }: Tally): string[] => [
    name,
    ...[matched, different, missing, unexpected].map(countText),
  ];
  return table([
    ['', 'matched', 'different', 'missing', 'unexpected'],
    of('accounts', accounts),
    of('rows', rows),
  ]);
}

function differencesTable({ differences, differences_omitted: omitted = 0 }: VerifyResult): string {
  const shown = differences
    .slice(0, SHOWN_MAX)
    .map(({ external_account_number: account, kind, key, problem, fields, ...place }) => [
      problem,
      kind,
      // A note may have several lines.
      JSON.stringify(account),
      JSON.stringify(key),
      placeText(place),
      fields.join(', '),
    ]);
  const others = differences.length + omitted - shown.length;
  const rest = others > 0 ? `\n… and ${countText(others)} more, see --report and --json.` : '';
  return table([['problem', 'kind', 'account', 'key', 'place', 'fields'], ...shown]) + rest;
}

/** Where a row stands; empty for one that only the service has. */
export function placeText({ file, line }: Pick<Difference, 'file' | 'line'>): string {
  return file === null ? '' : `${file}:${line}`;
}

export function plural(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
}
