import { parseDuration } from '../infrastructure/clock/duration.js';
import { InvalidOptionError } from '../infrastructure/commands/command-line.js';

const LIFETIME_MAX_MS = 100 * 365 * 86_400_000;

/** The option `--expires-in` of the commands that issue keys, in milliseconds. */
export const EXPIRES_IN = { description: 'lifetime of the key: 90d, 12h, 2w …', parse: parseLifetime };

/** @returns milliseconds; @throws InvalidOptionError */
function parseLifetime(text: string): number {
  const lifetimeMs = parseDuration(text) ?? 0;
  if (lifetimeMs === 0 || lifetimeMs > LIFETIME_MAX_MS) {
    throw new InvalidOptionError(
      'A duration is a number and a unit, s, m, h, d or w, for example 90d; up to 100 years.',
    );
  }
  return lifetimeMs;
}

/** In whole seconds, because that is how it is published: the key's tokens must not outlive the published time. */
export function expiryAfter(now: Date, lifetimeMs: number): Date {
  return new Date(Math.floor((now.getTime() + lifetimeMs) / 1_000) * 1_000);
}
