import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { freePort } from '../free-port.js';
import { findHaproxy, startHaproxy, type Haproxy } from '../haproxy.js';
import type { ImportLoad, Poster } from '../import-load.js';
import { spawnService, type ServiceProcess } from '../service-process.js';
import { TOKEN_SIGNING_KEY, type Reply } from '../service.js';
import { startServer } from '../standby.js';
import type { Fault, FaultySite } from './scenario.js';

/**
 * Two instances with one database behind HAProxy, with deploy/haproxy.cfg and TLS. Clients keep their connections, and half of
 * them use HTTP/2. The faults stop one instance after the other by SIGTERM and restart it.
 */
export async function rollingRestart(): Promise<FaultySite> {
  const program = (await findHaproxy())!;
  const [database, home] = await Promise.all([
    startServer(),
    mkdtemp(join(tmpdir(), 'data-import-rolling-')),
  ]);
  const ports = [await freePort(), await freePort()] as const;
  const settings = {
    DATABASE_URL: `${database.url}?sslmode=disable`,
    TOKEN_SIGNING_KEY,
    DATA_DIR: home,
    DOCUMENT_STORE: `file://${home}`,
    SANDBOX_VENDOR: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '5',
  };
  const start = (index: 0 | 1): ServiceProcess => spawnService({ ...settings, PORT: String(ports[index]) });
  const services: [ServiceProcess, ServiceProcess] = [start(0), start(1)];
  await Promise.all(services.map((service) => service.listening()));
  const haproxy = await startHaproxy(program, ports);
  const clients: Client[] = [];
  const restart = (index: 0 | 1, name: 'one' | 'two'): Fault => {
    let times = 0;
    return async (load: ImportLoad) => {
      times += 1;
      services[index].kill('SIGTERM');
      await haproxy.untilServerIs(name, 'DOWN', times);
      const end = await services[index].ended;
      if (end !== 0) throw new Error(`The service ended with ${end}.`);
      services[index] = start(index);
      await services[index].listening();
      await haproxy.untilServerIs(name, 'UP', times);
      await load.more(1);
    };
  };
  return {
    connect: () => clientOf(haproxy, clients),
    database,
    faults: [restart(0, 'one'), restart(1, 'two')],
    stop: async () => {
      await Promise.all(clients.map((client) => client.destroy()));
      for (const service of services) service.kill('SIGTERM');
      await Promise.all(services.map(({ ended }) => ended));
      await haproxy.stop();
      await database.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A client with one persistent connection; every second one speaks HTTP/2. */
function clientOf({ origin, ca }: Haproxy, clients: Client[]): Poster {
  const client = new Client(origin, {
    connect: { ca },
    allowH2: clients.length % 2 === 1,
  });
  clients.push(client);
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
}
