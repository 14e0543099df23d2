// Starts one PostgreSQL for all workers, in a temporary folder, with a migrated database that every test file clones.
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinEmbeddedPostgres } from '../../dist/src/infrastructure/database/embedded/embedded-postgres.js';
import { migrate } from '../../dist/src/infrastructure/database/open-database.js';
import { readEnvironment } from '../../dist/src/infrastructure/config/env.js';
import tearDown from './global-teardown.mjs';

export default async function setUp() {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    // The user's Citus cluster: each worker creates its databases there (test/support/cluster.ts).
    process.env.TEST_CLUSTER_URL = process.env.TEST_DATABASE_URL;
    process.env.TEST_CLUSTER_RUN = randomBytes(4).toString('hex');
    return;
  }
  // The handlers run only after this function has yielded, when there is something to tear down.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopEarly);
  const dataDir = mkdtempSync(join(tmpdir(), 'data-import-test-'));
  const starting = joinEmbeddedPostgres({
    dataDir,
    role: 'service',
    say: () => undefined,
    serverSettings: [
      // The data need not survive a crash.
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
      // Statistics, and the plans that depend on them, change only when a test updates them.
      'autovacuum=off',
      ...['max_connections=300', 'shared_buffers=256MB'],
    ],
  });
  globalThis.testPostgres = { dataDir, starting };
  try {
    const { url } = await starting;
    await migrate(url, readEnvironment({}));
    // Like the address of an operator's own server: without the start-up options of an embedded one.
    const address = new URL(url);
    address.searchParams.delete('options');
    process.env.TEST_DATABASE_URL = address.href;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/** Jest ends on a signal without a teardown, which would leave PostgreSQL running. The signal may arrive twice. */
async function stopEarly() {
  await tearDown();
  process.exit(1);
}
