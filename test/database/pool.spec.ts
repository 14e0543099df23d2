import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { query, run, runForOne } from '../../src/database/query.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startProxy } from '../support/tcp-proxy.js';
import { waitUntil } from '../support/wait-until.js';

const ENVIRONMENT = { DATABASE_POOL_MAX: 4, DATABASE_STATEMENTS: 'prepared' } as const;
const WHO = query<{ pid: number }>('tests.pool-who', 'SELECT pg_backend_pid() AS pid, :text::text');
const WRITE = query('tests.pool-write', `INSERT INTO organisation (name) VALUES (:name)`);

/** An address of several hosts. @param ports of this machine, in the order in which they are tried */
function addressOf(databaseUrl: string, ports: readonly number[], parameters = ''): string {
  const { username, password, pathname } = new URL(databaseUrl);
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://${username}:${password}@${hosts}${pathname}?sslmode=disable${parameters}`;
}

/** A server on this machine. @returns its port */
async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the connections to one of several hosts', () => {
  let database: TestDatabase;
  let port: number;
  let source: DataSource | undefined;
  const servers: Server[] = [];

  beforeEach(async () => {
    database = await createDatabase();
    port = Number(new URL(database.url).port);
  });
  afterEach(async () => {
    await source?.destroy();
    source = undefined;
    for (const server of servers.splice(0)) server.close();
    await database.drop();
  });

  async function open(url: string, statementTimeoutMs?: number): Promise<UnitOfWork> {
    const use = statementTimeoutMs === undefined ? {} : { statementTimeoutMs };
    source = await new DataSource(dataSourceOptions(url, ENVIRONMENT, use)).initialize();
    return new UnitOfWork(source);
  }

  const readOnly = (value: 'on' | 'off'): Promise<unknown> =>
    database.sql(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
  const pidsOf = async (work: UnitOfWork, count: number): Promise<Set<number>> => {
    const pids = Array.from({ length: count }, () =>
      work.single((tx) => runForOne(tx, WHO, { text: '' }).then(({ pid }) => pid)),
    );
    return new Set(await Promise.all(pids));
  };

  it('pass over a host that refuses them, and one that accepts them and never answers (O7)', async () => {
    const silent = createServer();
    const silentSockets: Socket[] = [];
    silent.on('connection', (socket) => silentSockets.push(socket));
    const closed = createServer();
    servers.push(silent);
    const ports = [await listen(silent), await listen(closed), port];
    closed.close();
    const startMs = performance.now();
    const work = await open(addressOf(database.url, ports));
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect((await pidsOf(work, 4)).size).toBe(4);
    // One for the search; every other connection is made to the host that was found.
    expect(silentSockets).toHaveLength(1);
  });

  /** A server in front of PostgreSQL. @returns its port, and how many connections it has had */
  async function startPooler(
    change: (text: string) => string,
  ): Promise<{ port: number; count: () => number }> {
    let count = 0;
    const pooler = createServer((near) => {
      count += 1;
      const far = connect(port, '127.0.0.1');
      near.pipe(far);
      far.on('data', (chunk) => near.write(Buffer.from(change(chunk.toString('latin1')), 'latin1')));
      for (const socket of [near, far]) socket.on('error', () => undefined);
      far.on('close', () => near.destroy());
    });
    servers.push(pooler);
    return { port: await listen(pooler), count: () => count };
  }

  it('are asked where no report tells whether the server is a standby, as behind a pooler (O7)', async () => {
    const { port: near } = await startPooler((text) => text.replace('in_hot_standby', 'other_setting_'));
    await open(addressOf(database.url, [near], '&target_session_attrs=primary'));
    await source?.destroy();
    source = undefined;
    const standby = open(addressOf(database.url, [near], '&target_session_attrs=standby'));
    await expect(standby).rejects.toThrow(/no host fits .* \(it is not a standby\)$/);
  });

  it('are one more than with one host, which is not looked for (O7)', async () => {
    const { port: near, count } = await startPooler((text) => text);
    await open(addressOf(database.url, [near]));
    expect(count()).toBe(1);
    await source?.destroy();
    await open(addressOf(database.url, [near, port]));
    expect(count()).toBe(3);
  });

  it('are all made anew when the server accepts no changes any more, and the work is repeated (O7)', async () => {
    await readOnly('on');
    const work = await open(database.url);
    const before = await pidsOf(work, 4);
    expect(before.size).toBe(4);
    await readOnly('off');
    await work.write((tx) => run(tx, WRITE, { name: 'x' }));
    const after = await pidsOf(work, 4);
    expect([...after].filter((pid) => before.has(pid))).toEqual([]);
    expect(await database.sql('SELECT FROM organisation')).toHaveLength(1);
    await waitUntil('the old connections are closed', async () => {
      const open = await database.sql('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [[...before]]);
      return open.length === 0;
    });
  });

  it('are made to another host, all of them, when one does not answer a query in time (O7)', async () => {
    const proxy = await startProxy(database.url);
    const near = Number(new URL(proxy.through(database.url)).port);
    try {
      const work = await open(addressOf(database.url, [near, port]), 250);
      expect((await pidsOf(work, 4)).size).toBe(4);
      expect(proxy.silence()).toBe(4);
      const silent = work.single((tx) => run(tx, WHO, { text: '' }));
      await expect(silent).rejects.toMatchObject({ driverError: { code: 'ETIMEDOUT' } });
      expect((await pidsOf(work, 4)).size).toBe(4);
    } finally {
      await proxy.cut();
    }
  });

  it('are not made to a server whose transactions are read-only (O7)', async () => {
    await readOnly('on');
    await expect(open(addressOf(database.url, [port, port]))).rejects.toThrow(
      /^no host fits target_session_attrs=read-write: 127\.0\.0\.1:\d+ \(its transactions are read-only\)$/,
    );
    await open(addressOf(database.url, [port, port], '&target_session_attrs=primary'));
  });
});
