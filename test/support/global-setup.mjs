// One PostgreSQL for the whole run, in a temporary folder, with a migrated database that every test file clones.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinEmbeddedPostgres } from '../../dist/src/database/embedded-postgres.js';
import { migrate } from '../../dist/src/database/open-database.js';
import { readEnvironment } from '../../dist/src/config/env.js';
import tearDown from './global-teardown.mjs';

export default async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-import-test-'));
  const server = await joinEmbeddedPostgres({
    dataDir,
    role: 'service',
    say: () => undefined,
    // Nobody needs these rows after a crash; and hundreds of databases come and go that nobody reads again.
    serverSettings: [
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
      ...['max_connections=300', 'shared_buffers=256MB'],
    ],
  });
  await migrate(server.url, readEnvironment({}));
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.testPostgres = { dataDir, server };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopEarly);
}

let isStopping = false;

/** Jest ends on a signal without a tear-down; the database must not stay behind. The signal may come twice. */
async function stopEarly() {
  if (isStopping) return;
  isStopping = true;
  await tearDown();
  process.exit(1);
}
