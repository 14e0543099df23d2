import { REPORT_MARK } from '../rows/folder.js';
import { cellText, isOfNumbers, type Table } from './tables.js';

/** A report for people. */
export interface Page {
  readonly title: string;
  /** The outcome in one sentence. */
  readonly verdict: string;
  readonly content: readonly Content[];
}

/** A paragraph, or another element of the page. */
type Content =
  | string
  | { readonly heading: string }
  | { readonly table: Table }
  /** Lines that are shown as they are. */
  | { readonly lines: readonly string[] }
  | { readonly list: readonly string[] }
  | { readonly svg: string };

/** A page without scripts and without references to other files. */
export function pageHtml({ title, verdict, content }: Page): string {
  return `${REPORT_MARK}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(verdict)}</h1>
${content.map(contentHtml).join('\n')}
</body>
</html>
`;
}

/** A word is broken only if it alone is too long for the page. A table that is too wide scrolls. */
const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2733;background:#fff;overflow-wrap:break-word}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}div,pre{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{padding:.35rem .6rem;text-align:left;border-bottom:1px solid #d5dce3;vertical-align:top}th::first-letter{text-transform:uppercase}
.n.n{text-align:right;font-variant-numeric:tabular-nums}tbody tr:last-child.all{font-weight:600}svg{width:100%;height:auto}`;

function contentHtml(content: Content): string {
  if (typeof content === 'string') return `<p>${escape(content)}</p>`;
  if ('heading' in content) return `<h2>${escape(content.heading)}</h2>`;
  if ('table' in content) return tableHtml(content.table);
  if ('lines' in content) return `<pre>${escape(content.lines.join('\n'))}</pre>`;
  if ('list' in content) return `<ul>${content.list.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;
  return content.svg;
}

/** A row named `all` is a sum. */
function tableHtml(table: Table): string {
  const cell = (tag: string, column: number, text: string): string =>
    `<${tag}${isOfNumbers(table, column) ? ' class="n"' : ''}>${escape(text)}</${tag}>`;
  const rows = table.rows.map((cells) => {
    const shown = cells.map((one, column) => cell('td', column, cellText(one)));
    return `<tr${cells[0] === 'all' ? ' class="all"' : ''}>${shown.join('')}</tr>`;
  });
  return `<div><table><thead><tr>${table.heads.map((head, column) => cell('th', column, head)).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
