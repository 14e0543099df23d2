import type { Difference, Tally, VerifyResult } from '../verify/result.js';
import { escape, htmlTable, page } from './html.js';
import { countText, dateTimeText, durationText } from './progress.js';
import { digestLines, notices, placeText, verdictText } from './verify-text.js';

/** A page without scripts that shows a comparison to people. Of rows it has what identifies them, and no other value. */
export function verifyPage(result: VerifyResult, { baseUrl, at }: { baseUrl: string; at: number }): string {
  const { supplier, seconds, accounts, rows, differences, differences_omitted: omitted = 0 } = result;
  const paragraphs = notices(result).map((notice) => `<p>${escape(notice)}</p>`);
  const body = `<h1>${escape(verdictText(result))}</h1>
<p>The files of ${escape(supplier)} compared with ${escape(baseUrl)}, begun ${dateTimeText(at)}, ${durationText(seconds)}.</p>
${paragraphs.join('\n')}
${htmlTable(['', 'Matched', 'Different', 'Missing', 'Unexpected'], [tallyCells('Accounts', accounts), tallyCells('Rows', rows)])}
<h2>Digests</h2>
<pre>${escape(digestLines(result).join('\n'))}</pre>
<h2>Differences</h2>
${
  differences.length === 0
    ? '<p>There are none.</p>'
    : htmlTable(['Problem', 'Kind', 'Account', 'Key', 'Place', 'Fields'], differences.map(differenceCells))
}
${omitted === 0 ? '' : `<p>${countText(omitted)} more are counted and not named.</p>`}`;
  return page(`Comparison of ${supplier}`, body);
}

function tallyCells(name: string, { matched, different, missing, unexpected }: Tally): (string | number)[] {
  return [name, matched, different, missing, unexpected];
}

function differenceCells(difference: Difference): string[] {
  const { external_account_number: account, kind, key, problem, fields } = difference;
  return [problem, kind, account, key, placeText(difference), fields.join(', ')].map(escape);
}
