import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TokenService } from '../src/auth/token.service.js';
import { Clock } from '../src/common/clock.js';
import { readEnvironment } from '../src/config/env.js';
import { migrate } from '../src/database/open-database.js';
import { startServer, type RunningServer } from './child.js';
import { query, withClient, type BenchPostgres } from './postgres.js';
import type { Rows, ServiceNumbers, Stored } from './scenarios.js';
import { FLOOR_SCHEMA } from './servers/floor/schema.js';
import { ACCOUNTS, OPEN_STATEMENT_FROM, PENDING_SUPPLIER, SUPPLIER, accountNumberSql } from './world.js';

/** A server that takes part, in a process and on a database of its own. */
export interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
  /** postgres:// address of its database. */
  readonly databaseUrl: string;
  /** What its database holds of a kind of rows. */
  readonly stored: (what: Stored) => Promise<Rows>;
  readonly serviceNumbers: () => Promise<ServiceNumbers>;
  readonly stop: () => Promise<void>;
}

export const CONTENDERS = ['service', 'floor', 'tutorial', 'floor-behind-nest'] as const;
/** Those that take part unless others are named. */
export const USUAL_CONTENDERS: readonly ContenderName[] = ['service', 'floor', 'tutorial'];
export type ContenderName = (typeof CONTENDERS)[number];

/** The compiled benchmark, three folders below the project's (scripts/prepare.mjs). */
const HERE = fileURLToPath(new URL('.', import.meta.url));
export const PROJECT = join(HERE, '..', '..', '..');

const TOKEN_LIFETIME_SECONDS = 86_400;

/** Where a server's database has what is compared with its answers. */
interface Tables {
  /** Of each kind of row: its table, and what is added up. */
  readonly rows: Readonly<Record<Stored, readonly [table: string, summand: string]>>;
  readonly accounts: string;
  readonly externalNumber: string;
  readonly serviceNumber: string;
}

const SERVICE_TABLES: Tables = {
  rows: {
    notes: ['note', 'length(body)'],
    transactions: ['transaction', 'amount'],
    statements: ['statement', 'gross_amount'],
    payment_instructions: ['payment_instruction', '0'],
  },
  accounts: 'account_import',
  externalNumber: 'external_account_number',
  serviceNumber: 'service_account_number',
};
const FLOOR_TABLES: Tables = {
  rows: SERVICE_TABLES.rows,
  accounts: 'account',
  externalNumber: 'external_number',
  serviceNumber: 'service_number',
};
const TUTORIAL_TABLES: Tables = {
  rows: { ...SERVICE_TABLES.rows, statements: ['statement', '"grossAmount"'] },
  accounts: 'account',
  externalNumber: '"externalAccountNumber"',
  serviceNumber: '"serviceAccountNumber"',
};

/** Make a contender's database, fill it with the common world and start its server. */
export function startContender(name: ContenderName, postgres: BenchPostgres): Promise<Contender> {
  switch (name) {
    case 'service':
      return startService(postgres);
    case 'floor':
      return startFloor(postgres, name, 'floor/main.js');
    case 'floor-behind-nest':
      return startFloor(postgres, name, 'floor/behind-nest.js');
    case 'tutorial':
      return startTutorial(postgres);
  }
}

/** The settings of a service on a database of this run; everything that a real one does is switched on. */
export interface ServiceDatabase {
  readonly url: string;
  readonly token: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** @param accounts imported ones of {@link SUPPLIER}; as many of {@link PENDING_SUPPLIER} are pending, 10,000 at most */
export async function createServiceDatabase(
  postgres: BenchPostgres,
  database: string,
  accounts: number,
): Promise<ServiceDatabase> {
  const url = await postgres.createDatabase(database);
  const settings = {
    DATABASE_URL: url,
    TOKEN_SIGNING_KEY: randomBytes(32).toString('hex'),
    DATA_DIR: join(postgres.folder, `${database}-data`),
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
  };
  const environment = readEnvironment(settings);
  await migrate(url, environment);
  const [{ organisation_id: organisationId, api_key_id: apiKeyId }] = (await query(
    url,
    `WITH new_organisation AS (INSERT INTO organisation (name) VALUES ('Bench') RETURNING id),
     supplier AS (
       INSERT INTO import_supplier (code, name, document_root)
       VALUES ('${SUPPLIER}', 'Bench', 'bench'), ('${PENDING_SUPPLIER}', 'Bench, pending', 'bench-pending')
       RETURNING id
     ),
     granted AS (
       INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
       SELECT supplier.id, new_organisation.id FROM supplier, new_organisation
     )
     INSERT INTO api_key (organisation_id, handle, key_hash, label)
     SELECT new_organisation.id, 'bench', $1, 'bench' FROM new_organisation
     RETURNING organisation_id, id AS api_key_id`,
    [createHash('sha256').update(randomBytes(32)).digest()],
  )) as [{ organisation_id: string; api_key_id: string }];
  await query(
    url,
    `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                 account_created_at, open_statement_from)
     SELECT s.id, ${accountNumberSql('i')}, 'imported', next_service_account_number(), now(), '${OPEN_STATEMENT_FROM}'
       FROM import_supplier s, generate_series(0, $1::integer - 1) AS i
      WHERE s.code = '${SUPPLIER}'`,
    [accounts],
  );
  await query(
    url,
    `INSERT INTO account_import (import_supplier_id, external_account_number)
     SELECT s.id, ${accountNumberSql('i')}
       FROM import_supplier s, generate_series(0, least($1::integer, ${ACCOUNTS}) - 1) AS i
      WHERE s.code = '${PENDING_SUPPLIER}'`,
    [accounts],
  );
  await query(url, 'VACUUM ANALYZE');
  const subject = { organisationId, apiKeyId, generation: 1 };
  const clock = new Clock(environment);
  const endsAt = Math.floor(clock.now().getTime() / 1_000) + TOKEN_LIFETIME_SECONDS;
  const { token } = new TokenService(clock, environment).issue('access', subject, endsAt);
  return { url, token, settings };
}

/** Start the built service on a database of {@link createServiceDatabase}. */
export async function serve(
  postgres: BenchPostgres,
  name: string,
  { url, token, settings }: ServiceDatabase,
): Promise<Contender> {
  const server = await startServer({
    program: join(PROJECT, 'dist', 'src', 'main.js'),
    settings,
    folder: postgres.folder,
    logFile: join(postgres.folder, `${name}.log`),
  });
  return contender(name, url, token, server, SERVICE_TABLES);
}

async function startService(postgres: BenchPostgres): Promise<Contender> {
  return serve(postgres, 'service', await createServiceDatabase(postgres, 'bench_service', ACCOUNTS));
}

async function startFloor(postgres: BenchPostgres, name: string, program: string): Promise<Contender> {
  const url = await postgres.createDatabase(`bench_${name.replaceAll('-', '_')}`);
  const token = randomBytes(32).toString('base64url');
  await withClient(url, async (client) => {
    await client.query(FLOOR_SCHEMA);
    await client.query(
      `INSERT INTO token (hash, organisation_id) VALUES (sha256(convert_to($1, 'UTF8')), 1)`,
      [token],
    );
    await client.query(
      `INSERT INTO supplier (code, organisation_id, is_ongoing, document_root)
       VALUES ('${SUPPLIER}', 1, true, 'bench'), ('${PENDING_SUPPLIER}', 1, true, 'bench-pending')`,
    );
    await client.query(
      `INSERT INTO account (supplier_id, external_number, service_number, created_at, open_from)
       SELECT s.id, ${accountNumberSql('i')}, ${whenImported(SERVICE_NUMBER)}, ${whenImported('now()')},
              ${whenImported(`'${OPEN_STATEMENT_FROM}'::date`)}
         FROM supplier s, generate_series(0, ${ACCOUNTS - 1}) AS i`,
    );
    await client.query('VACUUM ANALYZE');
  });
  const server = await startComparison(postgres, name, program, url);
  return contender(name, url, token, server, FLOOR_TABLES);
}

async function startTutorial(postgres: BenchPostgres): Promise<Contender> {
  const url = await postgres.createDatabase('bench_tutorial');
  const token = randomBytes(32).toString('base64url');
  // It makes its tables itself when it starts.
  const server = await startComparison(postgres, 'tutorial', 'tutorial/main.js', url);
  try {
    await withClient(url, async (client) => {
      await client.query(`INSERT INTO organisation (name) VALUES ('Bench')`);
      await client.query(`INSERT INTO token (value, "organisationId") SELECT $1, id FROM organisation`, [
        token,
      ]);
      await client.query(
        `INSERT INTO supplier (code, "documentRoot", "organisationId")
         SELECT v.code, v.root, o.id
           FROM organisation o, (VALUES ('${SUPPLIER}', 'bench'), ('${PENDING_SUPPLIER}', 'bench-pending')) AS v (code, root)`,
      );
      await client.query(
        `INSERT INTO account ("supplierId", "externalAccountNumber", "serviceAccountNumber", "accountCreatedAt",
                              "openStatementFrom")
         SELECT s.id, ${accountNumberSql('i')}, ${whenImported(SERVICE_NUMBER)}, ${whenImported('now()')},
                ${whenImported(`'${OPEN_STATEMENT_FROM}'::date`)}
           FROM supplier s, generate_series(0, ${ACCOUNTS - 1}) AS i`,
      );
      await client.query('VACUUM ANALYZE');
    });
    return contender('tutorial', url, token, server, TUTORIAL_TABLES);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const SERVICE_NUMBER = `'A-' || upper(lpad(to_hex(i), 8, '0'))`;

/** SQL of a value that the accounts of {@link SUPPLIER} have, and nothing for those of the other one. */
function whenImported(value: string): string {
  return `CASE WHEN s.code = '${SUPPLIER}' THEN ${value} END`;
}

function startComparison(
  postgres: BenchPostgres,
  name: string,
  program: string,
  url: string,
): Promise<RunningServer> {
  return startServer({
    program: join(HERE, 'servers', program),
    settings: { DATABASE_URL: url },
    folder: postgres.folder,
    logFile: join(postgres.folder, `${name}.log`),
  });
}

function contender(
  name: string,
  databaseUrl: string,
  token: string,
  { origin, pid, stop }: RunningServer,
  { rows, accounts, externalNumber, serviceNumber }: Tables,
): Contender {
  return {
    name,
    origin,
    token,
    pid,
    databaseUrl,
    stored: async (what) => {
      const [table, summand] = rows[what];
      const text = `SELECT count(*)::integer AS count, coalesce(sum(${summand}), 0)::float8 AS total FROM ${table}`;
      const [stored] = (await query(databaseUrl, text)) as [Rows];
      return stored;
    },
    serviceNumbers: async () => {
      const text = `SELECT ${externalNumber} AS external, ${serviceNumber} AS service FROM ${accounts} WHERE ${serviceNumber} IS NOT NULL`;
      const numbers = (await query(databaseUrl, text)) as { external: string; service: string }[];
      return new Map(numbers.map(({ external, service }) => [external, service]));
    },
    stop,
  };
}
