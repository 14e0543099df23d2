import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { TokenService } from '../../src/auth/token.service.js';
import { Clock } from '../../src/common/clock.js';
import { createLogger } from '../../src/common/logger.js';
import { documentFolder } from '../../src/config/data-folder.js';
import { readEnvironment } from '../../src/config/env.js';
import type { Environment } from '../../src/config/settings.js';
import { createApp } from '../../src/http/create-app.js';
import {
  CONNECTION_TIMEOUTS,
  ServiceServer,
  type ConnectionTimeouts,
} from '../../src/http/service-server.js';
import { createDatabase, type TestDatabase } from './database.js';

/** What a call answered. */
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
  readonly post: <Body = unknown>(path: string, token: string, payload: unknown) => Promise<Reply<Body>>;
  readonly get: <Body = unknown>(path: string, token: string) => Promise<Reply<Body>>;
  /** Any request below `/v1/data-import/`, or at an absolute path. */
  readonly call: <Body = unknown>(path: string, init?: RequestInit) => Promise<Reply<Body>>;
}

/** The real service on a port of its own and a database of its own. */
export interface TestService extends TestClient {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly app: NestFastifyApplication;
  readonly given: Given;
  readonly stop: () => Promise<void>;
}

/** What a test may share with a service, or replace in it. */
export interface TestServiceParts {
  /** Another instance's database; it stays when this service stops. */
  readonly database?: TestDatabase;
  readonly logger?: Logger;
  /** Changes the address under which the service reaches its database. */
  readonly throughProxy?: (databaseUrl: string) => string;
  /** Values that the settings do not accept, such as very short times. */
  readonly environment?: Partial<Environment>;
  readonly timeouts?: Partial<ConnectionTimeouts>;
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
    post: (path, token, payload) =>
      call(path, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
  };
}

/** The database of a service; without `imports` on a single node. */
type ServiceDatabase = Pick<TestDatabase, 'sql'> & Partial<Pick<TestDatabase, 'imports'>>;

/** What a test can give to services that run in other processes. */
export function givenIn(database: Pick<TestDatabase, 'url'> & ServiceDatabase): Given {
  const environment = readEnvironment({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY });
  return new Given(database, new TokenService(new Clock(environment), environment));
}

/** A caller, and the supplier that is granted to it. */
export interface World {
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly token: string;
  readonly supplier: string;
}

/** Creates data that no other test shares. */
export class Given {
  constructor(
    private readonly database: ServiceDatabase,
    private readonly tokens: TokenService,
  ) {}

  /** An organisation with a token and one supplier granted to it. */
  async supplier(columns: Record<string, unknown> = {}): Promise<World> {
    const caller = await this.organisation();
    const supplier = unique('SUPPLIER');
    await this.database.sql(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, 'root of ' || $1)`,
      [supplier],
    );
    for (const [column, value] of Object.entries(columns)) {
      await this.database.sql(`UPDATE import_supplier SET ${column} = $2 WHERE code = $1`, [supplier, value]);
    }
    await this.grant(supplier, caller.organisationId);
    return { ...caller, supplier };
  }

  async organisation(): Promise<Omit<World, 'supplier'>> {
    const [organisation] = await this.database.sql<{ id: string }>(
      'INSERT INTO organisation (name) VALUES ($1) RETURNING id',
      [unique('Organisation')],
    );
    const [key] = await this.database.sql<{ id: string }>(
      `INSERT INTO api_key (organisation_id, handle, key_hash, label) VALUES ($1, $2, $3, 'test') RETURNING id`,
      [organisation!.id, unique('handle'), createHash('sha256').update(randomBytes(32)).digest()],
    );
    const subject = { organisationId: organisation!.id, apiKeyId: key!.id, tokenVersion: 1 };
    return {
      organisationId: subject.organisationId,
      apiKeyId: subject.apiKeyId,
      token: this.tokens.issue('access', subject).token,
    };
  }

  async grant(supplier: string, organisationId: string): Promise<void> {
    await this.database.sql(
      `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
       SELECT id, $2 FROM import_supplier WHERE code = $1`,
      [supplier, organisationId],
    );
  }

  /** An account that is staged only. */
  async stagedAccount(world?: World, number = unique('account')): Promise<World & { ref: AccountPair }> {
    const owner = world ?? (await this.supplier());
    await this.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT id, $2 FROM import_supplier WHERE code = $1`,
      [owner.supplier, number],
    );
    await this.changed(owner.supplier, 'pending', 'VALUES (1)');
    return { ...owner, ref: { import_supplier: owner.supplier, external_account_number: number } };
  }

  /** An imported account; its open statement period is that of the arguments, both days included. */
  async importedAccount(
    period: { from?: string; to?: string | null; world?: World; number?: string } = {},
  ): Promise<World & { ref: AccountPair; serviceAccountNumber: string }> {
    const staged = await this.stagedAccount(period.world, period.number);
    const [drawn] = await this.database.sql<{ number: string }>(
      'SELECT next_service_account_number() AS number',
    );
    const { number } = drawn!;
    const { sql, imports = sql } = this.database;
    await imports(
      `UPDATE account_import a
          SET status = 'imported', service_account_number = $3, account_created_at = now(),
              open_statement_from = $4, open_statement_to = $5
         FROM import_supplier s
        WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = $2`,
      [
        ...[staged.supplier, staged.ref.external_account_number, number],
        ...[period.from ?? '2026-01-01', period.to ?? null],
      ],
    );
    await this.changed(staged.supplier, 'pending, imported', 'VALUES (-1, 1)');
    return { ...staged, serviceAccountNumber: number };
  }

  /** What the service records with the rows that a test writes itself: a change of the totals. */
  async changed(supplier: string, columns: string, values: string): Promise<void> {
    await this.database.sql(
      `INSERT INTO supplier_change (import_supplier_id, ${columns})
       SELECT s.id, changed.* FROM import_supplier s, (${values}) AS changed WHERE s.code = $1`,
      [supplier],
    );
  }
}

/** A name that nothing else has. */
export function unique(what: string): string {
  return `${what}-${randomBytes(6).toString('hex')}`;
}
