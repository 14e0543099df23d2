import { join } from 'node:path';
import { DataSource, MigrationExecutor, type EntityManager } from 'typeorm';
import { CommandError } from '../errors/command-error.js';
import { secretFile } from '../files/secret-file.js';
import { databaseMessage } from '../errors/sql-state.js';
import { makeDataFolder } from '../config/data-folder.js';
import { StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';
import { connectionOptions, MIGRATIONS_TABLE, type ConnectionUse } from './connection-options.js';
import { joinEmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded/embedded-postgres.js';
import { distribute, isDistributed, prepareDistribution } from './citus/distribution.js';
import { UnitOfWork, type Tx } from './unit-of-work.js';

/** The address of the database, and the settings including the generated signing key. */
export interface OpenDatabase {
  readonly url: string;
  readonly environment: Environment;
  readonly isEmbedded: boolean;
  /** Resolves when an embedded database that this process started ends by itself; the message says why. */
  readonly ended?: Promise<StartError>;
  /** Stop using the database, and stop an embedded one that this process started. */
  readonly close: () => Promise<void>;
}

/** How a process uses the embedded database. */
export type DatabaseUse = Omit<EmbeddedPostgresOptions, 'dataDir' | 'serverSettings'>;

/** Transaction-level advisory lock for migrations, so that instances that start at the same time run them once. */
const MIGRATION_LOCK = 7_300;

/**
 * Open the configured database, which is only contacted with the first connection, or start the embedded one in DATA_DIR.
 *
 * @throws StartError if the embedded database cannot be started
 * Source: choices, section 6.
 */
export async function openDatabase(environment: Environment, use: DatabaseUse): Promise<OpenDatabase> {
  const url = environment.DATABASE_URL;
  if (url !== undefined) {
    return { url, environment, isEmbedded: false, close: () => Promise.resolve() };
  }
  const dataDir = environment.DATA_DIR;
  await makeDataFolder(environment);
  const signingKey = environment.TOKEN_SIGNING_KEY ?? [await secretFile(join(dataDir, 'token-signing-key'))];
  const postgres = await joinEmbeddedPostgres({ dataDir, ...use });
  return {
    url: postgres.url,
    environment: { ...environment, TOKEN_SIGNING_KEY: signingKey },
    isEmbedded: true,
    ended: postgres.ended,
    close: postgres.release,
  };
}

/** @throws StartError if the database does not meet the service's requirements */
async function expectUsable(dataSource: DataSource, name: string): Promise<void> {
  const [{ version, date_style: dateStyle, isolation }] = await dataSource.query<
    [{ version: string; date_style: string; isolation: string }]
  >(
    `SELECT current_setting('server_version') AS version, current_setting('DateStyle') AS date_style,
            current_setting('default_transaction_isolation') AS isolation`,
  );
  if (Number.parseInt(version, 10) < VERSION_MIN) {
    throw new StartError(
      `${name} is PostgreSQL ${Number.parseInt(version, 10)}; ${VERSION_MIN} or newer is needed.`,
    );
  }
  if (!dateStyle.startsWith('ISO')) {
    throw new StartError(
      `${name} writes dates in the style ${dateStyle}; ISO is needed: ALTER DATABASE … SET DateStyle = ISO.`,
    );
  }
  if (isolation !== 'read committed') {
    throw new StartError(
      `${name} begins transactions with the isolation level ${isolation}; read committed is needed: ALTER DATABASE … SET default_transaction_isolation = 'read committed'.`,
    );
  }
}

/** The first version with `uuidv7()`, which orders the import requests. */
const VERSION_MIN = 18;

/**
 * Migrate a database to the newest schema, completely or not at all. A distributed database stays distributed. Several processes
 * may call this at the same time.
 *
 * @returns the names of the migrations that this call applied
 * @throws StartError if another build created the database
 */
export async function migrate(url: string, environment: Environment): Promise<string[]> {
  return changeSchema(url, environment, async (tx, missing) => {
    if (missing.length === 0) return [];
    const isOnSeveralNodes = await isDistributed(tx);
    if (isOnSeveralNodes) await prepareDistribution(tx);
    const applied = await new MigrationExecutor(tx.dataSource, tx.queryRunner).executePendingMigrations();
    if (isOnSeveralNodes) await distribute(tx);
    return applied.map(({ name }) => name);
  });
}

/**
 * Change the schema in one transaction, one process at a time.
 *
 * The change runs in the transaction that holds the lock, so a process needs only one connection and never waits for a second one
 * while it blocks others.
 *
 * @param change gets the names of the migrations that the database lacks
 * @throws StartError if another build created the database
 */
export async function changeSchema<T>(
  url: string,
  environment: Environment,
  change: (tx: Tx, missing: readonly string[]) => Promise<T>,
): Promise<T> {
  const dataSource = await orStartError(url, environment, () => open(url, environment));
  try {
    return await new UnitOfWork(dataSource).write(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      return change(tx, await missingIn(tx, environment));
    });
  } finally {
    await dataSource.destroy();
  }
}

type Sql = Pick<EntityManager, 'query' | 'dataSource'>;

async function appliedIn(sql: Sql): Promise<string[]> {
  if (!(await hasTable(MIGRATIONS_TABLE, sql))) return [];
  const applied = await sql.query<{ name: string }[]>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
  return applied.map(({ name }) => name);
}

/**
 * The migrations of this build that a database lacks. This only reads.
 *
 * @returns their names, oldest first
 * @throws StartError if another build created the database
 */
async function missingIn(sql: Sql, environment: Environment): Promise<string[]> {
  const applied = await appliedIn(sql);
  const known = sql.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw madeByAnotherBuild(environment, `whose migration ${unknown} this build does not know`);
  }
  // Every build creates this table.
  if (applied.length === 0 && (await hasTable('import_supplier', sql))) {
    throw madeByAnotherBuild(environment, 'which left no record of its migrations');
  }
  const names = new Set(applied);
  return known.filter((name) => !names.has(name));
}

async function hasTable(name: string, sql: Sql): Promise<boolean> {
  const [table] = await sql.query<[{ exists: boolean }]>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    name,
  ]);
  return table.exists;
}

function madeByAnotherBuild(environment: Environment, reason: string): StartError {
  const [which, remedy] =
    environment.DATABASE_URL === undefined
      ? [`The database in DATA_DIR ${environment.DATA_DIR}`, 'set DATA_DIR to a new folder']
      : [nameOf(environment.DATABASE_URL, environment), 'set DATABASE_URL to an empty database'];
  return new StartError(
    `${which} was made by another build, ${reason}: use that build or a newer one, or ${remedy}.`,
  );
}

function nameOf(url: string, environment: Environment): string {
  const { pathname, host, searchParams } = new URL(url);
  // The folder of a socket is a parameter.
  const place = searchParams.get('host') ?? host;
  const setting = url === environment.DATABASE_URL ? ' (DATABASE_URL)' : '';
  return `The database ${pathname.slice(1)}${place === '' ? '' : ` at ${place}`}${setting}`;
}

/**
 * Open the connections of a service or a command.
 *
 * @throws StartError if the database cannot be used
 */
export async function connect(
  url: string,
  environment: Environment,
  use?: ConnectionUse,
): Promise<DataSource> {
  return orStartError(url, environment, async () => {
    const dataSource = await open(url, environment, use);
    if (environment.DATABASE_URL === undefined || !(await ask(dataSource, isDistributed))) return dataSource;
    await dataSource.destroy();
    return open(url, environment, { ...use, kind: 'coordinator' });
  });
}

async function open(url: string, environment: Environment, use?: ConnectionUse): Promise<DataSource> {
  const dataSource = await new DataSource(connectionOptions(url, environment, use)).initialize();
  if (environment.DATABASE_URL !== undefined) {
    await ask(dataSource, () => expectUsable(dataSource, nameOf(url, environment)));
  }
  return dataSource;
}

/** @throws StartError that names the database, for any database error */
async function orStartError<T>(url: string, environment: Environment, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${nameOf(url, environment)} cannot be used: ${databaseMessage(cause)}.`, { cause });
  }
}

/**
 * Open the connections of a command, which does not change the schema.
 *
 * @throws StartError if the database cannot be used
 * @throws CommandError `database_not_migrated`
 */
export async function connectMigrated(
  url: string,
  environment: Environment,
  use?: ConnectionUse,
): Promise<DataSource> {
  const dataSource = await connect(url, environment, use);
  await ask(dataSource, async () => {
    expectMigrated(await missingIn(dataSource.manager, environment));
  });
  return dataSource;
}

/** @throws CommandError `database_not_migrated` */
export function expectMigrated(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new CommandError(
    'database_not_migrated',
    `The database lacks ${missing.length} migrations of this version; run "data-import database migrate" first.`,
  );
}

/** Closes the connections if the work fails. */
async function ask<T>(dataSource: DataSource, question: (sql: DataSource) => Promise<T>): Promise<T> {
  try {
    return await question(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
