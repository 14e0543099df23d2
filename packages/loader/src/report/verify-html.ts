import type { Difference, Tally, VerifyResult } from '../verify/result.js';
import { escape, page } from './html.js';
import { countText, durationText } from './progress.js';
import { digestLines, notices, verdictText } from './verify-text.js';

/** A page without scripts that shows a comparison to people. Of rows it has what identifies them, and no other value. */
export function verifyPage(result: VerifyResult, { baseUrl, at }: { baseUrl: string; at: number }): string {
  const { supplier, seconds, accounts, rows, differences, differences_omitted: omitted = 0 } = result;
  const head = (names: readonly string[], numbers: number): string =>
    names
      .map((name, index) => `<th${index > 0 && index <= numbers ? ' class="n"' : ''}>${name}</th>`)
      .join('');
  const paragraphs = notices(result).map((notice) => `<p>${escape(notice)}</p>`);
  const body = `<h1>${escape(verdictText(result))}</h1>
<p>The files of ${escape(supplier)} compared with ${escape(baseUrl)}, begun ${new Date(at).toISOString().slice(0, 19)}Z, ${durationText(seconds)}.</p>
${paragraphs.join('\n')}
<table><thead><tr>${head(['', 'Matched', 'Different', 'Missing', 'Unexpected'], 4)}</tr></thead>
<tbody>${tallyRow('Accounts', accounts)}${tallyRow('Rows', rows)}</tbody></table>
<h2>Digests</h2>
<pre>${escape(digestLines(result).join('\n'))}</pre>
<h2>Differences</h2>
${
  differences.length === 0
    ? '<p>There are none.</p>'
    : `<table><thead><tr>${head(['Problem', 'Kind', 'Account', 'Key', 'Place', 'Fields'], 0)}</tr></thead><tbody>${differences.map(differenceRow).join('\n')}</tbody></table>`
}
${omitted === 0 ? '' : `<p>${countText(omitted)} more are counted and not named.</p>`}`;
  return page(`Comparison of ${supplier}`, body);
}

function tallyRow(name: string, { matched, different, missing, unexpected }: Tally): string {
  const cells = [matched, different, missing, unexpected].map(
    (count) => `<td class="n">${countText(count)}</td>`,
  );
  return `<tr><td>${name}</td>${cells.join('')}</tr>`;
}

function differenceRow({
  external_account_number: account,
  kind,
  key,
  file,
  line,
  problem,
  fields,
}: Difference): string {
  const place = file === null ? '' : `${file}:${line}`;
  const cells = [problem, kind, account, key, place, fields.join(', ')];
  return `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}
