import type { RestoredReport } from './restored.service.js';

/** The report as text, for a start of the service and for the result of `database restored`. */
export function restoredText({
  sessions_ended: ended,
  suppliers,
  api_keys,
  platform_keys,
}: RestoredReport): string {
  const feeds = suppliers.length === 0 ? '' : ` The feed of ${suppliers.join(', ')} has begun a new epoch.`;
  const keys = [
    ...api_keys.map(({ id, organisation, label }) => `  API key ${id} of ${organisation} (${label})`),
    ...platform_keys.map(({ id, name }) => `  platform key ${id} (${name})`),
  ];
  return [
    `${ended === 1 ? '1 console session has' : `${ended} console sessions have`} ended, and all links to sign in.${feeds} Platform account numbers that may have been given are skipped.`,
    ...(keys.length === 0
      ? ['No key is valid in the database.']
      : ['These keys are valid in the database. Revoke those that were revoked later:', ...keys]),
  ].join('\n');
}
