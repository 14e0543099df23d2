import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readEnvironment, StartError } from '../config/env.js';
import { serveMetrics, type MetricsServer } from './metrics-server.js';

describe('the address for Prometheus', () => {
  const served: MetricsServer[] = [];
  afterEach(() => {
    for (const { close } of served.splice(0)) close();
  });

  const serve = async (collect: () => Promise<string>): Promise<string> => {
    const server = await serveMetrics(readEnvironment({ METRICS_PORT: '0' }), collect);
    served.push(server!);
    return server!.url;
  };

  it('answers with what was measured, and nothing else at any other address (section 6)', async () => {
    const url = await serve(() => Promise.resolve('measured 1\n'));
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const reply = await fetch(url);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect([reply.status, await reply.text()]).toEqual([200, 'measured 1\n']);
    for (const other of ['/', '/metrics/', '/metrics?x', '/v1/data-import/notes/create/']) {
      const none = await fetch(new URL(other, url));
      expect([other, none.status, await none.text()]).toEqual([other, 404, '']);
    }
  });

  it('answers that it failed, and not why, and answers the next time (section 6)', async () => {
    let isBroken = true;
    const url = await serve(() => (isBroken ? Promise.reject(new Error('secret')) : Promise.resolve('')));
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([500, '']);
    isBroken = false;
    expect((await fetch(url)).status).toBe(200);
  });

  it('does not start unless the operator sets its port (section 6)', async () => {
    expect(await serveMetrics(readEnvironment({}), () => Promise.resolve(''))).toBeUndefined();
  });

  it('stops the start in a sentence when its port is taken (section 6)', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const start = serveMetrics(readEnvironment({ METRICS_PORT: String(port) }), () => Promise.resolve(''));
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(`The metrics cannot be served on 127.0.0.1:${port}: `);
    other.close();
  });
});
