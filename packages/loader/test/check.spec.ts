import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJson } from '../../../test/support/cli.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import type { Result } from '../src/report/result.js';
import {
  startDecidingProxy,
  type Decision,
  type DecidingProxy,
  type Passing,
} from './support/deciding-proxy.js';
import {
  accounts,
  instruction,
  LoaderWorld,
  ndjson,
  note,
  startLoader,
  statement,
  transaction,
  type LoaderEnd,
} from './support/loader.js';

const HEADER = 'external_account_number,transaction_id,transaction_date,amount,type,reason';

const service = setUp(sharedService);

const rowsOf = (account: string, count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, index) => transaction(account, `L-${index}`, more));

const proxied = (decide: (passing: Passing) => Decision | Promise<Decision>): Promise<DecidingProxy> =>
  startDecidingProxy(service.baseUrl, decide);

const isLook = ({ path }: Passing): boolean => path.includes('row_digests=true');

/** Undo what a run has stored, as an operator does. */
async function undo({ world }: LoaderWorld, { run }: Result): Promise<void> {
  const setStatus = (status: string): Promise<unknown> =>
    service.database.sql('UPDATE import_supplier SET status = $2 WHERE code = $1', [world.supplier, status]);
  await setStatus('paused');
  const args = ['imports', 'undo', world.supplier, '--request-prefix', `${run ?? ''}-`, '--yes'];
  const end = await runJson(service.database, [...args, '--reason', 'wrong file']);
  expect(end).toMatchObject({ exitCode: 0 });
  await setStatus('ongoing');
}

/** How often rows of accounts were read by whom, with content. */
function views({ world }: LoaderWorld): Promise<object[]> {
  return service.database.sql(
    `SELECT external_account_number AS account, sum(count)::int AS count
       FROM viewed WHERE import_supplier = $1 GROUP BY 1 ORDER BY 1`,
    [world.supplier],
  );
}

/** Load other files of the same supplier. */
async function loadOther(
  { apiKey, target }: LoaderWorld,
  files: Readonly<Record<string, readonly object[]>>,
): Promise<LoaderEnd> {
  const other = await LoaderWorld.create(service, [], files);
  return startLoader(['load', other.folder, ...target()], { DATA_IMPORT_API_KEY: apiKey }).ended;
}

describe('the check at the end of a load', () => {
  it('fails rows whose ids a spreadsheet has made the same, with the fields that differ (L10, L14)', async () => {
    const [account = ''] = accounts(1);
    const line = (index: number): string =>
      `${account},4.50E+15,2026-11-05,${index}.50,CHARGE,IMPORTED_CHARGE`;
    const lines = Array.from({ length: 99 }, (_, index) => line(index + 1));
    const world = await LoaderWorld.create(service, [account], {
      'transactions.csv': `${[HEADER, ...lines].join('\n')}\n`,
    });
    const rehearsed = await world.json('load', ['--dry-run', '--items-per-request', '10']);
    const loaded = await world.json('load', ['--items-per-request', '10']);
    for (const { code, result } of [rehearsed, loaded]) {
      expect(code).toBe(1);
      expect(result).toMatchObject({ read: 99, loaded: 1, already: 0, failed: 98, unsent: 0, checked: true });
      expect(result.groups).toEqual([
        expect.objectContaining({
          kind: 'transactions',
          code: 'stored_with_other_content',
          attr: 'amount',
          count: 98,
          first: { file: 'transactions.csv', sheet: null, line: 3 },
        }),
      ]);
    }
    expect(loaded.stderr.trimEnd().split('\n').at(-1)).toContain('data-import-loader retry');
    expect(world.read('failures', 'transactions.csv')).toBe(`${[HEADER, ...lines.slice(1)].join('\n')}\n`);
    // With their ids they arrive.
    const corrected = lines
      .slice(1)
      .map((text, index) => text.replace('4.50E+15', `450000000000000${index}`));
    writeFileSync(join(world.folder, 'failures', 'transactions.csv'), [HEADER, ...corrected].join('\n'));
    expect(await world.json('retry')).toMatchObject({
      code: 0,
      result: { loaded: 99, failed: 0, checked: true },
    });
    expect(await world.json('load')).toMatchObject({ code: 0, result: { loaded: 99, checked: true } });
    expect(await world.stored('transaction')).toEqual({ [account]: 99 });
  });

  it('fails rows of a corrected file whose old rows stay, and asks only for their account with content (L10)', async () => {
    const [one = '', other = ''] = accounts(2);
    const files = (amount: number): object[] => [
      ...rowsOf(one, 3),
      transaction(one, 'L-3', { amount }),
      ...rowsOf(other, 2),
    ];
    const world = await LoaderWorld.create(service, [one, other], {
      'transactions.ndjson': files(5),
      'notes.ndjson': [note(other, 'a'), { external_account_number: other, body: 'a' }, note(one, 'b')],
      'statements.ndjson': [statement(one, 'S-1', { gross_amount: 1 })],
      'payment-instructions.ndjson': [instruction(one, 'ok_1')],
    });
    expect(await world.json('load')).toMatchObject({ code: 0, result: { read: 11, failed: 0 } });
    expect(await views(world)).toEqual([]);
    writeFileSync(join(world.folder, 'transactions.ndjson'), ndjson(files(6)));
    writeFileSync(
      join(world.folder, 'statements.ndjson'),
      ndjson([statement(one, 'S-1', { gross_amount: 2, issued_date: '2026-11-01' })]),
    );
    const dry = await world.json('load', ['--dry-run', '--again']);
    // The answer for an instruction does not say that it is there.
    expect(dry).toMatchObject({ code: 1, result: { loaded: 0, already: 9, failed: 2 } });
    const { code, result } = await world.json('load', ['--again']);
    expect({ code, result }).toMatchObject({
      code: 1,
      result: { read: 11, loaded: 1, already: 8, failed: 2, unsent: 0 },
    });
    const place = { file: 'transactions.ndjson', line: 4 };
    expect(result.groups).toMatchObject([
      { code: 'historical_statement_already_exists', attr: 'gross_amount', count: 1 },
      { code: 'historical_statement_already_exists', attr: 'issued_date', count: 1 },
      { code: 'stored_with_other_content', attr: 'amount', count: 1, first: place },
    ]);
    expect(dry.result.groups).toEqual(result.groups);
    expect((await views(world)).map((view) => (view as { account: string }).account)).toEqual([one]);
    // What was refused is not looked for again.
    const before = await views(world);
    expect(await world.json('load')).toMatchObject({ code: 1, result: { failed: 2, checked: true } });
    expect(await views(world)).toEqual(before);
  });

  it('sends again what an operator has undone, and says so (L14)', async () => {
    const numbers = accounts(3);
    const world = await LoaderWorld.create(service, numbers, {
      // Their accounts are mixed.
      'transactions.ndjson': [0, 1, 2, 3].flatMap((index) =>
        numbers.map((account) => transaction(account, `L-${index}`)),
      ),
      'notes.ndjson': numbers.map((account) => note(account, 'a')),
      'statements.ndjson': numbers.map((account) => statement(account, 'S-1')),
      'payment-instructions.ndjson': numbers.map((account) => instruction(account, 'ok_1')),
    });
    const first = await world.json('load');
    expect(first).toMatchObject({ code: 0, result: { loaded: 21, checked: true } });
    expect(first.stderr).not.toContain('sent again');
    await undo(world, first.result);
    expect(await world.stored('transaction')).toEqual({});
    const second = await world.json('load');
    expect(second).toMatchObject({ code: 0, result: { read: 21, loaded: 21, already: 0, failed: 0 } });
    expect(second.stderr).toContain('were sent again: 21.');
    expect(await world.stored('transaction')).toEqual(
      Object.fromEntries(numbers.map((number) => [number, 4])),
    );
    expect(await views(world)).toEqual([]);
    expect((await world.verify()).code).toBe(0);
  });

  it('counts a moved row once, however often it is sent (L7, L14)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [
        transaction(account, 'L-0'),
        transaction(account, 'L-1', { transaction_date: '2024-03-10' }),
        transaction(account, 'L-2', { transaction_date: '2024-03-12' }),
      ],
    });
    const moving = ['--force-add-to-current-statement', 'true'];
    const days = { from: ['2024-03-10', '2024-03-12'], to: ['2026-11-01', '2026-11-01'] };
    for (let time = 0; time < 3; time += 1) {
      const { code, result } = await world.json('load', moving);
      expect({ code, result }).toMatchObject({ code: 0, result: { read: 3, loaded: 3 } });
      expect(result.moved).toEqual({ count: 2, maybe: 0, ...days });
      await undo(world, result);
    }
  });

  it('fails what is not there after it was sent again, with file and line (L14)', async () => {
    const [lost = '', kept = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [lost, kept], {
      'transactions.ndjson': [...rowsOf(kept, 2), ...rowsOf(lost, 2)],
    });
    let isLosing = true;
    const { baseUrl, passed } = await proxied(async (passing) => {
      if (isLosing && isLook(passing))
        await service.database.sql(
          `DELETE FROM transaction WHERE external_account_number = $1 AND transaction_id = 'L-1'`,
          [lost],
        );
      return undefined;
    });
    const { code, result } = await world.json('load', [], { baseUrl });
    expect({ code, result }).toMatchObject({
      code: 1,
      result: { loaded: 3, failed: 1, unsent: 0, checked: true },
    });
    expect(result.groups).toMatchObject([
      { code: 'not_found_after_load', attr: '', count: 1, first: { file: 'transactions.ndjson', line: 4 } },
    ]);
    expect(passed.filter(({ body }) => body.includes('"L-1"') && body.includes(lost))).toHaveLength(2);
    expect(passed.filter(({ body }) => body.includes(kept))).toHaveLength(1);
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson([transaction(lost, 'L-1')]));
    isLosing = false;
    expect(await world.json('retry', [], { baseUrl })).toMatchObject({
      code: 0,
      result: { loaded: 4, failed: 0, checked: true },
    });
  });

  it('puts a row that had failed, was corrected and is undone back to the failed ones (L14)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [transaction(account, 'L-1'), transaction(account, 'L-2', { type: 'FEE' })],
    });
    await world.run('load');
    const corrected = transaction(account, 'L-2', { amount: 7 });
    writeFileSync(join(world.folder, 'failures', 'transactions.ndjson'), ndjson([corrected]));
    const { result } = await world.json('retry');
    await undo(world, result);
    for (let time = 0; time < 2; time += 1) {
      const again = await world.json('load');
      expect(again).toMatchObject({ code: 1, result: { read: 2, loaded: 1, failed: 1, checked: true } });
      expect(again.result.groups).toMatchObject([{ code: 'not_found_after_load', count: 1 }]);
    }
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson([corrected]));
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { loaded: 2, failed: 0 } });
    expect(world.read('corrected', 'transactions.ndjson')).toBe(ndjson([corrected]));
    expect(await world.json('load')).toMatchObject({ code: 0, result: { loaded: 2 } });
  });

  it('of a retry looks for its rows, sends them again and finds other content (L14)', async () => {
    const [account = '', late = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [...rowsOf(late, 3), transaction(account, 'L-1')],
      'statements.ndjson': [statement(late, 'S-1', { gross_amount: 1 })],
    });
    let isLosing = false;
    const { baseUrl, passed } = await proxied(async (passing) => {
      if (!isLook(passing) || !isLosing) return undefined;
      isLosing = false;
      await service.database.sql(
        `DELETE FROM transaction WHERE external_account_number = $1 AND transaction_id = 'L-2'`,
        [late],
      );
      return undefined;
    });
    await world.run('load', [], { baseUrl });
    await world.import(late);
    await loadOther(world, {
      'transactions.ndjson': [transaction(late, 'L-0', { amount: 99 })],
      'statements.ndjson': [statement(late, 'S-1', { gross_amount: 2 })],
    });
    isLosing = true;
    const { code, result, stderr } = await world.json('retry', [], { baseUrl });
    expect({ code, result }).toMatchObject({
      code: 1,
      result: { read: 5, loaded: 3, failed: 2, checked: true },
    });
    expect(result.groups).toMatchObject([
      { code: 'historical_statement_already_exists', attr: 'gross_amount' },
      { code: 'stored_with_other_content', attr: 'amount' },
    ]);
    expect(stderr).toContain('were sent again: 1.');
    expect(await world.stored('transaction')).toEqual({ [account]: 1, [late]: 3 });
    expect(passed.filter(({ body }) => body.includes('"L-2"') && body.includes(late))).toHaveLength(3);
  });

  it('costs others nothing, and nobody sees their rows (L14)', async () => {
    const numbers = accounts(4);
    const world = await LoaderWorld.create(service, numbers, {
      'transactions.ndjson': numbers.flatMap((account) => rowsOf(account, 2)),
    });
    const others = numbers.flatMap((account) => [
      transaction(account, 'OTHER'),
      transaction(account, 'MORE'),
    ]);
    expect((await loadOther(world, { 'transactions.ndjson': others })).code).toBe(0);
    const { baseUrl, passed } = await proxied(() => undefined);
    expect(await world.json('load', [], { baseUrl })).toMatchObject({ code: 0, result: { checked: true } });
    expect(passed.filter((passing) => !isLook(passing))).toHaveLength(4);
    expect(await views(world)).toEqual([]);
  });

  it('reads the list where there are many accounts, and only as far as they go (L14)', async () => {
    const numbers = accounts(130);
    const world = await LoaderWorld.create(service, numbers, {
      'transactions.ndjson': numbers.slice(0, 120).map((account) => transaction(account, 'L-1')),
    });
    const { baseUrl, passed } = await proxied(() => undefined);
    expect(await world.json('load', [], { baseUrl })).toMatchObject({ code: 0, result: { loaded: 120 } });
    const looks = passed.filter(isLook).map(({ path }) => path.split('/')[3]);
    expect(looks.filter((path) => path === 'account-contents')).toHaveLength(1);
    expect(looks.filter((path) => path === 'account-content').length).toBeLessThanOrEqual(104);
  });

  it('ends with 3 when it cannot look, and the same command goes on (L8, L14)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rowsOf(account, 3) });
    let isAway = true;
    const { baseUrl, passed } = await proxied((passing) =>
      isLook(passing) && isAway ? { status: 503, code: 'service_unavailable' } : undefined,
    );
    const stopped = await world.json('load', ['--give-up-after', '2s'], { baseUrl });
    expect(stopped).toMatchObject({ code: 3, result: { loaded: 3, failed: 0, unsent: 0, checked: false } });
    expect(stopped.stderr.trimEnd().split('\n').at(-1)).toContain('data-import-loader load');
    expect((await world.json('status')).result).toMatchObject({ checked: false });
    const { stdout: status } = await world.run('status');
    expect(status).toContain('It is not confirmed that the service has every row.');
    expect(status.trimEnd().split('\n').at(-1)).toBe(stopped.stderr.trimEnd().split('\n').at(-1));
    isAway = false;
    const sent = passed.length;
    expect(await world.json('load', [], { baseUrl })).toMatchObject({ code: 0, result: { checked: true } });
    expect(passed.slice(sent).filter(({ body }) => body !== '')).toEqual([]);
    expect((await world.json('status')).result).toMatchObject({ checked: true });
  });

  it('is left out with --no-check, which says that rows were sent (L8)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rowsOf(account, 3) });
    const { baseUrl, passed } = await proxied(() => undefined);
    const { code, stdout } = await world.run('load', ['--no-check'], { baseUrl });
    expect({ code, looks: passed.filter(isLook) }).toEqual({ code: 0, looks: [] });
    expect(stdout).toContain('Every row was sent.');
    expect(stdout).not.toContain('is there');
    expect((await world.run('load', [], { baseUrl })).stdout).toContain('Every row is there.');
    expect((await world.run('load', ['--no-check'], { baseUrl })).stdout).toContain('Every row was sent.');
  });

  it('of some kinds says nothing of the others (L14)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': rowsOf(account, 3),
      'notes.ndjson': [note(account, 'a')],
    });
    await world.run('load', ['--no-check']);
    const some = await world.json('load', ['--kinds', 'notes']);
    expect(some).toMatchObject({ code: 0, result: { read: 1, checked: true } });
    expect((await world.json('status')).result).toMatchObject({ read: 4, checked: false });
    await world.run('load');
    expect((await world.json('status')).result).toMatchObject({ read: 4, checked: true });
  });

  it('takes a note without created_at for an equal one that has it (N4)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'notes.ndjson': [
        { external_account_number: account, body: 'a' },
        { external_account_number: account, body: 'b', is_pinned: true },
      ],
    });
    expect((await loadOther(world, { 'notes.ndjson': [note(account, 'a'), note(account, 'b')] })).code).toBe(
      0,
    );
    for (const args of [['--dry-run'], []]) {
      const { code, result } = await world.json('load', args);
      expect({ code, result }).toMatchObject({ code: 1, result: { loaded: 0, already: 1, failed: 1 } });
      expect(result.groups).toMatchObject([
        { code: 'stored_with_other_content', attr: 'is_pinned', count: 1 },
      ]);
    }
  });
});

it('a load goes on from whatever its journal ends with, when it is killed while it looks (L14)', async () => {
  const numbers = accounts(3);
  const world = await LoaderWorld.create(service, numbers, {
    'transactions.ndjson': numbers.flatMap((account) => [
      ...rowsOf(account, 2),
      transaction(account, 'L-0', { amount: 99 }),
    ]),
    'notes.ndjson': [note(numbers[0] ?? '', 'a')],
  });
  const first = await world.json('load', ['--items-per-request', '1']);
  await undo(world, first.result);
  const expected = { code: 1, result: { read: 10, failed: 3, unsent: 0, checked: true } };
  expect(await world.json('load', ['--items-per-request', '1'])).toMatchObject(expected);
  const lines = world.read('.data-import-loader', 'journal').split('\n').slice(0, -1);
  const begin = lines.findIndex((line) => line.startsWith('{"event":"missed"'));
  expect(lines.length - begin).toBeGreaterThan(8);
  for (let count = begin - 2; count < lines.length; count += 1) {
    const cut = (lines[count] ?? '').slice(0, 20 * (count % 3));
    const kept = lines.slice(0, count).map((line) => `${line}\n`);
    writeFileSync(join(world.folder, '.data-import-loader', 'journal'), kept.join('') + cut);
    const { code, result } = await world.json('load');
    expect({ count, code, result }).toMatchObject(expected);
    expect(result.loaded + result.already).toBe(7);
    expect(result.groups).toMatchObject([{ code: 'stored_with_other_content', attr: 'amount', count: 3 }]);
  }
  expect(await world.stored('transaction')).toEqual(Object.fromEntries(numbers.map((number) => [number, 2])));
});
