import { rm } from 'node:fs/promises';
import pg from 'pg';

/** Called after a run, and after a setup that failed or was interrupted; a second call waits for the first. */
export default async function tearDown() {
  // test/support/shared-service.ts; where Jest has other processes, each of them stops its own.
  await (await globalThis[Symbol.for('the service that test files share')])?.stop();
  if (process.env.TEST_CLUSTER_URL !== undefined) return removeDatabases();
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

/** Remove the databases of this run from every node of the cluster (test/support/cluster.ts made them). */
async function removeDatabases() {
  const coordinator = new pg.Client({ connectionString: process.env.TEST_CLUSTER_URL });
  await coordinator.connect();
  const { rows: databases } = await coordinator.query(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [`test_${process.env.TEST_CLUSTER_RUN}_`],
  );
  const { rows: nodes } = await coordinator.query(
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
  );
  await coordinator.end();
  for (const { host, port } of nodes) {
    const address = new URL(process.env.TEST_CLUSTER_URL);
    Object.assign(address, { hostname: host, port: String(port), pathname: '/postgres' });
    const node = new pg.Client({ connectionString: address.href });
    await node.connect();
    for (const { name } of databases) await node.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await node.end();
  }
}
