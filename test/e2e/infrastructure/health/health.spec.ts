import { expectError } from '../../../support/expect-error.js';
import { memoryLog } from '../../../support/memory-log.js';
import { importOutside } from '../../../support/outside.js';
import { startService } from '../../../support/service.js';
import { startProxy } from '../../../support/tcp-proxy.js';
import { createDatabase } from '../../../support/database.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

/** A probe's timeout plus a margin for a busy machine; a query would wait half a minute. */
const PROBE_MS = 10_000;

const log = memoryLog();

const database = setUp(createDatabase);
const proxy = setUp(() => startProxy(database.url));
const service = setUp(() =>
  startService(
    { METRICS_PORT: '0', REQUESTS_PER_MINUTE: '1' },
    { database, throughProxy: proxy.through, logger: log.logger },
  ),
);

/** Wait until `/health/ready` reports this state. */
async function untilDatabaseIs(state: 'up' | 'down'): Promise<void> {
  await waitUntil(`the database is ${state}`, async () => {
    const { status, body } = await service.call<{ database: string }>('/health/ready');
    expect(status).toBe(200);
    return body.database === state;
  });
}

describe('the health addresses', () => {
  it.each(['', '/', '?from=probe'])('answer without a token: %j after the address (O1)', async (suffix) => {
    expect(await service.call(`/health/live${suffix}`)).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await service.call(`/health/ready${suffix}`)).toMatchObject({
      status: 200,
      body: { status: 'ok', database: 'up' },
    });
    for (const address of ['live', 'ready']) {
      const head = await service.call(`/health/${address}${suffix}`, { method: 'HEAD' });
      expect(head).toMatchObject({ status: 200, body: '' });
    }
  });

  it('answer other methods and addresses like any other (T4)', async () => {
    expectError(await service.call('/health/ready', { method: 'POST' }), 405, 'method_not_allowed', []);
    expectError(await service.call('/health/'), 404, 'not_found', []);
  });

  it('are not logged, unlike other requests (O1)', async () => {
    await service.call('/health/ready', { headers: { 'x-request-id': 'probe' } });
    await service.call('/nowhere/', { headers: { 'x-request-id': 'other' } });
    const levels = (id: string): unknown[] =>
      log.lines().flatMap(({ request_id, level }) => (request_id === id ? [level] : []));
    await waitUntil('both are logged', () => levels('other').length > 0);
    expect(levels('probe')).toEqual(['debug']);
    expect(levels('other')).toEqual(['info']);
  });

  it('report an unavailable database with status 200, and report when it is back (O1)', async () => {
    await proxy.cut();
    await untilDatabaseIs('down');
    expect(await register.metrics()).toContain('data_import_database_up 0');
    expect((await service.call('/health/live')).status).toBe(200);
    await proxy.restore();
    await untilDatabaseIs('up');
    expect(await register.metrics()).toContain('data_import_database_up 1');
  });

  it('answer within the time of a probe when the database is silent (O1)', async () => {
    expect(proxy.silence()).toBeGreaterThan(0);
    const durations: number[] = [];
    await waitUntil('the database is down', async () => {
      // Silence connections that a job has opened meanwhile, too.
      proxy.silence();
      const startedMs = performance.now();
      const { body } = await service.call<{ database: string }>('/health/ready');
      durations.push(performance.now() - startedMs);
      return body.database === 'down';
    });
    expect(Math.max(...durations)).toBeLessThan(PROBE_MS);
    await proxy.cut();
    await proxy.restore();
    await untilDatabaseIs('up');
  });
});
