import pg from 'pg';
import type { DataSourceOptions, EntitySchema } from 'typeorm';
import { withoutTls } from '../config/database-tls.js';
import type { Environment } from '../config/settings.js';
import type { DatabaseKind } from './citus/database-kind.js';
import { MIGRATIONS } from './migrations/index.js';
import { Pool, type PoolConfig } from './pool.js';
import { tlsConfig } from './tls.js';

// Keep calendar days as text: pg would convert them to date-times at midnight in the time zone of the process.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** How long a request waits for a free connection before it is answered with 503. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The table in which TypeORM records the applied migrations. */
export const MIGRATIONS_TABLE = 'migration';

/**
 * A prepared statement is planned once per connection instead of at every call: the imports are long queries whose plan never
 * depends on their values, and planning would take half of their time. The plan is kept, so it must not be made for a table that
 * is still empty, where a sequential scan looks cheap. Therefore every query that can use an index uses one.
 *
 * Not on the coordinator of several nodes: Citus chooses the node by the values, so it plans every call (decision 11).
 */
export const GENERIC_PLANS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
/** Days are read and written as text; the role or the database may have another date style. */
const ISO_DATES = '-c DateStyle=ISO';
/** The triggers of the item tables must see rows that were committed after their query began (decision 10). */
const READ_COMMITTED = '-c default_transaction_isolation=read\\ committed';

/**
 * PostgreSQL cancels a query before the service stops waiting for it, so that certainly nothing was stored. The service's own
 * limit is for connections that have gone silent, and for queries that are not prepared.
 */
const ANSWER_MARGIN_MS = 1_000;

/** Idle time after which TCP keep-alive starts. */
const SILENCE_MS = 10_000;

/** How the connections are used. */
export interface ConnectionUse {
  /** The entities of TypeORM repositories; none by default. */
  readonly entities?: readonly ((new () => object) | EntitySchema)[];
  /** Time limit for a query; without it, only the limit of the role applies. */
  readonly statementTimeoutMs?: number;
  /** The kind of server at the address; a single server by default. */
  readonly kind?: Exclude<DatabaseKind, 'node'>;
}

/**
 * How to connect to the database, and the migrations that it needs.
 *
 * @param url postgres:// address
 */
export function connectionOptions(
  url: string,
  environment: Pick<Environment, 'DATABASE_POOL_MAX' | 'DATABASE_STATEMENTS'>,
  use: ConnectionUse = {},
): DataSourceOptions {
  const { entities = [], statementTimeoutMs, kind = 'single' } = use;
  const address = withoutTls(url);
  const start: Start =
    environment.DATABASE_STATEMENTS === 'prepared' ? withStartOptions(address, use) : { url: address };
  return {
    type: 'postgres',
    driver: { Pool },
    url: start.url,
    applicationName: 'data-import',
    entities: [...entities],
    migrations: MIGRATIONS,
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
    logging: false,
    poolSize: environment.DATABASE_POOL_MAX,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      statements: environment.DATABASE_STATEMENTS,
      kind,
      ...tlsConfig(url, process.env),
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENCE_MS,
      ...(statementTimeoutMs !== undefined && { answerLimitMs: statementTimeoutMs + ANSWER_MARGIN_MS }),
      options: start.options,
    } satisfies Extra,
  };
}

/** Options of a data source beyond those of TypeORM. */
interface Extra extends PoolConfig {
  readonly statements: Environment['DATABASE_STATEMENTS'];
  readonly kind: DatabaseKind;
}

/** Address, and start options of the connection. */
interface Start {
  readonly url: string;
  readonly options?: string;
}

/**
 * The start options of the service come after those that the operator set in the address or in PGOPTIONS: if an option is
 * repeated, PostgreSQL uses the last one. Options in the address are removed from it, because pg would use only those.
 */
function withStartOptions(url: string, { statementTimeoutMs, kind }: ConnectionUse): Start {
  const fromOperator = new URL(url).searchParams.get('options') ?? process.env.PGOPTIONS;
  const plans = kind === 'coordinator' ? undefined : GENERIC_PLANS;
  const limit = statementTimeoutMs === undefined ? undefined : `-c statement_timeout=${statementTimeoutMs}`;
  // A limit that is a parameter of the address itself would override the one among the options.
  const address = limit === undefined ? url : without(url, 'statement_timeout');
  const options = [fromOperator, plans, ISO_DATES, READ_COMMITTED, limit].filter(Boolean).join(' ');
  return { url: without(address, 'options'), options };
}

/** An address without a parameter. If it does not have the parameter, the text is returned unchanged. */
function without(url: string, parameter: string): string {
  const address = new URL(url);
  if (!address.searchParams.has(parameter)) return url;
  address.searchParams.delete(parameter);
  return address.href;
}
