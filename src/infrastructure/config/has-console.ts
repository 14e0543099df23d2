import type { Environment } from './settings.js';

/** Whether `/console/` is served. By default only with the embedded PostgreSQL (choice C1). */
export function hasConsole({
  CONSOLE,
  DATABASE_URL,
}: Pick<Environment, 'CONSOLE' | 'DATABASE_URL'>): boolean {
  return CONSOLE === undefined ? DATABASE_URL === undefined : CONSOLE === 'on';
}
