import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { createDatabase } from './database.js';
import { freePort } from './free-port.js';
import { startHaproxy, type Haproxy, type HaproxyProgram } from './haproxy.js';
import { difference, ImportLoad } from './import-load.js';
import { spawnService, type ServiceProcess } from './service-process.js';
import { TOKEN_SIGNING_KEY, type Reply, type TestClient } from './service.js';

const CALLERS = 12;
/** Answered requests between two restarts. */
const REQUESTS_BETWEEN = 500;

/** What a rolling restart under load did to the requests. */
export interface RollingRestartFigures {
  /** How often an instance was stopped and started. */
  readonly restarts: number;
  readonly exitCodes: readonly (number | NodeJS.Signals)[];
  readonly requests: number;
  readonly answered: number;
  /** Everything that was answered instead of 201, and every connection that was lost. */
  readonly failures: readonly string[];
  /** Notes, transactions, statements and instructions: sent, stored, too few, too many. */
  readonly items: number;
  readonly stored: number;
  readonly lost: number;
  readonly doubled: number;
  readonly longestMs: number;
}

/**
 * Two instances with one database behind HAProxy, with deploy/haproxy.cfg, TLS and clients that keep their connections, one
 * half of them with HTTP/2. One instance after the other is stopped by SIGTERM and started again.
 *
 * @param seconds how long; the round that has begun is completed
 */
export async function rollingRestart(
  program: HaproxyProgram,
  seconds: number,
): Promise<RollingRestartFigures> {
  const [database, home] = await Promise.all([
    createDatabase(),
    mkdtemp(join(tmpdir(), 'data-import-rolling-')),
  ]);
  const ports = [await freePort(), await freePort()] as const;
  const settings = {
    DATABASE_URL: database.url,
    TOKEN_SIGNING_KEY,
    DATA_DIR: home,
    DOCUMENT_STORE: `file://${home}`,
    SANDBOX_VENDOR: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '5',
  };
  const start = (index: 0 | 1): ServiceProcess => spawnService({ ...settings, PORT: String(ports[index]) });
  const services: [ServiceProcess, ServiceProcess] = [start(0), start(1)];
  const exitCodes: (number | NodeJS.Signals)[] = [];
  let haproxy: Haproxy | undefined;
  try {
    await Promise.all(services.map((service) => service.listening()));
    haproxy = await startHaproxy(program, ports);
    const endsAtMs = performance.now() + seconds * 1_000;
    const load = await ImportLoad.start(clientsOf(haproxy), database, CALLERS);
    for (let round = 1; round === 1 || performance.now() < endsAtMs; round += 1) {
      for (const [index, name] of [
        [0, 'one'],
        [1, 'two'],
      ] as const) {
        await load.more(REQUESTS_BETWEEN);
        services[index].kill('SIGTERM');
        await haproxy.untilServerIs(name, 'DOWN', round);
        exitCodes.push(await services[index].ended);
        services[index] = start(index);
        await services[index].listening();
        await haproxy.untilServerIs(name, 'UP', round);
      }
    }
    await load.more(REQUESTS_BETWEEN);
    const result = await load.stop(database);
    const { requests, answered, failures, sent, stored, longestMs } = result;
    return {
      ...{ restarts: exitCodes.length, exitCodes, requests, answered, failures, longestMs },
      ...{ items: sent.length, stored: stored.length, ...difference(result) },
    };
  } finally {
    for (const service of services) service.kill('SIGTERM');
    await Promise.all(services.map(({ ended }) => ended));
    await haproxy?.stop();
    await database.drop();
    await rm(home, { recursive: true, force: true });
  }
}

/** Makes a client with one connection, which it keeps; every second one speaks HTTP/2. */
function clientsOf({ origin, ca }: Haproxy): () => Pick<TestClient, 'post'> {
  let made = 0;
  return () => {
    made += 1;
    const client = new Client(origin, { connect: { ca }, allowH2: made % 2 === 0 });
    return {
      post: async <Body>(path: string, token: string, payload: unknown): Promise<Reply<Body>> => {
        const { statusCode, headers, body } = await client.request({
          path: `/v1/data-import/${path}`,
          method: 'POST',
          headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(payload),
        });
        const retryAfter = headers['retry-after'];
        return {
          status: statusCode,
          headers: new Headers(typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {}),
          body: (await body.json()) as Body,
        };
      },
    };
  };
}
