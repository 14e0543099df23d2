import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { systemUser } from '../../infrastructure/files/system-user.js';
import { ConfigModule } from '../../infrastructure/config/config.module.js';
import { databaseFolder } from '../../infrastructure/config/data-folder.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { DatabaseModule } from '../../infrastructure/database/database.module.js';
import { RestoredModule } from './restored.module.js';
import { RestoredService } from './restored.service.js';
import { restoredText } from './restored-text.js';

/**
 * Detect that the embedded database was moved or restored since it was last used. This runs before anything uses the
 * database, ends everything that must not survive a restore, and reports it.
 *
 * @param url of the migrated database in DATA_DIR
 * @param say prints for the operator
 * Source: choice O5.
 */
export async function noticeMove(
  url: string,
  environment: Environment,
  say: (text: string) => void,
): Promise<void> {
  const context = await NestFactory.createApplicationContext(
    {
      module: RestoredModule,
      imports: [ConfigModule.with(environment), DatabaseModule.with(url, environment)],
    },
    { logger: false, abortOnError: false },
  );
  try {
    const operator = environment.OPERATOR ?? systemUser();
    const place = await placeOf(environment.DATA_DIR);
    const report = await context.get(RestoredService).notice(place, operator);
    if (report) say(`The database in DATA_DIR was moved or restored. ${restoredText(report)}`);
  } finally {
    await context.close();
  }
}

/**
 * The place of the database files: the inodes of the folder and of its file PG_VERSION, which survive a restart and a
 * rename but not a copy. File systems reuse the inode of a removed file, so the birth time counts too. The inodes and the
 * birth time never change afterwards. Device numbers are left out, because they change when a machine starts.
 */
async function placeOf(dataDir: string): Promise<string> {
  const cluster = databaseFolder(dataDir);
  const folder = await stat(cluster, { bigint: true });
  const version = await stat(join(cluster, 'PG_VERSION'), { bigint: true });
  return [folder.ino, version.ino, version.birthtimeNs].join(' ');
}
