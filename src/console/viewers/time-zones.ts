import { timeZone } from '../../config/setting-parsers.js';

/** IANA names of the zones to choose from. */
export const TIME_ZONES: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
const KNOWN = new Set(TIME_ZONES);

/** A zone as it was kept, when it is one to choose from. */
export function knownTimeZone(kept: string | undefined): string | undefined {
  return kept !== undefined && KNOWN.has(kept) ? kept : undefined;
}

/** A zone by its name or by another name of it, as browsers have them: `Asia/Kolkata` and `Asia/Calcutta` are one. */
export function readTimeZone(named: string): string | undefined {
  try {
    return knownTimeZone(timeZone(named));
  } catch {
    return undefined;
  }
}
