import type { RestoredReport } from './restored.service.js';

/** What people read of it: at a start, and as the result of `database restored`. */
export function restoredText({ sessionsEnded, suppliers, apiKeys, platformKeys }: RestoredReport): string {
  const feeds = suppliers.length === 0 ? '' : ` The feed of ${suppliers.join(', ')} has begun a new epoch.`;
  const keys = [
    ...apiKeys.map(({ id, organisation, label }) => `  API key ${id} of ${organisation} (${label})`),
    ...platformKeys.map(({ id, name }) => `  platform key ${id} (${name})`),
  ];
  return [
    `${sessionsEnded === 1 ? '1 console session has' : `${sessionsEnded} console sessions have`} ended, and all links to sign in.${feeds} Platform account numbers that may have been given are skipped.`,
    ...(keys.length === 0
      ? ['No key is valid in the database.']
      : ['These keys are valid in the database. Revoke those that were revoked later:', ...keys]),
  ].join('\n');
}
