import { timeZone } from '../../../infrastructure/config/setting-parsers.js';

const KNOWN = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** A time zone that a browser names, by any of its names, if it is known here: `Asia/Kolkata` and `Asia/Calcutta` are the same. */
export function knownTimeZone(named: string | undefined): string | undefined {
  try {
    const zone = named === undefined ? undefined : timeZone(named);
    return zone !== undefined && KNOWN.has(zone) ? zone : undefined;
  } catch {
    return undefined;
  }
}
