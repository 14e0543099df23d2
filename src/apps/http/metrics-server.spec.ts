import { readEnvironment } from '../../infrastructure/config/env.js';
import { serveMetrics, type MetricsServer } from './metrics-server.js';

describe('the address for Prometheus', () => {
  const served: MetricsServer[] = [];
  afterEach(() => {
    for (const { close } of served.splice(0)) close();
  });

  const serve = async (
    collect = (): Promise<string> => Promise.resolve('measured 1\n'),
    settings: Record<string, string> = {},
  ): Promise<string> => {
    const server = await serveMetrics(readEnvironment({ METRICS_PORT: '0', ...settings }), collect);
    served.push(server!);
    return server!.url;
  };

  it('answers with the metrics, and 404 at any other address (section 6)', async () => {
    const url = await serve();
    const reply = await fetch(url);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect([reply.status, await reply.text()]).toEqual([200, 'measured 1\n']);
    for (const other of ['/', '/metrics/', '/metrics?x', '/v1/data-import/notes/create/']) {
      const none = await fetch(new URL(other, url));
      expect([other, none.status, await none.text()]).toEqual([other, 404, '']);
    }
  });

  it('answers 500 without a reason when collecting fails, and 200 the next time (section 6)', async () => {
    let isBroken = true;
    const url = await serve(() => (isBroken ? Promise.reject(new Error('secret')) : Promise.resolve('')));
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([500, '']);
    isBroken = false;
    expect((await fetch(url)).status).toBe(200);
  });

  it.each([
    [{ HOST: '0.0.0.0' }, '127.0.0.1'],
    [{ METRICS_HOST: '127.0.0.2' }, '127.0.0.2'],
    [{ METRICS_HOST: '0.0.0.0' }, '0.0.0.0'],
  ])(
    'listens with %j on %s: on this machine unless METRICS_HOST is set, whatever HOST is (O3)',
    async (settings, host) => {
      expect(new URL(await serve(undefined, settings)).hostname).toBe(host);
    },
  );

  it('does not start where another program listens, and names the address (section 6)', async () => {
    const { port } = new URL(await serve());
    const refused = `The metrics cannot be served on 127.0.0.1:${port}: `;
    await expect(serve(undefined, { METRICS_PORT: port })).rejects.toThrow(refused);
  });

  it('does not start unless the operator sets its port (section 6)', async () => {
    expect(await serveMetrics(readEnvironment({}), () => Promise.resolve(''))).toBeUndefined();
  });
});
