import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { flush, renameDurably } from '../../infrastructure/files/durable-files.js';
import { databaseFolder } from '../../infrastructure/config/data-folder.js';
import { ENVIRONMENT, type Environment } from '../../infrastructure/config/settings.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';
import { lockFolder } from '../../infrastructure/database/embedded/folder-lock.js';

/** The entries of DATA_DIR that are copied. With the setting TOKEN_SIGNING_KEY there may be no key. */
const COPIED = ['postgres', 'database-password', 'token-signing-key'];

/** Files that a crashed server leaves behind, and that would be wrong in another place. */
const OF_A_SERVER = new Set(['postmaster.pid', 'postmaster.opts']);

/** Copies the embedded database and its secrets. */
@Injectable()
export class BackupService {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /**
   * Copy the database and the secrets of DATA_DIR while nothing uses them. The copy gets its name when all of it is on
   * disk. A copy that fails or is interrupted leaves nothing behind.
   *
   * @param folder absolute path; it must not exist, or be empty
   * @throws CommandError `database_not_embedded`, `no_database`, `database_in_use`, `backup_folder_not_usable`,
   *   `backup_failed`, `interrupted`
   * Source: choice O5.
   */
  async copy(folder: string, interrupted: AbortSignal): Promise<CopySize> {
    const { DATA_DIR, DATABASE_URL } = this.environment;
    if (DATABASE_URL !== undefined) {
      throw new CommandError(
        'database_not_embedded',
        'This command is for the embedded PostgreSQL, and DATABASE_URL names another: use its own tools, as docs/backup.md describes.',
      );
    }
    if (!existsSync(databaseFolder(DATA_DIR))) {
      throw new CommandError('no_database', `There is no database in DATA_DIR ${DATA_DIR}.`);
    }
    if ((await readdir(folder).catch(() => [])).length > 0) {
      throw new CommandError('backup_folder_not_usable', `${folder} is not empty: name a new folder.`);
    }
    const lock = await lockFolder(DATA_DIR);
    if (!lock) {
      throw new CommandError(
        'database_in_use',
        `The database in ${DATA_DIR} is in use, and a copy of a running one is torn: stop the service and the commands that use it.`,
      );
    }
    try {
      return await writeCopy(DATA_DIR, folder, interrupted);
    } catch (cause) {
      if (interrupted.aborted) {
        throw new CommandError('interrupted', 'The copy was interrupted; nothing of it is left.', { cause });
      }
      if (!(cause as NodeJS.ErrnoException).code) throw cause;
      const sentence = `The copy to ${folder} failed, and nothing of it is left: ${systemReason(cause)}.`;
      throw new CommandError('backup_failed', sentence, { cause });
    } finally {
      await lock.close();
    }
  }
}

async function writeCopy(dataDir: string, folder: string, interrupted: AbortSignal): Promise<CopySize> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.partial-`);
  const filter = (path: string): boolean => {
    interrupted.throwIfAborted();
    return !OF_A_SERVER.has(basename(path));
  };
  try {
    for (const name of COPIED.filter((one) => existsSync(join(dataDir, one)))) {
      await cp(join(dataDir, name), join(draft, name), { recursive: true, dereference: true, filter });
    }
    const size = await flushTree(draft);
    interrupted.throwIfAborted();
    // The rename replaces an empty folder of that name and fails for any other.
    await renameDurably(draft, folder);
    return size;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

interface CopySize {
  readonly bytes: number;
  readonly files: number;
}

/** Flush a folder and everything in it to disk, so that a power failure loses nothing. */
async function flushTree(folder: string): Promise<CopySize> {
  let [bytes, files] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await flush(path);
    if (entry.isDirectory()) continue;
    bytes += (await stat(path)).size;
    files += 1;
  }
  await flush(folder);
  return { bytes, files };
}
