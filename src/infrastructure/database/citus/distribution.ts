import { GUARD_FUNCTIONS } from './placement.js';
import {
  ADDED_CONSTRAINTS,
  DISTRIBUTED_TABLES,
  DISTRIBUTION_COLUMN,
  IMPORTED_ACCOUNT,
  KEEP_GRANTED_ORGANISATION,
  REFERENCE_TABLES,
  REFUSED_INDEXES,
  REPLACED_FOREIGN_KEYS,
  type AddedConstraint,
} from './promises.js';

/** Runs one SQL query. */
export interface SqlRunner {
  query<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Progress reports while rows are moved. */
export interface DistributionProgress {
  /** @param bytes size of the table on the coordinator, including its indexes */
  readonly onTable: (table: string, bytes: number) => void;
}

const SILENT: DistributionProgress = { onTable: () => undefined };

/** Whether the tables of a database are distributed over the nodes of a Citus cluster. */
export async function isDistributed(sql: SqlRunner): Promise<boolean> {
  const [citus] = await sql.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  if (citus?.exists !== true) return false;
  return (await citusTables(sql)).has(DISTRIBUTED_TABLES[0]);
}

/** The tables that Citus manages as reference or distributed tables. */
async function citusTables(sql: SqlRunner): Promise<Set<string>> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name
       FROM pg_dist_partition p
       JOIN pg_class c ON c.oid = p.logicalrelid
      WHERE c.relnamespace = 'public'::regnamespace
        AND (p.partmethod = 'h' OR p.partmethod = 'n' AND p.repmodel = 't')`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Call this before any change of a distributed schema. Several tables are changed in one transaction, which Citus cannot do with
 * several connections to a node.
 *
 * @param sql in the transaction of the change
 * @param shards number of shards of each table, for the first distribution; later ones follow it
 */
export async function prepareDistribution(sql: SqlRunner, shards?: number): Promise<void> {
  await sql.query(
    `SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true),
            set_config('client_min_messages', 'warning', true)`,
  );
  if (shards !== undefined) {
    await sql.query(`SELECT set_config('citus.shard_count', $1, true)`, [String(shards)]);
  }
}

/**
 * Distribute the tables that are not distributed yet, with their rows, and replace their triggers by constraints that a
 * distributed table can have. Steps that are already done are skipped.
 *
 * @param sql in a transaction after {@link prepareDistribution}: either everything is done, or nothing
 * @returns the tables that this call distributed
 */
export async function distribute(
  sql: SqlRunner,
  { onTable }: DistributionProgress = SILENT,
): Promise<string[]> {
  if (!(await exists(sql, 'imported_account'))) {
    await sql.query(IMPORTED_ACCOUNT);
    await sql.query(KEEP_GRANTED_ORGANISATION);
  }
  // Citus creates the functions on every node, including nodes that are added later.
  await sql.query(GUARD_FUNCTIONS);
  const known = await citusTables(sql);
  const pending = [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES].filter((table) => !known.has(table));
  await dropTriggers(sql, pending);
  for (const index of REFUSED_INDEXES) await sql.query(`DROP INDEX IF EXISTS ${index}`);
  const foreignKeys = await dropForeignKeys(sql, pending);
  for (const table of pending) {
    const [{ bytes } = { bytes: '0' }] = await sql.query<{ bytes: string }>(
      `SELECT pg_total_relation_size($1::text::regclass) AS bytes`,
      [table],
    );
    onTable(table, Number(bytes));
    await sql.query(distributeSql(table));
    await sql.query(`SELECT truncate_local_data_after_distributing_table($1::text::regclass)`, [table]);
  }
  for (const { table, name, definition } of [...foreignKeys, ...ADDED_CONSTRAINTS]) {
    if (await hasConstraint(sql, table, name)) continue;
    await sql.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  return pending;
}

function distributeSql(table: string): string {
  const first = DISTRIBUTED_TABLES[0];
  if ((REFERENCE_TABLES as readonly string[]).includes(table))
    return `SELECT create_reference_table('${table}')`;
  const place = table === first ? 'none' : first;
  return `SELECT create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${place}')`;
}

async function dropTriggers(sql: SqlRunner, tables: readonly string[]): Promise<void> {
  const triggers = await sql.query<{ table: string; name: string }>(
    `SELECT c.relname AS "table", g.tgname AS name
       FROM pg_trigger g
       JOIN pg_class c ON c.oid = g.tgrelid
      WHERE NOT g.tgisinternal AND c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)`,
    [tables],
  );
  for (const { table, name } of triggers) await sql.query(`DROP TRIGGER ${name} ON ${table}`);
}

/** Drop foreign keys, because a table cannot be distributed before the tables at both ends. @returns the keys to add again */
async function dropForeignKeys(sql: SqlRunner, tables: readonly string[]): Promise<AddedConstraint[]> {
  const keys = await sql.query<AddedConstraint>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
       FROM pg_constraint k
       JOIN pg_class c ON c.oid = k.conrelid
      WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
      ORDER BY c.relname, k.conname`,
    [tables],
  );
  for (const { table, name } of keys) await sql.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return keys.filter(
    (key) => !REPLACED_FOREIGN_KEYS.some(({ table, name }) => key.table === table && key.name === name),
  );
}

async function exists(sql: SqlRunner, table: string): Promise<boolean> {
  const [row] = await sql.query<{ exists: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [table]);
  return row?.exists === true;
}

async function hasConstraint(sql: SqlRunner, table: string, name: string): Promise<boolean> {
  const [row] = await sql.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_constraint WHERE conrelid = $1::text::regclass AND conname = $2) AS exists`,
    [table, name],
  );
  return row?.exists === true;
}
