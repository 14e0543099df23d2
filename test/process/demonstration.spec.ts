import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../src/infrastructure/clock/clock.js';
import { formatDateTime } from '../../src/infrastructure/clock/dates.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { offerDemonstration, offerSignIn } from '../../src/apps/http/start/offer-first-steps.js';
import { DemonstrationSetupService } from '../../src/capabilities/demonstration/demonstration-setup.service.js';
import { ConsoleClient } from '../support/console.js';
import { memoryLog } from '../support/memory-log.js';
import { startService, TOKEN_SIGNING_KEY } from '../support/service.js';
import { setUp } from '../support/set-up.js';

const { jest } = import.meta;

const setupOf = (app: INestApplicationContext): DemonstrationSetupService =>
  app.get(DemonstrationSetupService, { strict: false });

/** The setup, except that its nth call of a service fails as if the process were killed. */
function killedBefore(call: number, app: INestApplicationContext): DemonstrationSetupService {
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
  const setup = setupOf(app);
  const services = Object.entries(setup).map(([name, service]) => [name, counting(service as object)]);
  return Object.assign(
    Object.create(setup) as DemonstrationSetupService,
    Object.fromEntries(services) as object,
  );
}

describe('the demonstration', () => {
  const service = setUp(startService);
  beforeEach(async () => {
    // The service caches a supplier's id by code, which never changes in a real database.
    await service.database.sql(
      'TRUNCATE organisation, import_supplier, account_import RESTART IDENTITY CASCADE',
    );
  });

  const demonstration = (setup = setupOf(service.app)): Promise<string | undefined> =>
    setup.create(service.baseUrl);

  /** All content of the database that a demonstration could change. */
  async function contents(): Promise<unknown> {
    const { sql } = service.database;
    return {
      organisations: await sql('SELECT name FROM organisation'),
      keys: await sql('SELECT label FROM api_key'),
      suppliers: await sql('SELECT code, name FROM import_supplier'),
      accounts: await sql('SELECT external_account_number, status FROM account_import ORDER BY 1'),
    };
  }

  /** The content of a complete demonstration. */
  const COMPLETE = {
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

  async function expectComplete(text: string | undefined): Promise<void> {
    expect(await contents()).toEqual(COMPLETE);
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

  it('fills an empty database once, and shows a key that works (section 6)', async () => {
    await expectComplete(await demonstration());
    expect(await demonstration()).toBeUndefined();
    expect(await contents()).toEqual(COMPLETE);
  });

  it('shows a key that expires in a week, and its expiry (section 6)', async () => {
    const text = await demonstration();
    const [key] = await service.database.sql<{ expires_at: Date; days: number }>(
      'SELECT expires_at, extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM api_key',
    );
    expect(key!.days).toBeCloseTo(7, 3);
    expect(text).toContain(`expires at ${formatDateTime(key!.expires_at)}.`);
  });

  it('records what it creates under its own name (O6)', async () => {
    await demonstration();
    const recorded = await service.database.sql<{ action: string }>(
      `SELECT DISTINCT action FROM audit_entry WHERE operator = 'demonstration' ORDER BY action`,
    );
    expect(recorded.map(({ action }) => action)).toEqual([
      'accounts.import',
      'accounts.stage',
      'api_key.issue',
      'organisation.create',
      'supplier.create',
    ]);
  });

  it('is not created with DEMONSTRATION=off (section 6)', async () => {
    const before = await contents();
    const output: string[] = [];
    const environment = readEnvironment({
      DATABASE_URL: service.database.url,
      TOKEN_SIGNING_KEY,
      DEMONSTRATION: 'off',
    });
    const options = { environment, logger: memoryLog('warn').logger };
    await offerDemonstration({ url: service.baseUrl, app: service.app }, options, (text) =>
      output.push(text),
    );
    expect(output).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  it('dates its transaction in the platform’s time zone, where it may already be the next day (S6)', async () => {
    const auckland = await startService({ PLATFORM_TIMEZONE: 'Pacific/Auckland' });
    const clock = jest.spyOn(auckland.app.get(Clock, { strict: false }), 'now');
    try {
      clock.mockReturnValue(new Date('2026-07-01T20:00:00Z'));
      const text = await setupOf(auckland.app).create(auckland.baseUrl);
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
      'a supplier DEMO of another origin',
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('DEMO', 'Ours', 'ours')`,
    ],
  ])('changes nothing in a database that has %s (section 6)', async (_what, insert) => {
    await service.database.sql(insert);
    const before = await contents();
    expect(await demonstration()).toBeUndefined();
    expect(await contents()).toEqual(before);
  });

  it('is completed by the next start, wherever it was killed (section 6)', async () => {
    for (let call = 1, text: string | undefined; text === undefined; call += 1) {
      await service.database.sql(
        'TRUNCATE organisation, import_supplier, account_import RESTART IDENTITY CASCADE',
      );
      text = await demonstration(killedBefore(call, service.app)).catch((error: unknown) => {
        expect(error).toEqual(new Error('killed'));
        return undefined;
      });
      await expectComplete(text ?? (await demonstration()));
    }
  });

  it('does not stop the service when it fails, and is completed by the next start (section 6)', async () => {
    const { sql } = service.database;
    await sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON import_supplier EXECUTE FUNCTION refuse()`,
    );
    const log = memoryLog('warn');
    const output: string[] = [];
    const start = (): Promise<void> => {
      const environment = readEnvironment({ DATABASE_URL: service.database.url, TOKEN_SIGNING_KEY });
      const options = { environment, logger: log.logger };
      return offerDemonstration({ url: service.baseUrl, app: service.app }, options, (text) =>
        output.push(text),
      );
    };
    await start();
    expect(output).toEqual([]);
    expect(log.lines()).toMatchObject([{ level: 'warn' }]);
    expect(JSON.stringify(log.lines())).toContain('not now');
    await sql('DROP TRIGGER refuse ON import_supplier');
    await start();
    await expectComplete(output.join());
  });
});

describe('the link that a start prints', () => {
  const service = setUp(() => startService({ CONSOLE: 'on' }));

  /** The output of a start with these settings. */
  async function printed(settings: Record<string, string>): Promise<{ text: string; log: string }> {
    const log = memoryLog('warn');
    const environment = readEnvironment({
      DATABASE_URL: service.database.url,
      TOKEN_SIGNING_KEY,
      ...settings,
    });
    const output: string[] = [];
    const where = { url: service.baseUrl, app: service.app };
    await offerSignIn(where, { environment, logger: log.logger }, (text) => output.push(text));
    return { text: output.join(), log: log.text() };
  }

  it('signs the operator in (C1)', async () => {
    const { text } = await printed({ CONSOLE: 'on', OPERATOR: 'Maria' });
    const [, origin = '', path = ''] = /^The console is at (http:\/\/[^/]+)(\S+) /.exec(text) ?? [];
    const client = new ConsoleClient(origin);
    expect((await client.post(path, {}, path)).status).toBe(303);
    expect((await client.get('/console/')).html).toContain('Maria');
  });

  it('is not printed with CONSOLE=off (C1)', async () => {
    expect(await printed({ CONSOLE: 'off' })).toEqual({ text: '', log: '' });
  });

  it('does not prevent a start when it cannot be created (C1)', async () => {
    const { sql } = service.database;
    await sql('ALTER TABLE console_sign_in_code RENAME TO elsewhere');
    const { text, log } = await printed({ CONSOLE: 'on' });
    await sql('ALTER TABLE elsewhere RENAME TO console_sign_in_code');
    expect(text).toBe('');
    expect(log).toContain('the command console link prints one');
  });
});
