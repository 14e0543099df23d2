import { runJson } from './cli.js';
import type { LoadDatabase } from './import-load.js';

/** Issue a platform key for all suppliers. */
export async function issuePlatformKey(database: LoadDatabase): Promise<string> {
  const { json } = await runJson(database, ['platform-key', 'issue', 'billing', '--expires-in', '1d']);
  return (json as { key: string }).key;
}
