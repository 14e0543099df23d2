import { rm } from 'node:fs/promises';

/** Called after a run, and after a setup that failed or was interrupted; a second call waits for the first. */
export default function tearDown() {
  const postgres = globalThis.testPostgres;
  postgres.removed ??= remove(postgres);
  return postgres.removed;
}

async function remove({ dataDir, starting }) {
  // The setup reports why it could not be started.
  const server = await starting.catch(() => undefined);
  await server?.release();
  await rm(dataDir, { recursive: true, force: true });
}
