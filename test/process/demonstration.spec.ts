import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { createDemonstration } from '../../src/demonstration/demonstration.js';
import { startService, type TestService } from '../support/service.js';

const { jest } = import.meta;

/** The rooms, as a process finds them that is killed before its nth call of a service. */
function killedBefore(call: number, app: INestApplicationContext): INestApplicationContext {
  let calls = 0;
  const counting = <T extends object>(service: T): T =>
    new Proxy(service, {
      get: (target, name) => {
        calls += 1;
        if (calls === call) throw new Error('killed');
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        return method.bind(target);
      },
    });
  const get = (token: new () => object): object => counting(app.get(token, { strict: false }));
  return { get } as unknown as INestApplicationContext;
}

describe('the demonstration', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(async () => {
    await service.stop();
  });

  const demonstration = (app: INestApplicationContext = service.app): Promise<string | undefined> =>
    createDemonstration(app, service.baseUrl);

  /** What a database holds, as far as a demonstration could change it. */
  async function contents(): Promise<unknown> {
    const { sql } = service.database;
    return {
      organisations: await sql('SELECT name FROM organisation'),
      keys: await sql('SELECT label FROM api_key'),
      suppliers: await sql('SELECT code, name FROM import_supplier'),
      accounts: await sql('SELECT external_account_number, status FROM account_import ORDER BY 1'),
    };
  }

  /** What every finished demonstration consists of. */
  const WHOLE = {
    organisations: [{ name: 'Demo Energy' }],
    keys: [{ label: 'demonstration' }],
    suppliers: [{ code: 'DEMO', name: 'Demonstration supplier' }],
    accounts: [
      ...['1001', '1002', '1003', '1004'].map((number) => ({
        external_account_number: number,
        status: 'imported',
      })),
      { external_account_number: '1005', status: 'pending' },
    ],
  };

  async function expectWhole(text: string | undefined): Promise<void> {
    expect(await contents()).toEqual(WHOLE);
    const [key = ''] = /adi_live_[\w-]+/.exec(text ?? '') ?? [];
    const query = `mutation { obtainServiceToken(input: {apiKey: "${key}"}) { token } }`;
    const obtained = await service.call<{ data: { obtainServiceToken: { token: string } } }>('/v1/graphql/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { token } = obtained.body.data.obtainServiceToken;
    expect(await service.get('account-transfer-status/DEMO/1001/', token)).toMatchObject({ status: 200 });
  }

  it('fills an empty database once, and shows a key that works (6)', async () => {
    await expectWhole(await demonstration());
    expect(await demonstration()).toBeUndefined();
    expect(await contents()).toEqual(WHOLE);
  });

  it('books its transaction on the platform’s day, which may have begun already (S6)', async () => {
    const auckland = await startService({ PLATFORM_TIMEZONE: 'Pacific/Auckland' });
    const clock = jest.spyOn(auckland.app.get(Clock, { strict: false }), 'now');
    try {
      clock.mockReturnValue(new Date('2026-07-01T20:00:00Z'));
      const text = await createDemonstration(auckland.app, auckland.baseUrl);
      expect(text).toContain('"transaction_date": "2026-07-02"');
    } finally {
      clock.mockRestore();
      await auckland.stop();
    }
  });

  it.each([
    ['an organisation', `INSERT INTO organisation (name) VALUES ('Ours')`],
    ['a supplier', `INSERT INTO import_supplier (code, name, document_root) VALUES ('OURS', 'Ours', 'ours')`],
    [
      'a supplier DEMO of somebody else’s',
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('DEMO', 'Ours', 'ours')`,
    ],
  ])('leaves a database alone that has %s (6)', async (_what, statement) => {
    await service.database.sql(statement);
    const before = await contents();
    expect(await demonstration()).toBeUndefined();
    expect(await contents()).toEqual(before);
  });

  it('is finished by the next start, wherever it was killed (6)', async () => {
    for (let call = 1, text: string | undefined; text === undefined; call += 1) {
      await service.database.sql('TRUNCATE organisation, import_supplier, account_import CASCADE');
      text = await demonstration(killedBefore(call, service.app)).catch((error: unknown) => {
        expect(error).toEqual(new Error('killed'));
        return undefined;
      });
      await expectWhole(text ?? (await demonstration()));
    }
  });
});
