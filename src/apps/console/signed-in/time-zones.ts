import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { timeZone } from '../../../infrastructure/config/setting-parsers.js';

/** IANA names of the zones to choose from. */
export const TIME_ZONES: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
const KNOWN = new Set(TIME_ZONES);

/** A kept time zone, if it is one to choose from. */
export function knownTimeZone(kept: string | undefined): string | undefined {
  return kept !== undefined && KNOWN.has(kept) ? kept : undefined;
}

/**
 * The time zone that a form names, by any of its names: to browsers `Asia/Kolkata` and `Asia/Calcutta` are the same.
 *
 * @returns null for an empty name, which means the platform's zone
 * @throws CommandError for any other text
 */
export function readTimeZone(named: string): string | null {
  if (named === '') return null;
  try {
    const known = knownTimeZone(timeZone(named));
    if (known !== undefined) return known;
  } catch {
    // The error names the setting.
  }
  throw new CommandError('unknown_time_zone', 'This time zone is not known here.');
}
