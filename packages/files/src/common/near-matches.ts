import { distance } from 'fastest-levenshtein';
import { WrongUsage } from './errors.js';

const NEAR_MATCHES_MAX = 3;

/** A longer name is not a typing mistake, and comparing it would take long. */
const COMPARED_LENGTH_MAX = 64;

/** Names that differ from `name` in at most a third of its letters, whatever the case and the signs between words; the nearest first. */
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

/** @returns what to throw for a name that is none of those that are known @param sentence what is said of it */
export function unknownName(sentence: string, name: string, known: readonly string[]): WrongUsage {
  return new WrongUsage(`${sentence}${hint(name, known)} Known are ${known.join(', ')}.`);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}
