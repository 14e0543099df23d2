import pg from 'pg';
import { readEnvironment } from '../../src/config/env.js';
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from '../../src/database/distribution/promises.js';
import { distribute, prepareDistribution } from '../../src/database/distribution/distribution.js';
import { changeSchema, migrate } from '../../src/database/open-database.js';
import { CATALOGUE_SEED } from '../../src/database/migrations/1795305720000-catalogues.js';

/** Shards of each table: few, so that a database is distributed and emptied quickly, and more than there are nodes. */
const SHARDS = 4;

/** Tables of the coordinator that a test may fill. */
const LOCAL_TABLES = ['organisation', 'api_key', 'rate_limit', 'audit_entry', 'catalogue_value'];

/** A distributed database that nobody else uses until it is released. */
export interface ClusterDatabase {
  readonly url: string;
  readonly release: () => Promise<void>;
}

/**
 * An empty distributed database of the cluster at TEST_CLUSTER_URL. Each is made once, which takes seconds, and emptied
 * when it is used again. Whoever holds its advisory lock uses it.
 */
export async function acquireDatabase(): Promise<ClusterDatabase> {
  const holder = await connect(process.env.TEST_CLUSTER_URL!);
  for (let number = 1; ; number += 1) {
    const name = `${databasePrefix()}${number}`;
    const { rows } = await holder.query<{ is_mine: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext($1)) AS is_mine`,
      [name],
    );
    if (rows[0]?.is_mine !== true) continue;
    const url = withDatabase(process.env.TEST_CLUSTER_URL!, name);
    const made = await holder.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (made.rowCount === 0) {
      // A node that is added is sent the roles, which two databases cannot do at the same time.
      await holder.query(`SELECT pg_advisory_lock(hashtext('${databasePrefix()}'))`);
      await make(holder, name);
      await holder.query(`SELECT pg_advisory_unlock(hashtext('${databasePrefix()}'))`);
    }
    await empty(url);
    return { url, release: () => holder.end() };
  }
}

/** Beginning of the names of all databases of a run. */
function databasePrefix(): string {
  return `test_${process.env.TEST_CLUSTER_RUN!}_`;
}

async function make(holder: pg.Client, name: string): Promise<void> {
  const nodes = await nodesOf(holder);
  for (const node of nodes) {
    await on(addressOf(node, 'postgres'), [`CREATE DATABASE ${name}`]);
    await on(addressOf(node, name), ['CREATE EXTENSION citus']);
  }
  const [coordinator, ...workers] = nodes;
  const url = withDatabase(process.env.TEST_CLUSTER_URL!, name);
  await on(url, [
    `SELECT citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
  ]);
  const environment = readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
  await migrate(url, environment);
  await changeSchema(url, environment, async (tx) => {
    await prepareDistribution(tx, SHARDS);
    await distribute(tx);
  });
}

/** Everything but the values that the migrations put in. */
async function empty(url: string): Promise<void> {
  const seed = Object.entries(CATALOGUE_SEED).map(
    ([field, values]) =>
      `INSERT INTO catalogue_value (field, value) SELECT '${field}', unnest(ARRAY['${values.join(`','`)}'])`,
  );
  await on(url, [
    `SET citus.multi_shard_modify_mode = 'sequential'`,
    // Nothing is changed or deleted in the table of the audit entries otherwise.
    'ALTER TABLE audit_entry DISABLE TRIGGER USER',
    `TRUNCATE ${[...REFERENCE_TABLES, ...DISTRIBUTED_TABLES, ...LOCAL_TABLES].join(', ')}`,
    'ALTER TABLE audit_entry ENABLE TRIGGER USER',
    ...seed,
  ]);
}

interface Node {
  readonly host: string;
  readonly port: number;
}

/** The nodes of the cluster, the coordinator first. */
async function nodesOf(coordinator: pg.Client): Promise<Node[]> {
  const { rows } = await coordinator.query<Node>(
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
  );
  return rows;
}

function addressOf({ host, port }: Node, database: string): string {
  const url = new URL(withDatabase(process.env.TEST_CLUSTER_URL!, database));
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

function withDatabase(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

async function on(url: string, statements: readonly string[]): Promise<void> {
  const client = await connect(url);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
