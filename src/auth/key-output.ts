import { formatDateTime } from '../infrastructure/clock/dates.js';
import type { CommandResult } from '../infrastructure/commands/command-line.js';
import type { RevokedKey } from './revoke-key.js';
import type { IssuedSecretKey, SecretKeySummary } from './secret-key.js';

/** The advice shown with a new key. */
export const STORE_THIS_KEY = 'Store this key with your secrets: it cannot be shown again.';

/** The output for a new key. @param about further members under `--json` */
export function issuedResult(issued: IssuedSecretKey, about: object): CommandResult {
  const { id, key, createdAt, expiresAt } = issued;
  const created_at = formatDateTime(createdAt);
  return {
    json: { id, key, ...about, created_at, expires_at: dateTimeOrNull(expiresAt) },
    text: [`id:       ${id}`, `key:      ${key}`, `expires:  ${dateTimeOrNever(expiresAt)}`].join('\n'),
  };
}

/** @param sort the type of key, as written in a sentence */
export function revokedResult(sort: string, { id, label, revokedAt }: RevokedKey): CommandResult {
  const revoked_at = formatDateTime(revokedAt);
  return { json: { id, revoked_at }, text: `The ${sort} key ${label} (${id}) was revoked at ${revoked_at}.` };
}

/** The last columns in a list of keys. */
export const KEY_TIMES = ['Created', 'Expires', 'Revoked', 'Last used'];

export function keyTimes(key: SecretKeySummary): string[] {
  return [key.createdAt, key.expiresAt, key.revokedAt, key.lastUsedAt].map(dateTimeOrNever);
}

/** The last members of a key under `--json`. */
export function keyTimesJson({ createdAt, expiresAt, revokedAt, lastUsedAt }: SecretKeySummary): object {
  return {
    created_at: formatDateTime(createdAt),
    expires_at: dateTimeOrNull(expiresAt),
    revoked_at: dateTimeOrNull(revokedAt),
    last_used_at: dateTimeOrNull(lastUsedAt),
  };
}

export function dateTimeOrNull(dateTime: Date | null): string | null {
  return dateTime && formatDateTime(dateTime);
}

export function dateTimeOrNever(dateTime: Date | null): string {
  return dateTimeOrNull(dateTime) ?? 'never';
}
