import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg, { type QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import { platformSubject, TokenService } from '../../src/auth/token.service.js';
import { Clock } from '../../src/infrastructure/clock/clock.js';
import { createLogger } from '../../src/infrastructure/log/logger.js';
import { documentFolder } from '../../src/infrastructure/config/data-folder.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import type { Environment } from '../../src/infrastructure/config/settings.js';
import { createApp } from '../../src/apps/http/create-app.js';
import type { PressureLimits } from '../../src/apps/http/plugins/pressure.plugin.js';
import {
  CONNECTION_TIMEOUTS,
  ServiceServer,
  type ConnectionTimeouts,
} from '../../src/apps/http/service-server.js';
import { createDatabase, type TestDatabase } from './database.js';

/** A response of the service. */
export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface AccountPair {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

/** Signs the tokens of every service that the tests start. */
export const TOKEN_SIGNING_KEY = 'a signing key that only the tests know';

/** A caller of a service. */
export interface TestClient {
  readonly post: <Body = unknown>(
    path: string,
    token: string,
    payload: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply<Body>>;
  readonly get: <Body = unknown>(path: string, token: string) => Promise<Reply<Body>>;
  /** Send any request below `/v1/data-import/` or to an absolute path. */
  readonly call: <Body = unknown>(path: string, init?: RequestInit) => Promise<Reply<Body>>;
}

/** The real service on its own port, with its own database. */
export interface TestService extends TestClient {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly app: NestFastifyApplication;
  readonly given: Given;
  readonly stop: () => Promise<void>;
}

/** Off, because event loop and heap are shared with Jest, which compiles test files for seconds. */
const WITHOUT_PRESSURE: PressureLimits = { maxEventLoopDelay: 3_600_000, maxHeapUsedBytes: Infinity };

/** Parts that a test may share with a service or replace in it. */
export interface TestServiceParts {
  /** The database of another instance; it is kept when this service stops. */
  readonly database?: TestDatabase;
  readonly logger?: Logger;
  /** Maps the database's address to one through a proxy. */
  readonly throughProxy?: (databaseUrl: string) => string;
  /** Values that the settings would refuse, such as very short times. */
  readonly environment?: Partial<Environment>;
  readonly timeouts?: Partial<ConnectionTimeouts>;
  readonly pressure?: PressureLimits;
  readonly beforeListening?: (app: NestFastifyApplication) => void;
}

/** @param settings environment variables in addition to the defaults */
export async function startService(
  settings: Record<string, string> = {},
  {
    database: shared,
    logger,
    throughProxy = (url) => url,
    environment: values,
    timeouts,
    pressure = WITHOUT_PRESSURE,
    beforeListening,
  }: TestServiceParts = {},
): Promise<TestService> {
  const database = shared ?? (await createDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'data-import-test-data-'));
  await mkdir(documentFolder(dataDir));
  const environment = {
    ...readEnvironment({
      DATABASE_URL: database.url,
      TOKEN_SIGNING_KEY,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      SANDBOX_VENDOR: 'on',
      ...settings,
    }),
    ...values,
  };
  const app = await createApp({
    environment,
    databaseUrl: throughProxy(database.url),
    logger: logger ?? createLogger(environment.LOG_LEVEL),
    server: new ServiceServer({ ...CONNECTION_TIMEOUTS, ...timeouts }),
    pressure,
  });
  beforeListening?.(app);
  await app.listen(0, '127.0.0.1');
  const baseUrl = (await app.getUrl()).replace('[::1]', '127.0.0.1');

  return {
    baseUrl,
    database,
    app,
    given: new Given(database, app.get(TokenService, { strict: false })),
    ...clientOf(baseUrl),
    stop: async () => {
      await app.close();
      if (!shared) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @param baseUrl where a service listens */
export function clientOf(baseUrl: string): TestClient {
  const call = async <Body>(path: string, init: RequestInit = {}): Promise<Reply<Body>> => {
    const response = await fetch(
      path.startsWith('/') ? baseUrl + path : `${baseUrl}/v1/data-import/${path}`,
      init,
    );
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
    };
  };
  return {
    call,
    get: (path, token) => call(path, { headers: { authorization: `Token ${token}` } }),
    post: (path, token, payload, headers) =>
      call(path, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json', ...headers },
        body: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
  };
}

/** The database of a service. On a single node `imports` may be missing. Unless `isDistributed` is false, each call takes one statement. */
type ServiceDatabase = Pick<TestDatabase, 'sql'> & Partial<Pick<TestDatabase, 'imports' | 'isDistributed'>>;

/** Test data for services that run in other processes. */
export function givenIn(database: Pick<TestDatabase, 'url'> & ServiceDatabase): Given {
  const environment = readEnvironment({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY });
  return new Given(database, new TokenService(new Clock(environment), environment));
}

/** A caller and the supplier granted to it. */
export interface World {
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly token: string;
  readonly supplier: string;
}

/** The open statement period of an account, both days included. */
interface Period {
  readonly from?: string;
  readonly to?: string | null;
}

/** A platform token and the id of its key. */
export interface PlatformToken {
  readonly keyId: string;
  readonly token: string;
}

/** Creates test data with unique names, which no other test shares. */
export class Given {
  constructor(
    private readonly database: ServiceDatabase,
    private readonly tokens: TokenService,
  ) {}

  /** Create an organisation with a token and one supplier granted to it. */
  async supplier(columns: Record<string, unknown> = {}): Promise<World> {
    const [name, supplier] = [unique('Organisation'), unique('SUPPLIER')];
    const values = { code: supplier, name: supplier, document_root: `root of ${supplier}`, ...columns };
    const caller = await this.caller(
      name,
      `INSERT INTO import_supplier (${Object.keys(values).join(', ')})
       VALUES (${Object.values(values).map(literal).join(', ')})`,
      `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
       SELECT s.id, o.id
         FROM import_supplier s, organisation o
        WHERE s.code = ${literal(supplier)} AND o.name = ${literal(name)}`,
    );
    return { ...caller, supplier };
  }

  async organisation(): Promise<Omit<World, 'supplier'>> {
    return this.caller(unique('Organisation'));
  }

  /** Issue a platform token with a new key. @param supplier code of the only supplier that it may read; all by default */
  async platformToken({ supplier }: { readonly supplier?: string } = {}): Promise<PlatformToken> {
    const [one] = await this.database.sql<{ id: number }>('SELECT id FROM import_supplier WHERE code = $1', [
      supplier,
    ]);
    const [made] = await this.database.sql<{ id: string; expires_at: Date }>(
      `INSERT INTO platform_key (handle, key_hash, name, import_supplier_id, expires_at)
       VALUES ($1, $2, 'test', $3, now() + interval '1 day')
       RETURNING id, expires_at`,
      [unique('handle'), randomBytes(32), one?.id ?? null],
    );
    const keyExpiresAt = Math.ceil(made!.expires_at.getTime() / 1_000);
    const subject = platformSubject(made!.id, keyExpiresAt);
    return { keyId: made!.id, token: this.tokens.issue('access', subject).token };
  }

  async grant(supplier: string, organisationId: string): Promise<void> {
    await this.database.sql(
      `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
       SELECT id, $2 FROM import_supplier WHERE code = $1`,
      [supplier, organisationId],
    );
  }

  /** Create an account that is only staged. */
  async stagedAccount(world?: World, number = unique('account')): Promise<World & { ref: AccountPair }> {
    const owner = world ?? (await this.supplier());
    await this.run(staged(owner.supplier, number), change(owner.supplier, 'pending', 'VALUES (1)'));
    return { ...owner, ref: { import_supplier: owner.supplier, external_account_number: number } };
  }

  /** Create an imported account with the given open statement period. */
  async importedAccount({
    world,
    number = unique('account'),
    ...period
  }: Period & { world?: World; number?: string } = {}): Promise<
    World & { ref: AccountPair; serviceAccountNumber: string }
  > {
    const owner = world ?? (await this.supplier());
    const [serviceAccountNumber = ''] = await this.importedAccounts(owner, [number], period);
    return {
      ...owner,
      ref: { import_supplier: owner.supplier, external_account_number: number },
      serviceAccountNumber,
    };
  }

  /** Create several imported accounts of a supplier. @returns their service account numbers */
  async importedAccounts(
    { supplier }: Pick<World, 'supplier'>,
    numbers: readonly string[],
    { from = '2026-01-01', to = null }: Period = {},
  ): Promise<string[]> {
    if (numbers.length === 0) return [];
    const drawn = await this.run<{ number: string }>(
      staged(supplier, ...numbers),
      `SELECT next_service_account_number() AS number FROM generate_series(1, ${numbers.length})`,
    );
    const serviceAccountNumbers = drawn.map(({ number }) => number);
    const { sql, imports = sql } = this.database;
    await imports(
      `WITH account AS (SELECT * FROM unnest($2::text[], $3::text[]) AS account (number, service_number)),
            changed AS (
         INSERT INTO supplier_change (import_supplier_id, external_account_number, type, imported)
         SELECT s.id, account.number, 'account.imported', 1 FROM account, import_supplier s WHERE s.code = $1
       )
       UPDATE account_import a
          SET status = 'imported', service_account_number = account.service_number, account_created_at = now(),
              open_statement_from = $4, open_statement_to = $5
         FROM import_supplier s, account
        WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = account.number`,
      [supplier, numbers, serviceAccountNumbers, from, to],
    );
    return serviceAccountNumbers;
  }

  /** Record a change of the totals, as the service would with rows that a test inserts itself. */
  async changed(supplier: string, columns: string, values: string): Promise<void> {
    await this.run(change(supplier, columns, values));
  }

  /** Create an organisation with a key and a token. @param more statements that need the organisation */
  private async caller(name: string, ...more: string[]): Promise<Omit<World, 'supplier'>> {
    const handle = literal(unique('handle'));
    const [made] = await this.run<{ organisation_id: string; id: string }>(
      `INSERT INTO organisation (name) VALUES (${literal(name)})`,
      `INSERT INTO api_key (organisation_id, handle, key_hash, label)
       SELECT id, ${handle}, ${literal(`\\x${randomBytes(32).toString('hex')}`)}, 'test'
         FROM organisation
        WHERE name = ${literal(name)}`,
      ...more,
      `SELECT organisation_id, id FROM api_key WHERE handle = ${handle}`,
    );
    const caller = { organisationId: made!.organisation_id, apiKeyId: made!.id };
    return {
      ...caller,
      token: this.tokens.issue('access', { sub: caller.organisationId, key: caller.apiKeyId, gen: 1 }).token,
    };
  }

  /** A single node runs all statements in one call, because tests create thousands of rows. @returns the rows of the last one */
  private async run<Row extends QueryResultRow>(...statements: string[]): Promise<Row[]> {
    const { sql, isDistributed = true } = this.database;
    if (!isDistributed) return sql<Row>(statements.join(';\n'));
    let rows: Row[] = [];
    for (const statement of statements) rows = await sql<Row>(statement);
    return rows;
  }
}

/** A statement that stages accounts. */
function staged(supplier: string, ...numbers: string[]): string {
  return `INSERT INTO account_import (import_supplier_id, external_account_number)
          SELECT id, unnest(ARRAY[${numbers.map(literal).join(', ')}]) FROM import_supplier WHERE code = ${literal(supplier)}`;
}

/** A statement that records a change of the totals. */
function change(supplier: string, columns: string, values: string): string {
  return `INSERT INTO supplier_change (import_supplier_id, ${columns})
          SELECT s.id, changed.* FROM import_supplier s, (${values}) AS changed WHERE s.code = ${literal(supplier)}`;
}

function literal(value: unknown): string {
  return pg.escapeLiteral(String(value));
}

/** A name that nothing else has. */
export function unique(what: string): string {
  return `${what}-${randomBytes(6).toString('hex')}`;
}
