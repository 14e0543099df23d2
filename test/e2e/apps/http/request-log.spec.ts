import { expectError } from '../../../support/expect-error.js';
import { memoryLog } from '../../../support/memory-log.js';
import { importOutside } from '../../../support/outside.js';
import { startService, unique } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { noteSender } from '../../../support/note-sender.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

const JSON_BODY = { 'content-type': 'application/json' };

const log = memoryLog();

const service = setUp(() => startService({}, { logger: log.logger }));
const { caller, send } = noteSender(service);

describe('the request id', () => {
  it.each(['a', 'trace-1.2_3', 'x'.repeat(128)])('is the one that the client sent: %s (T3)', async (id) => {
    const reply = await send({ 'x-request-id': id, ...JSON_BODY }, '{}');
    expect(reply.headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'two words', 'semi;colon', '<script>'])(
    'is generated when the client sent %j (T3)',
    async (id) => {
      const reply = await send({ 'x-request-id': id, ...JSON_BODY }, '{}');
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is in every log line of the request, without the body and the token (T3)', async () => {
    const body = `Body that no log may hold ${'y'.repeat(20)}`;
    await send(
      { 'x-request-id': 'find-me', ...JSON_BODY },
      JSON.stringify({ ...caller.ref, notes: [{ body, document_paths: null }] }),
    );
    const lines = log.lines().filter(({ request_id }) => request_id === 'find-me');
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'answered', method: 'POST', status: 400, level: 'info' }),
    ]);
    expect(log.text()).not.toContain('Body that no log may hold');
    expect(log.text()).not.toContain(caller.token);
  });

  it('is logged with the route, and never with the address (T3)', async () => {
    const account = await service.given.importedAccount();
    const { import_supplier, external_account_number } = account.ref;
    const path = `account-transfer-status/${import_supplier}/${external_account_number}/`;
    const id = unique('request');
    const headers = { authorization: `Token ${account.token}`, 'x-request-id': id };
    for (const [address, status] of [
      [path, 200],
      [`${path}?secret=1`, 400],
      [`nothing/${external_account_number}/`, 404],
    ] as const) {
      expect((await service.call(address, { headers })).status).toBe(status);
    }
    const lines = (): Record<string, unknown>[] => log.lines().filter(({ request_id }) => request_id === id);
    await waitUntil('the requests are logged', () => lines().length === 3);
    const route = '/v1/data-import/account-transfer-status/:import_supplier/:external_account_number';
    expect(lines().map((line) => [line.status, line.route])).toEqual([
      [200, route],
      [400, route],
      [404, undefined],
    ]);
    for (const secret of [import_supplier, external_account_number, 'secret=1']) {
      expect(log.text()).not.toContain(secret);
    }
  });
});

describe('a request with an address that the router cannot decode', () => {
  const SECRET = 'secret-account';

  it.each([
    ['has a broken percent-encoding', `${SECRET}%zz`],
    ['has a percent-encoding that is not UTF-8', `${SECRET}%ff`],
    ['has an account number of 2,000 characters', SECRET.padEnd(2_000, 'x')],
  ])('is logged in one line and counted when it %s (T3)', async (_what, segment) => {
    const ownLog = memoryLog();
    await using measured = inBlock(await startService({ METRICS_PORT: '0' }, { logger: ownLog.logger }));
    const { token: own, supplier } = await measured.given.supplier();
    const headers = { authorization: `Token ${own}`, 'x-request-id': 'unreadable' };
    const path = `account-transfer-status/${supplier}/${segment}/?secret=1`;
    const reply = await measured.call(path, { headers });
    expectError(reply, 404, 'not_found', []);
    expect(reply.headers.get('x-request-id')).toBe('unreadable');
    const lines = (): unknown[] => ownLog.lines().filter(({ request_id }) => request_id === 'unreadable');
    await waitUntil('the request is logged', () => lines().length > 0);
    const line = { level: 'info', msg: 'answered', method: 'GET', status: 404 };
    expect(lines()).toEqual([expect.objectContaining(line)]);
    for (const secret of [supplier, SECRET, 'secret=1']) expect(ownLog.text()).not.toContain(secret);
    const label = 'data_import_answers_total{route="unknown",method="GET",status="404"} 1';
    expect(await register.metrics()).toContain(label);
  });
});
