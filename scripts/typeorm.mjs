// npm run typeorm -- migration:show: run the TypeORM command line on the database that the settings name.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, prepare } from './prepare.mjs';

const say = (sentence) => process.stderr.write(`${sentence}\n`);
prepare(say);
if (existsSync('.env')) process.loadEnvFile('.env');
const { readEnvironment } = await import('../dist/src/infrastructure/config/env.js');
const { connect, openDatabase } = await import('../dist/src/infrastructure/database/open-database.js');

try {
  const { url, environment, isEmbedded, close } = await openDatabase(readEnvironment(process.env), {
    role: 'command',
    say,
  });
  // Connect first, so that a problem is reported in a sentence: TypeORM would print a stack trace.
  if (!isEmbedded) await (await connect(url, environment)).destroy();
  const typeorm = join(ROOT, 'node_modules', 'typeorm', 'cli.js');
  const [command = '--help', ...rest] = process.argv.slice(2);
  const source = command === '--help' ? [] : ['-d', join(ROOT, 'scripts', 'typeorm-data-source.mjs')];
  const { status } = spawnSync(process.execPath, [typeorm, command, ...source, ...rest], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_URL: url,
      TOKEN_SIGNING_KEY: environment.TOKEN_SIGNING_KEY.join(','),
    },
  });
  await close();
  process.exitCode = status ?? 1;
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
