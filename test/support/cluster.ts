import pg from 'pg';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { DISTRIBUTED_TABLES } from '../../src/infrastructure/database/citus/promises.js';
import { distribute, prepareDistribution } from '../../src/infrastructure/database/citus/distribution.js';
import { changeSchema, migrate } from '../../src/infrastructure/database/open-database.js';
import { CATALOGUE_SEED } from '../../src/infrastructure/database/migrations/catalogue-seed.js';
import { inBlock } from './set-up.js';

/** Shards per table: few, so that distributing and emptying a database is quick, but more than there are nodes. */
const SHARDS = 4;

/** Tables on the coordinator that tests may write to. */
const LOCAL_TABLES = [
  ...['organisation', 'api_key', 'rate_limit', 'audit_entry', 'viewed', 'catalogue_value'],
  ...['console_session', 'console_sign_in_code', 'database_place'],
];

/** A distributed database for exclusive use until it is released. */
export interface ClusterDatabase {
  readonly url: string;
  readonly release: () => Promise<void>;
}

/**
 * Acquire an empty distributed database of the cluster at TEST_CLUSTER_URL. Creating one takes seconds, so databases are
 * reused: each is emptied before its next use, and recreated when a test has changed its schema. The holder of its advisory
 * lock has exclusive use.
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
    if (!(await isAsMade(holder, name))) {
      // Adding a node sends it the roles, which two databases cannot do concurrently.
      await holder.query(`SELECT pg_advisory_lock(hashtext('${databasePrefix()}'))`);
      await make(holder, name);
      await holder.query(`SELECT pg_advisory_unlock(hashtext('${databasePrefix()}'))`);
    }
    await empty(url);
    return { url, release: () => holder.end() };
  }
}

/**
 * Create a database without tables on every node of the cluster.
 *
 * @param suffix of its name
 * @param hasExtension whether to create the Citus extension and register the nodes
 */
export async function createClusterDatabase(suffix: string, hasExtension: boolean): Promise<ClusterDatabase> {
  const name = databasePrefix() + suffix;
  const holder = await connect(process.env.TEST_CLUSTER_URL!);
  try {
    await create(await nodesOf(holder), name, hasExtension);
  } finally {
    await holder.end();
  }
  const release = async (): Promise<void> => {
    const remover = await connect(process.env.TEST_CLUSTER_URL!);
    await drop(await nodesOf(remover), name).finally(() => remover.end());
  };
  return { url: withDatabase(process.env.TEST_CLUSTER_URL!, name), release };
}

/** Prefix of the names of all databases of a test run. */
function databasePrefix(): string {
  return `test_${process.env.TEST_CLUSTER_RUN!}_`;
}

async function make(holder: pg.Client, name: string): Promise<void> {
  const nodes = await nodesOf(holder);
  await drop(nodes, name);
  await create(nodes, name, true);
  const url = withDatabase(process.env.TEST_CLUSTER_URL!, name);
  await distributeAll(url);
  await holder.query(`COMMENT ON DATABASE ${name} IS '${await fingerprint(url)}'`);
}

/** Migrate an empty database and distribute its tables. */
export async function distributeAll(url: string): Promise<void> {
  const environment = readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
  await migrate(url, environment);
  await changeSchema(url, environment, async (tx) => {
    await prepareDistribution(tx, SHARDS);
    await distribute(tx);
  });
}

async function create(nodes: readonly Node[], name: string, hasExtension: boolean): Promise<void> {
  for (const node of nodes) {
    await on(addressOf(node, 'postgres'), [`CREATE DATABASE ${name}`]);
    if (hasExtension) await on(addressOf(node, name), ['CREATE EXTENSION citus']);
  }
  if (!hasExtension) return;
  const [coordinator, ...workers] = nodes;
  await on(withDatabase(process.env.TEST_CLUSTER_URL!, name), [
    `SELECT citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
  ]);
}

async function drop(nodes: readonly Node[], name: string): Promise<void> {
  for (const node of nodes) {
    await on(addressOf(node, 'postgres'), [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
  }
}

/** Whether the database was created completely and no test has changed its schema or settings since. */
async function isAsMade(holder: pg.Client, name: string): Promise<boolean> {
  const { rows } = await holder.query<{ made: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS made FROM pg_database WHERE datname = $1`,
    [name],
  );
  const made = rows[0]?.made ?? null;
  return made !== null && made === (await fingerprint(withDatabase(process.env.TEST_CLUSTER_URL!, name)));
}

/** A digest of the database's schema and settings. */
async function fingerprint(url: string): Promise<string> {
  await using client = inBlock(await connect(url));
  const { rows } = await client.query<{ text: string }>(
    `SELECT md5(string_agg(fact, ' ' ORDER BY fact)) AS text
       FROM (SELECT format('%s %s %s', oid, relname, reloptions) AS fact
               FROM pg_class
              WHERE relnamespace = 'public'::regnamespace
             UNION ALL
             SELECT format('%s %s', conname, pg_get_constraintdef(oid))
               FROM pg_constraint
              WHERE connamespace = 'public'::regnamespace
             UNION ALL
             SELECT format('%s %s', tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
             UNION ALL
             SELECT format('%s %s', oid, proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
             UNION ALL
             SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
             UNION ALL
             SELECT format('%s', setconfig)
               FROM pg_db_role_setting
              WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
  );
  return rows[0]!.text;
}

/**
 * Remove everything except the values that the migrations inserted. DELETE takes a twentieth of the time of TRUNCATE, which
 * creates a file for each shard of each table.
 */
async function empty(url: string): Promise<void> {
  const seed = Object.entries(CATALOGUE_SEED).map(
    ([field, values]) =>
      `INSERT INTO catalogue_value (field, value) SELECT '${field}', unnest(ARRAY['${values.join(`','`)}'])`,
  );
  const referredTo = ['imported_account', 'account_erasure', 'erasure', 'account_import'];
  const others = DISTRIBUTED_TABLES.filter((table) => !referredTo.includes(table));
  const distributed = [...others, ...referredTo, 'import_supplier_grant', 'import_supplier'];
  await on(url, [
    // Connections that a test left open may still hold locks.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    `SET citus.multi_shard_modify_mode = 'sequential'`,
    'BEGIN',
    ...distributed.map((table) => `DELETE FROM ${table}`),
    // Triggers refuse every change and deletion of audit entries.
    'ALTER TABLE audit_entry DISABLE TRIGGER USER',
    `TRUNCATE ${LOCAL_TABLES.join(', ')}`,
    'ALTER TABLE audit_entry ENABLE TRIGGER USER',
    'ALTER SEQUENCE service_account_serial RESTART',
    ...seed,
    'COMMIT',
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
  await using client = inBlock(await connect(url));
  for (const statement of statements) await client.query(statement);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
