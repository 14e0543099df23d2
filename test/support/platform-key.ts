import { runJson } from './cli.js';
import type { TestDatabase } from './database.js';

/** A key of the platform for all suppliers. */
export async function issuePlatformKey(database: TestDatabase): Promise<string> {
  const { json } = await runJson(database, ['platform-key', 'issue', 'billing', '--expires-in', '1d']);
  return (json as { key: string }).key;
}
