/** Fewer characters that stand in columns show nothing. */
const COLUMNS_MIN = 16;
const ROWS_MIN = 2;
const LINES_MAX = 200;
const EXAMPLES = 3;

/**
 * Detect text of fixed width. Most lines have the same length, or begin with the same two characters and have digits, letters and
 * spaces in the same columns, because spaces at their ends may have been removed; and most of these lines have no delimiter. The other
 * lines may be other records.
 *
 * @param text the beginning of a file
 * @returns a remark about it; undefined for other files
 */
export function fixedWidth(text: string): string | undefined {
  const lines = text.split(/\r?\n/, LINES_MAX).filter((line) => line.trim() !== '');
  const equal = mostAlike(lines, (line) => line.length);
  const begun = mostAlike(lines, (line) => line.slice(0, 2));
  const alike = (equal[0]?.length ?? 0) >= COLUMNS_MIN && equal.length * 2 >= lines.length ? equal : begun;
  if (alike.length < ROWS_MIN || alike.length * 2 < lines.length) return undefined;
  if (alike !== equal && columnsIn(alike) < COLUMNS_MIN) return undefined;
  const isDelimiter = (sign: string): boolean =>
    alike.filter((line) => line.includes(sign)).length * 2 > alike.length;
  if ([',', ';', '\t', '|', '^'].some(isDelimiter)) return undefined;
  const [first = ''] = alike;
  const parts = [...first.matchAll(/\S+/g)].slice(0, EXAMPLES);
  const positions = parts.map(({ 0: part, index }, at) => [
    `NAME_${at + 1}`,
    [index + 1, index + part.length],
  ]);
  const others =
    alike.length === lines.length
      ? ''
      : ' Lines of other records are left out with "leave_out", or their cells are repeated on the lines below them with "carry".';
  return `Its lines have columns and no delimiter, so it seems to be of fixed width. Write an entry that says where each column begins and ends, counted from 1, such as "form": ${JSON.stringify({ positions: Object.fromEntries(positions) as object })}, which is ${parts.map(({ 0: part }) => JSON.stringify(part)).join(', ')} in ${JSON.stringify(first)}.${others}`;
}

/** The largest group of lines that have a feature in common. */
function mostAlike(lines: readonly string[], feature: (line: string) => unknown): readonly string[] {
  const groups = new Map<unknown, string[]>();
  for (const line of lines) groups.set(feature(line), [...(groups.get(feature(line)) ?? []), line]);
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** The number of columns in which all lines have a digit, all have a letter, or all have the same other character. */
function columnsIn(lines: readonly string[]): number {
  const shapes = lines.map((line) => line.replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'x'));
  const columns = Array.from({ length: shapes[0]?.length ?? 0 }, (_, at) => at);
  return columns.filter((at) => new Set(shapes.map((shape) => shape.charAt(at))).size === 1).length;
}
