import type { LeftOut } from '../rows/left-out.js';
import { countText } from './progress.js';
import { plural } from './tables.js';

/** The most rules that are named; `--json` lists all. */
const SHOWN_MAX = 20;

/** A sentence for each rule that leaves something out or is not used. */
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

/**
 * A sentence from a subject such as `Every row` and a predicate such as `is there`. If rows are left out, it says which
 * rows are meant.
 */
export function meantRows(rows: string, are: string, leftOut: readonly LeftOut[]): string {
  const lines = leftOut.reduce((sum, { lines: count }) => sum + (count ?? 0), 0);
  if (leftOut.every(({ lines: count }) => count === 0)) return `${rows} ${are}`;
  const what = lines === 0 ? 'some files are' : `${plural(lines, 'line')} ${lines === 1 ? 'is' : 'are'}`;
  return `${rows} that the mapping and the options mean ${are}; ${what} left out`;
}
