import { rm } from 'node:fs/promises';
import pg from 'pg';

/** Called after a run and after a setup that failed or was interrupted. A second call waits for the first. */
export default async function tearDown() {
  // From test/support/shared-service.ts. Worker processes of Jest each stop their own.
  await (await globalThis[Symbol.for('the service that test files share')])?.stop();
  if (process.env.TEST_CLUSTER_URL !== undefined) return removeDatabases();
  const postgres = globalThis.testPostgres;
  postgres.removed ??= remove(postgres);
  return postgres.removed;
}

async function remove({ dataDir, starting }) {
  // The setup has reported why the start failed.
  const server = await starting.catch(() => undefined);
  await server?.release();
  await rm(dataDir, { recursive: true, force: true });
}

/** Drop the databases of this run, created by test/support/cluster.ts, from every node of the cluster. */
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
