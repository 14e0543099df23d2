import { distance } from 'fastest-levenshtein';

const NEAR_MATCHES_MAX = 3;
/** A longer text is not a typing mistake, and comparing it would take long. */
const COMPARED_LENGTH_MAX = 64;

/**
 * A hint for the end of a sentence, with the names that a word may have been meant to be: those that differ in at most a third of
 * its letters, ignoring case, nearest first.
 *
 * @param textOf formats a name
 * @returns ` Did you mean A or B?`, or an empty text
 */
export function didYouMean(
  word: string,
  names: Iterable<string>,
  textOf: (name: string) => string = (name) => name,
): string {
  const near = nearMatches(word, names).map(textOf);
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}

function nearMatches(word: string, names: Iterable<string>): string[] {
  if (word.length > COMPARED_LENGTH_MAX) return [];
  const typed = word.toUpperCase();
  return [...names]
    .map((candidate) => ({ candidate, changes: distance(typed, candidate.toUpperCase()) }))
    .filter(({ changes }) => changes <= Math.max(2, Math.floor(typed.length / 3)))
    .sort((one, other) => one.changes - other.changes || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, NEAR_MATCHES_MAX)
    .map(({ candidate }) => candidate);
}
