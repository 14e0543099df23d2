import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, startServer, type RunningServer } from './child.js';
import { query, withClient, type BenchPostgres } from './postgres.js';
import type { Rows, ServiceNumbers, Stored } from './scenarios.js';
import { FLOOR_SCHEMA } from './servers/floor/schema.js';
import {
  ACCOUNTS,
  OPEN_STATEMENT_FROM,
  ORGANISATION,
  PENDING_SUPPLIER,
  SUPPLIER,
  accountNumber,
  accountNumberSql,
  writeLines,
} from './fixture.js';

/** A measured server, with its own process and its own database. */
export interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
  /** postgres:// address of its database. */
  readonly databaseUrl: string;
  /** Its database servers, where they are not the one of the run; none when their processor time cannot be read. */
  readonly databasePids?: readonly number[];
  /** The rows of a kind in its database. */
  readonly stored: (what: Stored) => Promise<Rows>;
  readonly serviceNumbers: () => Promise<ServiceNumbers>;
  readonly stop: () => Promise<void>;
}

export const CONTENDERS = ['service', 'floor', 'tutorial', 'floor-behind-nest'] as const;
/** The contenders unless others are named. */
export const USUAL_CONTENDERS: readonly ContenderName[] = ['service', 'floor', 'tutorial'];
/** The build of the checkout that `--against` names; measured with `service` alone. */
export const OLD_SERVICE = 'service-old';
export type ContenderName = (typeof CONTENDERS)[number] | typeof OLD_SERVICE;

/** Folder of the compiled benchmark, three levels below the project's (scripts/prepare.mjs). */
export const HERE = fileURLToPath(new URL('.', import.meta.url));
export const PROJECT = join(HERE, '..', '..', '..');

/** The longest that the service accepts, so that no token expires during a run. */
const TOKEN_TTL_SECONDS = 86_400;

/** An operator command that takes longer has failed. */
const COMMAND_TIMEOUT_MIN_MS = 60_000;
const COMMAND_TIMEOUT_PER_ACCOUNT_MS = 1;

/** The tables and columns that are compared with a server's answers. */
interface Tables {
  /** Of each kind of row: its table, and the expression that is summed. */
  readonly rows: Readonly<Record<Stored, readonly [table: string, summand: string]>>;
  readonly accounts: string;
  readonly externalNumber: string;
  readonly serviceNumber: string;
}

/** Every build that `--against` may name must have these. */
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

/**
 * Create a contender's database with the common accounts and start its server.
 *
 * @param checkout folder whose build of the service is started
 */
export async function startContender(
  name: ContenderName,
  postgres: BenchPostgres,
  checkout = PROJECT,
): Promise<Contender> {
  switch (name) {
    case 'service':
    case OLD_SERVICE: {
      const database = `bench_${name.replaceAll('-', '_')}`;
      return serve(postgres, name, await createServiceDatabase(postgres, database, ACCOUNTS, checkout));
    }
    case 'floor':
      return startFloor(postgres, name, 'floor/main.js');
    case 'floor-behind-nest':
      return startFloor(postgres, name, 'floor/behind-nest.js');
    case 'tutorial':
      return startTutorial(postgres);
  }
}

/** A database that a build of the service has created, and what is needed to run that build on it. */
export interface ServiceDatabase {
  readonly url: string;
  /** Folder of the checkout whose build has created it. */
  readonly checkout: string;
  readonly apiKey: string;
  /** As in production: with metrics and a log. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Create a database with the operator commands of a build, because another build may have another schema.
 *
 * @param accounts imported ones of {@link SUPPLIER}; {@link PENDING_SUPPLIER} has as many pending ones, at most 10,000
 */
export async function createServiceDatabase(
  postgres: BenchPostgres,
  database: string,
  accounts: number,
  checkout = PROJECT,
): Promise<ServiceDatabase> {
  const url = await postgres.createDatabase(database);
  const settings = {
    DATABASE_URL: url,
    TOKEN_SIGNING_KEY: randomBytes(32).toString('hex'),
    TOKEN_TTL_SECONDS: String(TOKEN_TTL_SECONDS),
    DATA_DIR: join(postgres.folder, `${database}-data`),
    PORT: '0',
    METRICS_PORT: '0',
    SANDBOX_VENDOR: 'on',
    LOG_LEVEL: 'info',
  };
  const operate = (...words: string[]): Promise<CommandResult> =>
    operatorCommand({ checkout, settings }, words, accounts);
  await operate('database', 'migrate');
  await operate('organisation', 'create', ORGANISATION);
  const { answer } = await operate('api-key', 'issue', ORGANISATION);
  const records = join(postgres.folder, `${database}.ndjson`);
  for (const [code, count] of [
    [SUPPLIER, accounts],
    [PENDING_SUPPLIER, Math.min(accounts, ACCOUNTS)],
  ] as const) {
    await writeLines(records, count, (position) =>
      JSON.stringify({
        external_account_number: accountNumber(position),
        open_statement_from: OPEN_STATEMENT_FROM,
      }),
    );
    await operate('supplier', 'create', code, '--name', code, '--organisation', ORGANISATION);
    await operate('accounts', 'stage', code, records);
  }
  await rm(records);
  // One importer, so that the rows of every build are stored in the same order.
  const { answer: imported } = await operate('accounts', 'import', SUPPLIER, '--concurrency', '1');
  if (imported.imported !== accounts) throw new Error(`accounts import: ${JSON.stringify(imported)}`);
  await query(url, 'VACUUM ANALYZE');
  return { url, checkout, apiKey: answer.key as string, settings };
}

/** The JSON that an operator command printed, and how long its process ran. */
export interface CommandResult {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly seconds: number;
}

/**
 * Run an operator command of a build.
 *
 * @param accounts how many accounts it processes, which determines its time limit
 * @throws Error with its output when it fails
 */
export async function operatorCommand(
  { checkout, settings }: Pick<ServiceDatabase, 'checkout' | 'settings'>,
  words: readonly string[],
  accounts: number,
): Promise<CommandResult> {
  const { exitCode, stdout, stderr, seconds } = await runCommand(
    [join(checkout, 'scripts', 'cli.mjs'), ...words, '--json'],
    settings,
    COMMAND_TIMEOUT_MIN_MS + accounts * COMMAND_TIMEOUT_PER_ACCOUNT_MS,
  );
  if (exitCode !== 0) throw new Error(`${words.join(' ')} failed in ${checkout}: ${stdout}${stderr}`);
  return { answer: JSON.parse(stdout) as CommandResult['answer'], seconds };
}

/** Path of a build's program below its checkout. */
export const SERVICE_PROGRAM = join('dist', 'src', 'main.js');

/** Start the build that has created the database. */
export async function serve(
  postgres: BenchPostgres,
  name: string,
  { url, checkout, apiKey, settings }: ServiceDatabase,
): Promise<Contender> {
  const server = await startServer({
    program: join(checkout, SERVICE_PROGRAM),
    settings,
    folder: postgres.folder,
    logFile: join(postgres.folder, `${name}.log`),
  });
  try {
    return contender(name, url, await obtainToken(server.origin, apiKey), server, SERVICE_TABLES);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Exchange an API key for a token. */
export async function obtainToken(origin: string, apiKey: string): Promise<string> {
  const mutation = 'mutation ($apiKey: String!) { obtainServiceToken(input: { apiKey: $apiKey }) { token } }';
  const response = await fetch(`${origin}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: mutation, variables: { apiKey } }),
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data?: { obtainServiceToken?: { token: string } } | null };
  if (!data?.obtainServiceToken) throw new Error(`No token was issued: ${text}`);
  return data.obtainServiceToken.token;
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
  // The server creates its tables when it starts.
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

/** SQL of a value for the accounts of {@link SUPPLIER}, and NULL for those of {@link PENDING_SUPPLIER}. */
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
