import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { formatDateTime } from '../../src/infrastructure/clock/dates.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { offerFirstSteps } from '../../src/apps/http/start/offer-first-steps.js';
import {
  DemonstrationSetupService,
  type Demonstration,
} from '../../src/capabilities/demonstration/demonstration-setup.service.js';
import { ConsoleClient } from '../support/console.js';
import { obtained } from '../support/graphql.js';
import { memoryLog } from '../support/memory-log.js';
import { startService, TOKEN_SIGNING_KEY, type TestService } from '../support/service.js';
import { setUp } from '../support/set-up.js';

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

/** What a start with these settings prints and logs. */
async function printed(
  service: TestService,
  settings: Record<string, string> = {},
): Promise<{ text: string; log: string }> {
  const log = memoryLog('warn');
  const environment = readEnvironment({ DATABASE_URL: service.database.url, TOKEN_SIGNING_KEY, ...settings });
  const output: string[] = [];
  const where = { url: service.baseUrl, app: service.app };
  await offerFirstSteps(where, { environment, logger: log.logger }, (text) => output.push(text));
  return { text: output.join('\n'), log: log.text() };
}

describe('the demonstration', () => {
  const service = setUp(startService);
  beforeEach(async () => {
    // The service caches a supplier's id by code, which never changes in a real database.
    await service.database.sql(
      'TRUNCATE organisation, import_supplier, account_import RESTART IDENTITY CASCADE',
    );
  });

  const demonstration = (setup = setupOf(service.app)): Promise<Demonstration | undefined> => setup.create();

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

  async function expectComplete(apiKey: string): Promise<void> {
    expect(await contents()).toEqual(COMPLETE);
    const { token } = await obtained(service, { apiKey });
    expect(await service.get('account-transfer-status/DEMO/1001/', token)).toMatchObject({ status: 200 });
  }

  it('fills an empty database once, with a key that works (section 6)', async () => {
    const { issued } = (await demonstration())!;
    await expectComplete(issued!.key);
    expect((await demonstration())!.issued).toBeUndefined();
    expect(await contents()).toEqual(COMPLETE);
  });

  it('has a key that expires in a week, which is printed once with its expiry, and lines that can be copied (section 6)', async () => {
    const { text } = await printed(service);
    const [key] = await service.database.sql<{ expires_at: Date; days: number }>(
      'SELECT expires_at, extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM api_key',
    );
    expect(key!.days).toBeCloseTo(7, 3);
    expect(text).toContain(`expires at ${formatDateTime(key!.expires_at)}.`);
    const [, setKey = ''] = /^Key +(export DATA_IMPORT_API_KEY=adi_live_[\w-]+)$/m.exec(text) ?? [];
    const [request = ''] = /^curl .*\\\n.*$/m.exec(text) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', `${setKey}\n${request}`]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { obtainServiceToken: { token: expect.any(String) as string } },
    });
    const later = (await printed(service)).text;
    expect(later).toContain('$(npm run cli -- api-key issue "Demo Energy" --expires-in 7d --json |');
    expect(later).not.toContain('adi_live_');
    expect(Math.max(...`${text}\n${later}`.split('\n').map(({ length }) => length))).toBeLessThan(160);
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
    const { text } = await printed(service, { DEMONSTRATION: 'off' });
    expect(text).toContain('api-key issue ORGANISATION');
    expect(await contents()).toEqual(before);
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
    for (let call = 1, done: Demonstration | undefined; done === undefined; call += 1) {
      await service.database.sql(
        'TRUNCATE organisation, import_supplier, account_import RESTART IDENTITY CASCADE',
      );
      done = await demonstration(killedBefore(call, service.app)).catch((error: unknown) => {
        expect(error).toEqual(new Error('killed'));
        return undefined;
      });
      await expectComplete((done ?? (await demonstration()))!.issued!.key);
    }
  });

  it('does not stop the service when it fails, and is completed by the next start (section 6)', async () => {
    const { sql } = service.database;
    await sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON import_supplier EXECUTE FUNCTION refuse()`,
    );
    const { text, log } = await printed(service);
    expect(text).not.toContain('demonstration');
    expect(log).toContain('not now');
    await sql('DROP TRIGGER refuse ON import_supplier');
    const [key = ''] = /adi_live_[\w-]+/.exec((await printed(service)).text) ?? [];
    await expectComplete(key);
  });
});

describe('the link that a start prints', () => {
  const service = setUp(() => startService({ CONSOLE: 'on' }));

  it('signs the operator in (C1)', async () => {
    const { text } = await printed(service, { CONSOLE: 'on', OPERATOR: 'Maria' });
    const [, origin = '', path = ''] = /^Console +(http:\/\/[^/]+)(\S+) /m.exec(text) ?? [];
    const client = new ConsoleClient(origin);
    expect((await client.post(path, {}, path)).status).toBe(303);
    expect((await client.get('/console/')).html).toContain('Maria');
  });

  it('is not printed with CONSOLE=off (C1)', async () => {
    const { text, log } = await printed(service, { CONSOLE: 'off' });
    expect(text).not.toMatch(/^Console/m);
    expect(log).toBe('');
  });

  it('does not prevent a start when it cannot be created (C1)', async () => {
    const { sql } = service.database;
    await sql('ALTER TABLE console_sign_in_code RENAME TO elsewhere');
    const { text, log } = await printed(service, { CONSOLE: 'on' });
    await sql('ALTER TABLE elsewhere RENAME TO console_sign_in_code');
    expect(text).not.toMatch(/^Console/m);
    expect(log).toContain('the command console link prints one');
  });
});
