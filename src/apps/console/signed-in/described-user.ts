import type { FoundSession } from './sessions.queries.js';
import type { LiveSession } from './sessions.types.js';

/** The name that people know the user of a session by. */
export function userName({
  operator,
  person,
  organisation,
}: Pick<FoundSession, 'operator' | 'person' | 'organisation'>): string {
  return operator ?? person ?? organisation ?? '';
}

/** The role of the user of a session, and the API key or the subject at the provider that identifies the user. */
export function userRole({ role, organisation, apiKeyId, keyLabel, subject, issuer }: LiveSession): string {
  const name = organisation === null ? role : `admin of ${organisation}`;
  if (apiKeyId !== null) return `${name}, API key ${keyLabel ?? ''} (${apiKeyId})`;
  return subject === null ? name : `${name}, ${subject} at ${issuer ?? ''}`;
}
