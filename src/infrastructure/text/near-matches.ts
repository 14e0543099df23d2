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

/** Whether one mistake of typing leads from a name to another: a character more, less or other, or two neighbours in the wrong order. */
export function isMistyped(word: string, name: string): boolean {
  const changes = distance(word, name);
  if (changes !== 2 || word.length !== name.length) return changes === 1;
  const at = Array.from(word).findIndex((character, index) => character !== name[index]);
  return name.startsWith(`${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`, at);
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
