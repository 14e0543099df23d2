import { SPAN_SECONDS, type JournalState } from '../journal/state.js';
import { countText, durationText } from './progress.js';

const WIDTH = 960;
const HEIGHT = 220;
const LEFT = 70;
const BOTTOM = 30;
/** The most points that are drawn. */
const POINTS_MAX = 480;

/**
 * An SVG chart of the rows per second. Only times in which rows were settled are shown, without the pauses between runs.
 * It is empty if nothing was sent.
 */
export function chart({ spans }: JournalState): string {
  const rows = [...spans].sort(([a], [b]) => a - b).map(([, count]) => count);
  if (rows.length === 0) return '';
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
