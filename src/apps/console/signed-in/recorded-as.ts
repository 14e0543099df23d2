import { recordedAsKey } from '../../../auth/recorded-as-key.js';
import type { SessionUser } from './sessions.types.js';

/**
 * The name that is recorded with what a user sees and changes. A person may have chosen any name at the provider, so what
 * identifies the person is recorded too; operators cannot be given a name that begins like this (infrastructure/text/names.ts).
 *
 * Source: choices C1, O6.
 */
export function recordedAs({ operator, apiKeyId, person, subject, issuer }: SessionUser): string {
  if (operator !== null) return operator;
  return apiKeyId === null
    ? `person ${person ?? ''} (${subject ?? ''} at ${issuer ?? ''})`
    : recordedAsKey(apiKeyId);
}
