import { rm } from 'node:fs/promises';

/** Also for a setup that failed or was interrupted; whoever asks while it is under way waits for the same. */
export default function tearDown() {
  const postgres = globalThis.testPostgres;
  postgres.removed ??= remove(postgres);
  return postgres.removed;
}

async function remove({ dataDir, starting }) {
  // What could not be started needs no stopping; the setup tells why.
  const server = await starting.catch(() => undefined);
  await server?.release();
  await rm(dataDir, { recursive: true, force: true });
}
