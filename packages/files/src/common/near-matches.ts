import { distance } from 'fastest-levenshtein';
import { WrongUsage } from './errors.js';

const NEAR_MATCHES_MAX = 3;

/** A longer name is unlikely to be a typing mistake, and comparing it would take long. */
const COMPARED_LENGTH_MAX = 64;

/**
 * Find the names that differ from `name` in at most a third of its letters. Case and the characters between words do not
 * count. The nearest names come first.
 */
export function nearMatches(name: string, names: Iterable<string>): string[] {
  if (name.length > COMPARED_LENGTH_MAX) return [];
  const typed = plain(name);
  return [...names]
    .map((candidate) => ({ candidate, changes: distance(typed, plain(candidate)) }))
    .filter(({ changes }) => changes <= Math.max(2, Math.floor(typed.length / 3)))
    .sort((one, other) => one.changes - other.changes || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, NEAR_MATCHES_MAX)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean a or b?`, or nothing. */
export function hint(name: string, names: Iterable<string>): string {
  const near = nearMatches(name, names);
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}

/**
 * The error for an unknown name.
 *
 * @param sentence the sentence that says which name is unknown
 */
export function unknownName(sentence: string, name: string, known: readonly string[]): WrongUsage {
  return new WrongUsage(`${sentence}${hint(name, known)} Known are ${known.join(', ')}.`);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}
