import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../common/command-error.js';
import { BACKUP_MANIFEST } from '../config/data-folder.js';
import { embeddedVersion } from '../database/embedded/postgres-server.js';
import { MIGRATIONS } from '../database/migrations/index.js';
import { BACKUP_FORMAT, type BackupManifest } from './backup.types.js';
import { damaged } from './checksums.js';
import { systemReason } from '../config/system-reason.js';

/** @throws CommandError `backup_not_usable` */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, BACKUP_MANIFEST);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(
      'backup_not_usable',
      `There is no backup in ${folder}: its ${BACKUP_MANIFEST} cannot be read (${systemReason(cause)}).`,
      { cause },
    );
  }
  try {
    return JSON.parse(text) as BackupManifest;
  } catch {
    throw damaged(path, 'is not JSON');
  }
}

/**
 * Check what can be known without reading the whole backup.
 *
 * @throws CommandError `backup_not_usable` when another PostgreSQL or a newer build made it
 */
export async function expectKnown(
  folder: string,
  { format, postgres_version, migrations }: BackupManifest,
): Promise<void> {
  const refuse = (reason: string): never => {
    throw new CommandError('backup_not_usable', `The backup ${folder} ${reason}.`);
  };
  if ((format as number) !== BACKUP_FORMAT) {
    refuse(`has the format ${format}; this build reads ${BACKUP_FORMAT}: use the build that made it`);
  }
  const version = await embeddedVersion();
  if (Number.parseInt(postgres_version, 10) !== Number.parseInt(version, 10)) {
    refuse(
      `is one of PostgreSQL ${postgres_version}, and this build brings PostgreSQL ${version}: restore it with a build that brings the same major version`,
    );
  }
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown !== undefined) {
    refuse(`was made by another build, whose migration ${unknown} this build does not know: use that build`);
  }
}
