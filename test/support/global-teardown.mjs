import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const { dataDir, server } = globalThis.testPostgres;
  await server.release();
  await rm(dataDir, { recursive: true, force: true });
}
