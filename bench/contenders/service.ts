import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT, SERVICE_PROGRAM } from '../paths.js';
import { runCommand, startServer } from '../processes/child.js';
import { query, type BenchPostgres } from '../processes/postgres.js';
import { contender, type Contender } from './contender.js';
import { ACCOUNTS, ORGANISATION, PENDING_SUPPLIER, SUPPLIER, writeAccounts } from './fixture.js';

/** The maximum that the service accepts, so that no token expires during a run. */
const TOKEN_TTL_SECONDS = 86_400;

/** Timeout of an operator command. */
const COMMAND_TIMEOUT_MIN_MS = 60_000;
const COMMAND_TIMEOUT_PER_ACCOUNT_MS = 1;

/** A database created by a build of the service, with everything needed to run that build on it. */
export interface ServiceDatabase {
  readonly url: string;
  /** Folder of the checkout whose build created it. */
  readonly checkout: string;
  readonly apiKey: string;
  /** As in production: with metrics and a log. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Options for a database other than the usual one. */
export interface DatabaseOptions {
  /** Imported accounts of {@link SUPPLIER}. {@link PENDING_SUPPLIER} has as many pending ones, but at most 10,000. */
  readonly accounts?: number;
  /** Folder of the build that creates it. */
  readonly checkout?: string;
  /** Address of an existing empty database. */
  readonly url?: string;
}

/**
 * Create a database with the operator commands of a build, because another build may have a different schema. Only the
 * accounts are analyzed, as at the start of a migration: statistics of empty tables would lead to different plans
 * (docs/performance.md).
 */
export async function createServiceDatabase(
  postgres: BenchPostgres,
  name: string,
  { accounts = ACCOUNTS, checkout = PROJECT, url: given }: DatabaseOptions = {},
): Promise<ServiceDatabase> {
  const url = given ?? (await postgres.createDatabase(name));
  const settings = {
    DATABASE_URL: url,
    TOKEN_SIGNING_KEY: randomBytes(32).toString('hex'),
    TOKEN_TTL_SECONDS: String(TOKEN_TTL_SECONDS),
    DATA_DIR: join(postgres.folder, `${name}-data`),
    PORT: '0',
    METRICS_PORT: '0',
    SANDBOX_VENDOR: 'on',
    LOG_LEVEL: 'info',
  };
  const created = { url, checkout, settings };
  await operatorCommand(created, ['database', 'migrate']);
  const apiKey = await createOrganisation(created, ORGANISATION);
  const records = join(postgres.folder, `${name}.ndjson`);
  await createSupplier(created, SUPPLIER, ORGANISATION);
  await writeAccounts(records, accounts);
  await stageAccounts(created, SUPPLIER, records, accounts);
  await importAccounts(created, SUPPLIER, accounts);
  await createSupplier(created, PENDING_SUPPLIER, ORGANISATION);
  const pending = Math.min(accounts, ACCOUNTS);
  await writeAccounts(records, pending);
  await stageAccounts(created, PENDING_SUPPLIER, records, pending);
  await rm(records);
  await query(url, 'VACUUM ANALYZE account_import');
  return { ...created, apiKey };
}

/** A build and the settings of its database. */
type Built = Pick<ServiceDatabase, 'checkout' | 'settings'>;

/** @returns its API key */
export async function createOrganisation(database: Built, name: string): Promise<string> {
  await operatorCommand(database, ['organisation', 'create', name]);
  const { answer } = await operatorCommand(database, ['api-key', 'issue', name]);
  return answer.key as string;
}

export async function createSupplier(database: Built, code: string, organisation: string): Promise<void> {
  const granted = ['--name', code, '--organisation', organisation];
  await operatorCommand(database, ['supplier', 'create', code, ...granted]);
}

export async function stageAccounts(
  database: Built,
  code: string,
  file: string,
  accounts: number,
): Promise<void> {
  await operatorCommand(database, ['accounts', 'stage', code, file], accounts);
}

/** One importer imports the accounts, so that every build stores the rows in the same order. */
export async function importAccounts(database: Built, code: string, accounts: number): Promise<void> {
  const { answer } = await operatorCommand(
    database,
    ['accounts', 'import', code, '--concurrency', '1'],
    accounts,
  );
  if (answer.imported !== accounts) throw new Error(`accounts import: ${JSON.stringify(answer)}`);
}

/** The JSON that an operator command printed, and the duration of its process. */
export interface CommandResult {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly seconds: number;
}

/**
 * Run an operator command of a build.
 *
 * @param accounts number of accounts that it processes, which determines its timeout
 * @throws Error with its output when it fails
 */
export async function operatorCommand(
  { checkout, settings }: Built,
  words: readonly string[],
  accounts = 0,
): Promise<CommandResult> {
  const { stdout, seconds } = await runCommand(
    [join(checkout, 'scripts', 'cli.mjs'), ...words, '--json'],
    settings,
    COMMAND_TIMEOUT_MIN_MS + accounts * COMMAND_TIMEOUT_PER_ACCOUNT_MS,
  );
  return { answer: JSON.parse(stdout) as CommandResult['answer'], seconds };
}

/** Start the build that created the database. */
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
    return contender(name, url, await obtainToken(server.origin, apiKey), server);
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
