import { grouped } from '../common/grouped.js';
import type { RawText } from '../journal/events.js';

/** A row of a file with failures, which may have been corrected. */
export interface CorrectedRow {
  readonly raw: RawText;
  readonly account: string | undefined;
  readonly key: string | undefined;
}

/** A failed row. Its text is that in the file with failures, unless it has arrived. */
export interface Candidate extends CorrectedRow {
  /** Whether the row has arrived since. The file contains it only if it was not rewritten. */
  readonly isThere?: boolean;
}

/** The maximum number of text comparisons. Beyond it, rows are matched only by their order. */
const COMPARISONS_MAX = 1_000_000;

/**
 * Find the failed row that each row of a file with failures corrects or equals. People may correct and remove rows, but
 * not add any.
 *
 * A row with the unchanged text of a failed row is that row. Other rows are matched by account and id. The rest, such as
 * notes and rows with a wrong id, are matched by their place between rows that were already matched. If rows were
 * removed there, the longest common text decides.
 *
 * @param candidates the failed rows in the order in which they were written to the file
 * @returns for each row the index of its candidate; undefined if none fits
 */
export function matchRows(
  rows: readonly CorrectedRow[],
  candidates: readonly Candidate[],
): readonly (number | undefined)[] {
  const matches = new Array<number | undefined>(rows.length).fill(undefined);
  const taken = new Set<number>();
  const match = (nameOf: (row: CorrectedRow) => string | undefined): void => {
    const free = [...candidates.entries()].filter(([index]) => !taken.has(index));
    const byName = grouped(free, ([, candidate]) => nameOf(candidate));
    for (const [index, row] of rows.entries()) {
      const name = matches[index] === undefined ? nameOf(row) : undefined;
      const found = name === undefined ? undefined : byName.get(name)?.shift()?.[0];
      if (found === undefined) continue;
      matches[index] = found;
      taken.add(found);
    }
  };
  match(({ raw }) => textOf(raw));
  match(({ account, key }) =>
    account === undefined || key === undefined ? undefined : JSON.stringify([account, key]),
  );
  for (const [index, { isThere }] of candidates.entries()) if (isThere) taken.add(index);
  matchByPlace(rows, candidates, matches, taken);
  return matches;
}

/** Match the remaining rows between two matched rows. */
function matchByPlace(
  rows: readonly CorrectedRow[],
  candidates: readonly CorrectedRow[],
  matches: (number | undefined)[],
  taken: ReadonlySet<number>,
): void {
  let from = 0;
  let at = 0;
  while (at < rows.length) {
    const left: number[] = [];
    while (at < rows.length && matches[at] === undefined) left.push(at++);
    const until = at < rows.length ? (matches[at] ?? candidates.length) : candidates.length;
    if (left.length > 0) {
      const free: number[] = [];
      for (let index = from; index < until; index += 1) if (!taken.has(index)) free.push(index);
      const found = align(
        left.map((index) => rows[index]),
        free.map((index) => candidates[index]),
      );
      for (const [place, row] of left.entries()) {
        const which = found[place];
        if (which !== undefined) matches[row] = free[which];
      }
    }
    from = Math.max(from, until + 1);
    at += 1;
  }
}

/** Assign a candidate to each row, in order, so that the rows have as much text as possible in common with them. */
function align(
  rows: readonly (CorrectedRow | undefined)[],
  candidates: readonly (CorrectedRow | undefined)[],
): readonly (number | undefined)[] {
  const isForced = rows.length >= candidates.length || rows.length * candidates.length > COMPARISONS_MAX;
  if (isForced) return rows.map((_row, index) => (index < candidates.length ? index : undefined));
  const [n, m] = [rows.length, candidates.length];
  // best[i][j] is the largest number of characters that the rows from i on have in common with the candidates from j on.
  const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  for (let i = n - 1; i >= 0; i -= 1) {
    const [own, next] = [best[i], best[i + 1]];
    if (!own || !next) continue;
    own.fill(-Infinity);
    for (let j = m - (n - i); j >= 0; j -= 1) {
      const together = common(rows[i], candidates[j]) + (next[j + 1] ?? -Infinity);
      own[j] = Math.max(together, own[j + 1] ?? -Infinity);
    }
  }
  const found: number[] = [];
  for (let i = 0, j = 0; i < n && j < m; j += 1) {
    const isTaken = (best[i]?.[j] ?? 0) > (best[i]?.[j + 1] ?? -Infinity) || m - j === n - i;
    if (!isTaken) continue;
    found.push(j);
    i += 1;
  }
  return found;
}

/** The number of characters that two rows have in common at their beginning and end. */
function common(one: CorrectedRow | undefined, other: CorrectedRow | undefined): number {
  const [a, b] = [textOf(one?.raw ?? ''), textOf(other?.raw ?? '')];
  const shorter = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shorter && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return begin + end;
}

function textOf(raw: RawText): string {
  return typeof raw === 'string' ? raw : `base64 ${raw.base64}`;
}
