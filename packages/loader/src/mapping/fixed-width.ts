import type { ColumnSample } from './column-shapes.js';

/** Shorter lines are taken for the values of one column. */
const LENGTH_MIN = 16;
const ROWS_MIN = 2;
const EXAMPLES = 3;

/**
 * Detect a file of fixed width: all lines have the same length and no delimiter.
 *
 * @returns a remark about it; undefined for other files
 */
export function fixedWidth([only, ...more]: readonly ColumnSample[]): string | undefined {
  if (!only || more.length > 0) return undefined;
  const { name: first, values } = only;
  const isEven = values.every((value) => value.length === first.length);
  if (!isEven || first.length < LENGTH_MIN || values.length < ROWS_MIN) return undefined;
  const parts = [...first.matchAll(/\S+/g)].slice(0, EXAMPLES);
  const positions = parts.map(({ 0: text, index }, part) => [
    `NAME_${part + 1}`,
    [index + 1, index + text.length],
  ]);
  return `Its lines have ${first.length} characters each and no delimiter, so it seems to be of fixed width. Write an entry that says where each column begins and ends, counted from 1, such as "form": ${JSON.stringify({ positions: Object.fromEntries(positions) as object })}, which is ${parts.map(({ 0: text }) => JSON.stringify(text)).join(', ')} in line 1.`;
}
