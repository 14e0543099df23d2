import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, transaction } from './support/loader.js';

const service = setUp(sharedService);

/** The open statement period of every account is November 2026. */
const MOVING = ['--force-add-to-current-statement', 'true'];

const outside = (account: string, count: number): object[] =>
  Array.from({ length: count }, (_, index) =>
    transaction(account, `O-${index}`, { transaction_date: `2024-03-${10 + (index % 20)}` }),
  );

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('transactions outside the open statement period', () => {
  it('fail with their dates, and the run says what helps; none is moved unasked (L4)', async () => {
    const [account = ''] = accounts(1);
    const rows = [transaction(account, 'L-1'), ...outside(account, 2)];
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rows });
    const { code, result, stderr } = await world.json('load');
    expect({ code, result }).toMatchObject({ code: 1, result: { read: 3, loaded: 1, failed: 2 } });
    expect(result.groups).toMatchObject([{ code: 'outside_open_statement_period', count: 2 }]);
    expect(result.moved).toEqual({ count: 0, maybe: 0, from: null, to: null });
    expect(world.read('failures', 'transactions.errors.csv')).toContain('of 2024-03-11 lies outside');
    expect(lines(stderr)[0]).toMatch(/^Some are outside.+accounts set-periods.+--force-add-to-current/);
    const [moved] = await service.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM transaction WHERE external_account_number = $1 AND sent_date IS NOT NULL`,
      [account],
    );
    expect(moved?.count).toBe(0);
  });

  it('stop a run whose first 1,000 are all outside, naming both ways out (L4, L8)', async () => {
    const [account = '', other = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [account, other], {
      'transactions.ndjson': [...outside(account, 2_400), transaction(other, 'L-1')],
    });
    for (const more of [['--dry-run'], []]) {
      const { code, result, stderr } = await world.json('load', ['--concurrency', '1', ...more]);
      expect({ code, result }).toMatchObject({
        code: 3,
        result: { loaded: 0, failed: 1_000, unsent: 1_401 },
      });
      const said = lines(stderr);
      expect(said.at(-2)).toMatch(
        /first 1,000 .+ are all outside.+accounts set-periods.+--force-add-to-current-statement true/,
      );
      expect(said.at(-1)).toContain(`data-import-loader load ${world.folder}`);
    }
    const { code, result } = await world.json('load', MOVING);
    expect({ code, result }).toMatchObject({ code: 1, result: { loaded: 1_401, failed: 1_000 } });
    expect(await world.json('retry', MOVING)).toMatchObject({ code: 0, result: { loaded: 2_401 } });
  });

  it('do not stop a run of which one row is inside (L4)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [transaction(account, 'L-1'), ...outside(account, 1_500)],
    });
    const args = ['--concurrency', '1', '--items-per-request', '400'];
    expect(await world.json('load', args)).toMatchObject({ code: 1, result: { failed: 1_500, unsent: 0 } });
  });

  it('are counted with their days where they are moved, also by retries and over runs (L4, L7)', async () => {
    const [account = '', late = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [
        transaction(account, 'L-1'),
        ...outside(account, 3),
        transaction(late, 'L-1', { transaction_date: '2027-01-15' }),
      ],
    });
    const rehearsed = await world.json('load', [...MOVING, '--dry-run']);
    const days = { from: ['2024-03-10', '2024-03-12'], to: ['2026-11-01', '2026-11-01'] };
    expect(rehearsed.result.moved).toEqual({ count: 3, maybe: 0, ...days });
    expect((await world.json('load', MOVING)).result.moved).toEqual({ count: 3, maybe: 0, ...days });
    await world.import(late);
    const { code, stdout } = await world.run('retry', MOVING);
    expect(code).toBe(0);
    expect(stdout).toContain(
      '4 transactions were moved into the open statement period: of days from 2024-03-10 to 2027-01-15 to days from 2026-11-01 to 2026-11-30.',
    );
    expect((await world.json('status')).result.moved).toEqual({
      count: 4,
      maybe: 0,
      from: ['2024-03-10', '2027-01-15'],
      to: ['2026-11-01', '2026-11-30'],
    });
  });

  it('may have been moved where an answer was lost, and it is said how many (L4)', async () => {
    const [account = '', other = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [account, other], {
      'transactions.ndjson': [...outside(account, 3), ...outside(other, 2)],
    });
    const proxy = await startDecidingProxy(service.baseUrl, ({ number }) =>
      number === 1 ? 'cut after' : undefined,
    );
    const report = `${world.folder}/.report.html`;
    const args = ['--concurrency', '1', ...MOVING, '--report', report];
    const { code, stdout } = await world.run('load', args, proxy);
    expect(code).toBe(0);
    const sentence = '3 more were there already and may have been moved';
    expect(stdout).toContain('2 transactions were moved');
    expect(stdout).toContain(sentence);
    expect(world.read('.report.html')).toContain(sentence);
  });
});
