import type { JournalState } from '../journal/state.js';
import { SPAN_SECONDS } from '../journal/state.js';
import { KINDS } from '../kinds/kinds.js';
import { REPORT_MARK } from '../rows/folder.js';
import { countText, dateTimeText, durationText } from './progress.js';
import type { Counts, Result } from './result.js';
import { movedText } from './text.js';

/** A page without scripts that shows a result to people; it names files and lines and nothing else of any row. */
export function reportPage(result: Result, state: JournalState): string {
  const last = state.runs.at(-1);
  const kinds = KINDS.flatMap((kind) => {
    const counts = result.kinds[kind];
    return counts ? [countsCells(kind, counts)] : [];
  });
  const groups = result.groups.map(({ number, count, kind, code, attr, value, detail, first }) => [
    number,
    count,
    escape(kind),
    `<code>${escape(causeOf(code, attr, value))}</code><br>${escape(detail)}`,
    escape(`${first.file}:${first.line}`),
  ]);
  const moved = movedText(result);
  const changes = result.changed.map((text) => `<li>${escape(text)}</li>`);
  const title = result.dry_run ? 'Dry run' : 'Load';
  const body = `<h1>${title} of ${escape(last?.supplier ?? '')}: ${verdict(result)}</h1>
<p>Into ${escape(last?.baseUrl ?? '')}${last ? `, run ${escape(last.run)}, begun ${dateTimeText(last.at)}` : ''}, ${durationText(result.seconds)}.</p>
${htmlTable(['Kind', 'Read', 'Loaded', 'Already there', 'Failed', 'Not sent'], [...kinds, countsCells('all', result)])}
${changes.length === 0 ? '' : `<p>What came is not loaded:</p><ul>${changes.join('')}</ul>\n`}${moved === undefined ? '' : `<p>${escape(moved)}</p>\n`}<h2>Rows a second</h2>
${chart(state)}
<h2>Failed rows by cause</h2>
${groups.length === 0 ? '<p>No row has failed.</p>' : htmlTable(['Group', 'Rows', 'Kind', 'Cause', 'First'], groups)}`;
  return page(`${title} of ${last?.supplier ?? ''}`, body);
}

/** A number, or HTML. */
type Cell = string | number;

/** A table as HTML. A column is one of numbers where its first cell is; a row named `all` is a sum. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isOfNumbers = (column: number): boolean => typeof rows[0]?.[column] === 'number';
  const head = heads.map((name, column) => `<th${isOfNumbers(column) ? ' class="n"' : ''}>${name}</th>`);
  const body = rows.map((cells) => {
    const shown = cells.map((cell) =>
      typeof cell === 'number' ? `<td class="n">${countText(cell)}</td>` : `<td>${cell}</td>`,
    );
    return `<tr${cells[0] === 'all' ? ' class="all"' : ''}>${shown.join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table>`;
}

/** A page that asks for nothing from anywhere. @param body HTML */
export function page(title: string, body: string): string {
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
${body}
</body>
</html>
`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2733;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{padding:.35rem .6rem;text-align:left;overflow-wrap:anywhere;border-bottom:1px solid #d5dce3;vertical-align:top}
.n.n{text-align:right;overflow-wrap:normal;font-variant-numeric:tabular-nums}tbody tr:last-child.all{font-weight:600}svg{width:100%;height:auto}`;

function verdict({ failed, unsent, read, changed, checked, dry_run: isDryRun }: Result): string {
  if (changed.length > 0) return `files were changed meanwhile`;
  if (unsent > 0) return `${countText(unsent)} of ${countText(read)} rows are not sent`;
  if (failed > 0) return `${countText(failed)} of ${countText(read)} rows failed`;
  return `all ${countText(read)} rows ${isDryRun ? 'can be loaded' : checked ? 'are there' : 'were sent'}`;
}

/** Such as `invalid_choice, type: CHARG`. */
function causeOf(code: string, attr: string, value: string | undefined): string {
  return `${code}${attr && `, ${attr}`}${value === undefined ? '' : `: ${value}`}`;
}

function countsCells(name: string, { read, loaded, already, failed, unsent }: Counts): Cell[] {
  return [name, read, loaded, already, failed, unsent];
}

const WIDTH = 960;
const HEIGHT = 220;
const LEFT = 70;
const BOTTOM = 30;
/** Most points that are drawn. */
const POINTS_MAX = 480;

/** Rows a second over the time in which rows were settled; pauses between runs are left out. */
function chart({ spans }: JournalState): string {
  const rows = [...spans].sort(([a], [b]) => a - b).map(([, count]) => count);
  if (rows.length === 0) return '<p>Nothing was sent.</p>';
  const perPoint = Math.ceil(rows.length / POINTS_MAX);
  const rates: number[] = [];
  for (let from = 0; from < rows.length; from += perPoint) {
    const part = rows.slice(from, from + perPoint);
    rates.push(part.reduce((sum, count) => sum + count, 0) / (part.length * SPAN_SECONDS));
  }
  const top = Math.max(...rates, 1);
  const step = (WIDTH - LEFT) / rates.length;
  const y = (rate: number): string => ((1 - rate / top) * (HEIGHT - BOTTOM - 10) + 10).toFixed(1);
  const points = rates.flatMap((rate, index) => [
    `${(LEFT + index * step).toFixed(1)},${y(rate)}`,
    `${(LEFT + (index + 1) * step).toFixed(1)},${y(rate)}`,
  ]);
  const base = HEIGHT - BOTTOM;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Rows a second, at most ${countText(Math.round(top))}">
<polygon fill="#cfe3f5" stroke="#1f6fb2" points="${LEFT},${base} ${points.join(' ')} ${WIDTH},${base}"/>
<line x1="${LEFT}" y1="${base}" x2="${WIDTH}" y2="${base}" stroke="#5b6b7a"/>
<g font-size="13" fill="#1c2733"><text x="${LEFT - 8}" y="20" text-anchor="end">${countText(Math.round(top))}</text><text x="${LEFT - 8}" y="${base}" text-anchor="end">0</text>
<text x="${LEFT}" y="${HEIGHT - 8}">0 s</text><text x="${WIDTH}" y="${HEIGHT - 8}" text-anchor="end">${durationText(rows.length * SPAN_SECONDS)} of sending</text></g>
</svg>`;
}

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
