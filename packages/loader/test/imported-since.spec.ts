import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy, type Passing } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, ndjson, note, transaction } from './support/loader.js';

const service = setUp(sharedService);
const proxy = setUp(() =>
  startDecidingProxy(service.baseUrl, (passing) => {
    decide(passing);
    return undefined;
  }),
);
let decide: (passing: Passing) => void = () => undefined;

afterEach(() => {
  decide = () => undefined;
});

const isSending = ({ path }: Passing): boolean => path.includes('/create/');

/** The requests of a command by what they are for. */
async function passedBy(command: () => Promise<unknown>): Promise<{ sent: Passing[]; asked: Passing[] }> {
  const before = proxy.passed.length;
  await command();
  const passed = proxy.passed.slice(before);
  return {
    sent: passed.filter(isSending),
    asked: passed.filter(({ path }) => /account-transfer-status|import-processes/.test(path)),
  };
}

describe('load after accounts were imported', () => {
  it('sends the rows that had failed for them, and nothing else (L10)', async () => {
    const [here = '', late = '', never = ''] = accounts(3);
    const rows = (account: string): object[] => ['L-1', 'L-2', 'L-3'].map((id) => transaction(account, id));
    const world = await LoaderWorld.create(service, [here], {
      // Their accounts are mixed.
      'transactions.ndjson': [0, 1, 2].flatMap((index) =>
        [here, late, never].flatMap((account) => rows(account)[index] ?? []),
      ),
      'notes.ndjson': [note(late, 'a'), note(here, 'b', { unpin_at: 'x' })],
    });
    const first = await world.json('load', [], proxy);
    expect(first).toMatchObject({ code: 1, result: { read: 11, loaded: 3, failed: 8, unsent: 0 } });
    expect(first.stderr).toContain('are sent by `load` when an operator of the service has imported them');

    const inVain = await passedBy(async () => {
      const { code, result } = await world.json('load', [], proxy);
      expect({ code, result }).toMatchObject({ code: 1, result: { loaded: 3, failed: 8, checked: true } });
      expect(result.taken_up).toBeUndefined();
    });
    expect([inVain.asked.length, inVain.sent.length]).toEqual([2, 0]);

    await world.import(late);
    const taken = await passedBy(async () => {
      const { code, result } = await world.json('load', [], proxy);
      expect({ code, result }).toMatchObject({
        code: 1,
        result: { read: 11, loaded: 7, failed: 4, unsent: 0, checked: true },
      });
      expect(result.taken_up).toEqual({ rows: 4, accounts: 1 });
    });
    expect([taken.asked.length, taken.sent.length]).toEqual([2, 2]);
    expect(await world.stored('transaction')).toEqual({ [here]: 3, [late]: 3 });
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson(rows(never)));

    await world.import(never);
    const { stdout } = await world.run('load', [], proxy);
    expect(stdout).toContain('Sent again: 3 rows of 1 account not imported before.');
    expect((await world.json('status')).result).toMatchObject({ loaded: 10, failed: 1 });
  });

  it('goes on where it was interrupted, and sends each row once (L10)', async () => {
    const numbers = accounts(6);
    const world = await LoaderWorld.create(service, [], {
      'transactions.ndjson': numbers.flatMap((account) =>
        ['L-1', 'L-2'].map((id) => transaction(account, id)),
      ),
    });
    await world.run('load', [], proxy);
    await world.import(...numbers);
    const one = ['--items-per-request', '1', '--concurrency', '1'];
    const sent = await passedBy(async () => {
      let left = 5;
      const running = world.start('load', [...one, '--json'], proxy);
      decide = (passing) => {
        if (isSending(passing) && (left -= 1) === 0) running.interrupt();
      };
      const { code, stdout } = await running.ended;
      expect(code).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ loaded: 5, failed: 7, taken_up: { rows: 5, accounts: 3 } });
    });
    expect(sent.sent).toHaveLength(5);
    const rest = await passedBy(async () => {
      expect(await world.json('load', one, proxy)).toMatchObject({
        code: 0,
        result: { read: 12, loaded: 12, failed: 0, taken_up: { rows: 7, accounts: 4 }, checked: true },
      });
    });
    expect(rest.sent).toHaveLength(7);

    // From whatever its journal ends with.
    const lines = world.read('.data-import-loader', 'journal').split('\n').slice(0, -1);
    const begin = lines.findLastIndex((line) => line.startsWith('{"event":"run"'));
    expect(lines.length - begin).toBeGreaterThan(8);
    for (let count = begin; count < lines.length; count += 1) {
      const kept = lines.slice(0, count).map((line) => `${line}\n`);
      const cut = (lines[count] ?? '').slice(0, 20 * (count % 3));
      writeFileSync(join(world.folder, '.data-import-loader', 'journal'), kept.join('') + cut);
      const { code, result } = await world.json('load', one, proxy);
      expect({ code, result }).toMatchObject({ code: 0, result: { read: 12, failed: 0, checked: true } });
      expect(result.loaded + result.already).toBe(12);
    }
  });

  it('leaves rows to retry that were corrected, sent or not (L3, L10)', async () => {
    const [wrong = '', right = ''] = accounts(2);
    const ids = ['L-1', 'L-2', 'L-3'];
    const world = await LoaderWorld.create(service, [right], {
      'transactions.ndjson': ids.map((id) => transaction(wrong, id)),
    });
    await world.run('load');
    const one = transaction(wrong, 'L-1', { amount: 7 });
    const two = transaction(right, 'L-2', { amount: 8 });
    const failures = join(world.folder, 'failures', 'transactions.ndjson');
    writeFileSync(failures, ndjson([one]));
    expect((await world.json('retry')).result).toMatchObject({ failed: 3 });
    // The second one is corrected and was not sent.
    writeFileSync(failures, ndjson([one, two, transaction(wrong, 'L-3')]));
    await world.import(wrong);
    const { result } = await world.json('load');
    expect(result).toMatchObject({ loaded: 1, failed: 2, taken_up: { rows: 1, accounts: 1 } });
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson([one, two]));
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { loaded: 3, failed: 0 } });
    expect(await world.stored('transaction')).toEqual({ [wrong]: 2, [right]: 1 });
  });

  it('looks for many accounts in the list of those that are imported (L10)', async () => {
    const numbers = accounts(2_100);
    const world = await LoaderWorld.create(service, [], {
      'notes.ndjson': numbers.map((account) => note(account, 'a')),
    });
    await world.run('load', ['--concurrency', '32'], proxy);
    await world.import(numbers[7]!, numbers[2_000]!);
    const { asked, sent } = await passedBy(async () => {
      expect((await world.json('load', [], proxy)).result).toMatchObject({
        ...{ loaded: 2, failed: 2_098, taken_up: { rows: 2, accounts: 2 } },
      });
    });
    // A hundred one by one, as many at a time as allowed, and then the list.
    expect([asked.length, sent.length]).toEqual([105, 2]);
  });
});
