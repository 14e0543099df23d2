import type { LeftOut } from '../rows/left-out.js';
import { countText } from './progress.js';
import { plural } from './tables.js';

/** How many rules are named; `--json` has all. */
const SHOWN_MAX = 20;

/** A sentence for each rule that leaves something out, or that nothing uses. */
export function leftOutSentences(leftOut: readonly LeftOut[]): string[] {
  const sentences = leftOut.slice(0, SHOWN_MAX).map(({ file, sheet, rule, lines }) => {
    const place = file === null ? '' : `${file}${sheet === null ? '' : ` (${sheet})`}: `;
    if (lines === null) return `Not read: ${rule}.`;
    return lines === 0
      ? `${place}nothing uses ${rule}.`
      : `${place}${plural(lines, 'line')} left out by ${rule}.`;
  });
  const more = leftOut.length - sentences.length;
  return more > 0 ? [...sentences, `${countText(more)} more are in --json.`] : sentences;
}

/** Such as `Every row`, with what is meant by it where something is left out. */
export function meantRows(rows: string, leftOut: readonly LeftOut[]): string {
  return leftOut.some(({ lines }) => lines !== 0) ? `${rows} that the mapping and the options mean` : rows;
}

/** Follows a sentence about all rows that are meant. */
export function butLeftOut(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.reduce((sum, { lines: count }) => sum + (count ?? 0), 0);
  const parts = [
    ...(lines > 0 ? [plural(lines, 'line')] : []),
    ...(leftOut.some(({ lines: count }) => count === null) ? ['some files'] : []),
  ];
  if (parts.length === 0) return '.';
  return `; ${parts.join(' and ')} ${lines === 1 && parts.length === 1 ? 'is' : 'are'} left out.`;
}
