import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ERRORS, type ErrorCode } from '../../src/infrastructure/errors/errors.js';
import { expectDatabaseAddress } from '../../src/infrastructure/config/database-address.js';
import { databaseTls } from '../../src/infrastructure/config/database-tls.js';
import { documentStore } from '../../src/infrastructure/config/document-store-setting.js';
import { bodies, documents, payloads, rawRequests } from '../support/fuzz-input.js';
import type { GraphqlBody } from '../support/graphql.js';
import { SOAK_SECONDS } from '../support/runs.js';
import { describeOpenApi, type OpenApi } from '../support/open-api.js';
import { validatorOf } from '../support/schema-validator.js';
import {
  startService,
  type Reply,
  type TestService,
  type World,
  type AccountPair,
} from '../support/service.js';

const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
/** They share the time; each completes its current round of examples. */
const PARTS = 7;
const EXAMPLES = 30;
const EXAMPLE_MAX_MS = 20_000;
/** Allowance for caches, pools and compiled code. A leak of a kilobyte per request exceeds it after a few minutes. */
const HEAP_GROWTH_MAX_BYTES = 48 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let service: TestService;
let world: World & { ref: AccountPair };
let document: OpenApi;
let heapBefore: number;
/** Request ids of refused imports. */
const refused: string[] = [];

const heap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

beforeAll(async () => {
  process.stdout.write(`FUZZ_SEED=${SEED}\n`);
  service = await startService({
    PAYMENT_VENDOR_TIMEOUT_MS: '200',
    TOKEN_FAILURES_PER_MINUTE: '1000000',
    LOG_LEVEL: 'silent',
  });
  world = await service.given.importedAccount();
  document = await describeOpenApi();
  heapBefore = heap();
});
afterAll(async () => {
  await service.stop();
});

/** Try rounds of examples until they are enough and the time of one part is over. A failing example is shrunk and printed. */
async function forEach<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<void>,
  isEnough = (): boolean => true,
): Promise<void> {
  const endsAtMs = performance.now() + (SOAK_SECONDS / PARTS) * 1_000;
  let tried = 0;
  const property = fc.asyncProperty(examples, async (example) => {
    tried += 1;
    await holds(example);
  });
  for (let seed = SEED; seed === SEED || performance.now() < endsAtMs || !isEnough(); seed += 1) {
    await fc.assert(property, { seed, numRuns: EXAMPLES, timeout: EXAMPLE_MAX_MS, endOnFailure: false });
  }
  const grown = Math.round((heap() - heapBefore) / 1024);
  process.stdout.write(
    `${expect.getState().currentTestName}: ${tried} examples; the heap has grown by ${grown} KiB since the start\n`,
  );
}

const TIMEOUT_MS = (SOAK_SECONDS / PARTS) * 1_000 + 300_000;

/** Expect the documented form of an error, with its code and status. */
function expectDocumented({ status, body }: Pick<Reply, 'status' | 'body'>): void {
  const { code, detail, errors } = body as { code: ErrorCode; detail: string; errors: unknown };
  expect({ code, status: (ERRORS[code] as { status?: number } | undefined)?.status }).toEqual({
    code,
    status,
  });
  expect([typeof detail, Array.isArray(errors)]).toEqual(['string', true]);
  if (status >= 500) expect(code).toBe('payment_vendor_unavailable');
}

describe('random input', () => {
  it.each(
    ['notes', 'transactions', 'historical-statements', 'payment-instruction'].map(
      (kind) => `${kind}/create/`,
    ),
  )(
    'as the body of %s is answered as the OpenAPI document says (T2, T4, P4)',
    async (path) => {
      const operation = document.paths[`/v1/data-import/${path}`]!.post!;
      const { example } = operation.requestBody!.content['application/json'];
      const validators = new Map<string, ReturnType<typeof validatorOf>>();
      let [count, stored] = [0, 0];
      const payload = payloads(example as object).map((value) =>
        typeof value === 'object' && value !== null ? { ...value, ...world.ref } : value,
      );
      const query = fc.constantFrom('', '?dry_run=true', '?dry_run=maybe');
      const holds = async ([body, search]: [string, string]): Promise<void> => {
        const id = `fuzz-${path.slice(0, 4)}-${(count += 1)}`;
        const reply = await service.post(path + search, world.token, body, { 'x-request-id': id });
        if (reply.status === 201) stored += 1;
        else {
          expectDocumented(reply);
          refused.push(id);
        }
        const response = operation.responses[reply.status];
        expect([reply.status, response !== undefined]).toEqual([reply.status, true]);
        const key = String(reply.status);
        const validate =
          validators.get(key) ??
          validatorOf({
            ...(response!.content['application/json'].schema as object),
            components: document.components,
          });
        validators.set(key, validate);
        expect(validate(reply.body) ? [] : validate.errors).toEqual([]);
      };
      // Otherwise the examples would only show how invalid payloads are refused.
      await forEach(fc.tuple(bodies(payload), query), holds, () => stored > 0);
      process.stdout.write(`${path}: ${count} requests, ${stored} of them accepted\n`);
    },
    TIMEOUT_MS,
  );

  it(
    'as the bytes of a request is answered with a documented error, or the connection ends (T2)',
    async () => {
      await forEach(rawRequests(world.token), async (request) => {
        const { status, body } = await exchange(request);
        if (status === undefined || status < 300) return;
        const isGraphql = body?.startsWith('{"errors"') === true;
        expect(status).toBeLessThan(500);
        if (!isGraphql && body !== undefined) expectDocumented({ status, body: JSON.parse(body) as unknown });
      });
    },
    TIMEOUT_MS,
  );

  it(
    'as a GraphQL document is answered with documented codes (A2, A9)',
    async () => {
      const batches = documents().map((query) => [{ query }, { query }]);
      const operations = documents().map((query) => ({ query, variables: { x: null } }));
      const bodyText = bodies(fc.oneof({ weight: 9, arbitrary: operations }, batches));
      await forEach(fc.tuple(bodyText, fc.boolean()), async ([body, hasToken]) => {
        const reply = await service.call<GraphqlBody>('/v1/graphql/', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(hasToken && { authorization: `Token ${world.token}` }),
          },
          body,
        });
        expect([200, 400, 413]).toContain(reply.status);
        const codes = (reply.body.errors ?? []).map(({ extensions }) => extensions.code);
        if (reply.status !== 200) expect(codes).not.toEqual([]);
        expect(codes.filter((code) => typeof code !== 'string' || code === 'INTERNAL_SERVER_ERROR')).toEqual(
          [],
        );
        // A valid forced re-authentication revokes the token.
        if (codes.includes('TOKEN_REVOKED') || body.includes('forceReauthentication')) await renewToken();
      });
    },
    TIMEOUT_MS,
  );

  it(
    'as an address is refused with a sentence that does not repeat it (section 6)',
    async () => {
      const part = fc.oneof(
        fc.constantFrom(
          ...[
            'postgres://',
            's3://',
            'file:///',
            'u:HIDDEN@',
            'a',
            ',',
            ':5432',
            '/db',
            '?',
            '&',
            '=',
            '%',
            '#',
          ],
        ),
        fc.constantFrom(
          ...['sslmode=', 'require', 'sslrootcert=system', 'host=', '[::1]', 'endpoint=http://x', 'region='],
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      );
      await forEach(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          for (const read of [expectDatabaseAddress, documentStore, tlsOf]) {
            try {
              read(text);
            } catch (error) {
              // Any other error, such as a TypeError, is a bug.
              expect((error as Error).message).not.toContain('HIDDEN');
              expect((error as Error).name).toBe('Error');
            }
          }
          return Promise.resolve();
        },
      );
    },
    TIMEOUT_MS,
  );
});

describe('after all of it', () => {
  it('nothing of a refused request is stored, and nothing without its request (T2)', async () => {
    const stored = await service.database.sql('SELECT FROM import_request WHERE request_id = ANY ($1)', [
      refused,
    ]);
    expect(stored).toEqual([]);
    for (const table of ['note', 'transaction', 'statement', 'payment_instruction']) {
      const orphans = await service.database.sql(
        `SELECT FROM ${table} item WHERE NOT EXISTS (SELECT FROM import_request r WHERE r.id = item.import_request_id)`,
      );
      expect([table, orphans.length]).toEqual([table, 0]);
    }
  });

  it('the service answers, and its memory is back where it was', async () => {
    const { token, ref } = await service.given.importedAccount();
    const reply = await service.post('notes/create/', token, { ...ref, notes: [{ body: 'Still alive' }] });
    expect(reply.status).toBe(201);
    refused.length = 0;
    const grown = heap() - heapBefore;
    process.stdout.write(`the heap has grown by ${Math.round(grown / 1024)} KiB\n`);
    expect(grown).toBeLessThan(HEAP_GROWTH_MAX_BYTES);
  });
});

function tlsOf(text: string): unknown {
  expectDatabaseAddress(text);
  return databaseTls(text, {});
}

async function renewToken(): Promise<void> {
  world = await service.given.importedAccount();
}

/** Send bytes, half-close the connection, and read until the service closes it. */
function exchange(request: string): Promise<{ status?: number; body?: string }> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(request));
    socket.on('data', (chunk) => received.push(chunk));
    // The service may reset the connection while the rest of a refused request is still in flight.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      const text = Buffer.concat(received).toString('utf8');
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]) || undefined;
      const isJson =
        /^content-type: application\/json/im.test(head) &&
        !/^(content-encoding|transfer-encoding):/im.test(head);
      const isComplete = body !== '' && /^\{.*\}$/.test(body);
      resolve({ ...(status !== undefined && { status }), ...(isJson && isComplete && { body }) });
    });
  });
}
