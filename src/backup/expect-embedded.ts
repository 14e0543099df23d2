import { CommandError } from '../common/command-error.js';
import type { Environment } from '../config/settings.js';

/** @throws CommandError `database_not_embedded` when DATABASE_URL names the database */
export function expectEmbedded({ DATABASE_URL }: Pick<Environment, 'DATABASE_URL'>): void {
  if (DATABASE_URL === undefined) return;
  throw new CommandError(
    'database_not_embedded',
    'This command is for the embedded PostgreSQL, and DATABASE_URL names another: use pg_dump or pg_basebackup and what belongs to them, as docs/backup.md describes.',
  );
}
