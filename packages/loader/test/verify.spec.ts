import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import type { Difference } from '../src/verify/result.js';
import type { Clock } from '../src/common/clock.js';
import { startDecidingProxy, type Passing } from './support/deciding-proxy.js';
import { folderWith } from '../../../test/support/folders.js';
import {
  accounts,
  FAST_CLOCK,
  instruction,
  LoaderWorld,
  ndjson,
  note,
  statement,
  transaction,
} from './support/loader.js';

const service = setUp(sharedService);

const NONE = { different: 0, missing: 0, unexpected: 0 };

const LINE_ITEM = {
  start_date: '2026-10-01',
  end_date: '2026-10-31',
  number_of_units: 210.5,
  net_amount: 59,
};
const TAX_ITEM = { amount: 2.95, tax_type: 'VAT', value_taxed: 59, rate: 0.05, unit_type: 'PROPORTION' };

const supplyCharge = (account: string, id: string): object =>
  transaction(account, id, {
    type: 'SUPPLY_CHARGE',
    amount: 61.95,
    product_code: 'FLAT-24',
    line_items: [LINE_ITEM],
    tax_items: [TAX_ITEM],
  });

/** Two accounts with rows of every kind, loaded; and one without rows. */
async function loaded(): Promise<{ given: LoaderWorld; one: string; other: string }> {
  const [one = '', other = '', empty = ''] = accounts(3);
  const given = await LoaderWorld.create(service, [one, other, empty], {
    // The rows of an account are not together.
    'notes.ndjson': [note(one, 'First'), note(other, 'Second'), note(one, 'Third', { is_pinned: true })],
    'statements.ndjson': [statement(one, 'S-1', { gross_amount: 84.21 }), statement(other, 'S-1')],
    'payment-instructions.ndjson': [instruction(other, 'ok_1'), instruction(one, 'ok_2')],
    'transactions.ndjson': [
      transaction(other, 'L-1'),
      supplyCharge(one, 'L-1'),
      transaction(one, 'L-2'),
      // Before the open statement period: it is moved.
      transaction(other, 'L-2', { transaction_date: '2024-03-10', note: 'in' }),
      transaction(one, 'L-1', { ...supplyCharge(one, 'L-1') }),
    ],
  });
  expect((await given.run('load', ['--force-add-to-current-statement', 'true'])).code).toBe(0);
  await service.database.sql(`UPDATE import_supplier SET status = 'paused' WHERE code = $1`, [
    given.world.supplier,
  ]);
  return { given, one, other };
}

describe('verify', () => {
  it('says that everything is there, and nothing else (V9)', async () => {
    const { given, one, other } = await loaded();
    const report = join(given.folder, 'report.html');
    const { code, stderr, result } = await given.verify(['--report', report]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(result).toMatchObject({
      accounts: { matched: 3, ...NONE },
      rows: { matched: 11, ...NONE },
      digest: result.service_digest,
      differences: [],
    });
    expect(result.digest).toMatch(/^[\da-f]{64}$/);
    expect(result).not.toHaveProperty('differences_omitted');
    const page = readFileSync(report, 'utf8');
    expect(/<h1>(.*)<\/h1>/.exec(page)?.[1]).toBe(
      'All 11 rows of 3 accounts are at the service, and nothing else.',
    );
    expect(page).not.toContain('<script');
    expect(page).toContain(result.digest);
    expect(page + JSON.stringify(result)).not.toMatch(new RegExp(`${one}|${other}|First|61\\.95`));
    const text = await given.run('verify');
    expect(text.stdout.split('\n')[0]).toBe(
      'All 11 rows of 3 accounts are at the service, and nothing else.',
    );
  });

  it('keeps what only its owner can read, and no rows (L5)', async () => {
    const { given } = await loaded();
    await given.verify();
    const folder = join(given.folder, '.data-import-loader', 'verify');
    const names = readdirSync(folder);
    const [name = ''] = names;
    expect(name).toMatch(/^entries-/);
    expect(names).toEqual([name, `${name}.uses`]);
    const modes = [folder, ...names.map((one) => join(folder, one))].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain('First');
  });

  it('names each row that was damaged in the database, with account, row and field (V9)', async () => {
    const { given, one, other } = await loaded();
    const { sql } = service.database;
    const of = `import_supplier_id = (SELECT id FROM import_supplier WHERE code = '${given.world.supplier}')`;
    const at = (account: string, more = ''): string =>
      `WHERE ${of} AND external_account_number = '${account}' ${more}`;
    const place = (account: string, kind: string, key: string, line: number | null): object => ({
      external_account_number: account,
      kind,
      key,
      file: line === null ? null : `${kind}.ndjson`,
      sheet: null,
      line,
    });
    const difference = (where: object, problem: string, ...fields: string[]): object => ({
      ...where,
      problem,
      fields,
    });
    const cases: readonly (readonly [damage: string, repair: string, differences: object[]])[] = [
      [
        `UPDATE transaction SET tax_items = jsonb_set(tax_items::jsonb, '{0,rate}', '0.0500000001') ${at(one, `AND transaction_id = 'L-1'`)}`,
        `UPDATE transaction SET tax_items = jsonb_set(tax_items::jsonb, '{0,rate}', '0.05') ${at(one, `AND transaction_id = 'L-1'`)}`,
        [difference(place(one, 'transactions', 'L-1', 2), 'different', 'tax_items.0.rate')],
      ],
      [
        `UPDATE note SET is_pinned = false ${at(one, `AND body = 'Third'`)}`,
        `UPDATE note SET is_pinned = true ${at(one, `AND body = 'Third'`)}`,
        [difference(place(one, 'notes', 'Third', 3), 'different', 'is_pinned')],
      ],
      [
        `UPDATE payment_instruction SET type = 'BPAY' ${at(other)}`,
        `UPDATE payment_instruction SET type = 'CARD' ${at(other)}`,
        [difference(place(other, 'payment-instructions', 'SANDBOX:ok_1', 1), 'different', 'type')],
      ],
      [
        `UPDATE statement SET external_account_number = CASE external_account_number WHEN '${one}' THEN '${other}' ELSE '${one}' END, statement_id = statement_id || external_account_number WHERE ${of}`,
        `UPDATE statement SET external_account_number = CASE external_account_number WHEN '${one}' THEN '${other}' ELSE '${one}' END, statement_id = 'S-1' WHERE ${of}`,
        [
          difference(place(one, 'statements', 'S-1', 1), 'missing'),
          difference(place(one, 'statements', `S-1${other}`, null), 'unexpected'),
          difference(place(other, 'statements', 'S-1', 2), 'missing'),
          difference(place(other, 'statements', `S-1${one}`, null), 'unexpected'),
        ],
      ],
    ];
    for (const [damage, repair, differences] of cases) {
      await sql(damage);
      const { code, result } = await given.verify();
      expect({ damage, code, differences: result.differences }).toEqual({ damage, code: 1, differences });
      expect(result.digest).not.toBe(result.service_digest);
      await sql(repair);
    }
    const { code, result } = await given.verify();
    expect({ code, rows: result.rows }).toEqual({ code: 0, rows: { matched: 11, ...NONE } });
  });

  it('names rows and accounts that are on one side only (V9)', async () => {
    const { given, one } = await loaded();
    const [unknown = ''] = accounts(1);
    const more = folderWith({ 'notes.ndjson': ndjson([note(one, 'More')]) });
    writeFileSync(join(given.folder, 'statements-2.ndjson'), ndjson([statement(unknown, 'S-7')]));
    const whole = folderWith({ 'notes.ndjson': ndjson([note(one, 'First')]) });
    const { code, stderr, stdout, result } = await given.verify([more, whole]);
    expect(code).toBe(1);
    expect(result).toMatchObject({
      accounts: { matched: 2, different: 1, missing: 1, unexpected: 0 },
      rows: { matched: 11, different: 0, missing: 2, unexpected: 0 },
    });
    const places = result.differences.map(({ external_account_number: account, key, file }: Difference) => [
      account,
      key,
      file,
    ]);
    expect(places).toEqual(
      [
        [one, 'More', join(more, 'notes.ndjson')],
        [unknown, 'S-7', join(given.folder, 'statements-2.ndjson')],
      ].sort(),
    );
    const said = stderr.trimEnd().split('\n').slice(-3);
    const target = given.target().join(' ');
    expect(said).toEqual([
      'Rows are missing. To send them, and to see which were rejected:',
      `data-import-loader load ${given.folder} ${target}`,
      `data-import-loader load ${more} ${target}`,
    ]);
    expect(result.groups.map(({ kind, code, count, first }) => [kind, code, count, first?.line])).toEqual([
      ['notes', 'missing', 1, 1],
      ['statements', 'missing', 1, 1],
    ]);
    expect(stdout).not.toContain('2026-10-01');
    // One of two folders that were loaded: the rest is unexpected.
    const only = await LoaderWorld.prototype.verify.call(
      Object.assign(Object.create(LoaderWorld.prototype) as LoaderWorld, given, { folder: more }),
    );
    expect(only.result.rows).toEqual({ matched: 0, different: 0, missing: 1, unexpected: 11 });
    expect(only.result.accounts).toEqual({ matched: 1, different: 1, missing: 0, unexpected: 1 });
  });

  it('compares some kinds only, and then has no digest', async () => {
    const { given } = await loaded();
    await service.database.sql(
      `DELETE FROM transaction t USING import_supplier s WHERE s.id = t.import_supplier_id AND s.code = $1`,
      [given.world.supplier],
    );
    const { code, result } = await given.verify(['--kinds', 'notes,statements']);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      rows: { matched: 5, ...NONE },
      digest: null,
      service_digest: null,
      kinds: ['notes', 'statements'],
    });
    expect((await given.verify()).result.rows).toMatchObject({ matched: 7, missing: 4 });
  });

  it('reads corrected rows instead of those that they replace, and names the ones that stayed failed (L6, V9)', async () => {
    const [account = ''] = accounts(1);
    const given = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [
        transaction(account, 'L-1', { type: 'FEE' }),
        transaction(account, 'L-2'),
        transaction(account, 'L-3', { amount: 'x' }),
      ],
    });
    expect((await given.run('load')).code).toBe(1);
    writeFileSync(
      join(given.folder, 'failures', 'transactions.ndjson'),
      ndjson([transaction(account, 'L-1')]),
    );
    expect((await given.run('retry')).code).toBe(1);
    const { result, stderr } = await given.verify();
    expect(result.rows).toEqual({ matched: 2, different: 0, missing: 1, unexpected: 0 });
    expect(result.differences).toMatchObject([{ key: 'L-3', file: 'transactions.ndjson', line: 3 }]);
    // What was refused is refused again by a load.
    expect(stderr).toContain(`data-import-loader load ${given.folder} `);
    await service.database.sql(
      `UPDATE transaction SET amount = 1 WHERE transaction_id = 'L-1' AND external_account_number = $1`,
      [account],
    );
    const [, difference] = (await given.verify()).result.differences;
    expect(difference).toMatchObject({ file: 'corrected/transactions.ndjson', line: 1, fields: ['amount'] });
    // What it replaces is gone.
    writeFileSync(join(given.folder, 'transactions.ndjson'), '');
    const changed = await given.run('verify');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('was changed after rows of it were corrected');
  });

  it('warns while the migration is ongoing', async () => {
    const { given } = await loaded();
    await service.database.sql(`UPDATE import_supplier SET status = 'ongoing' WHERE code = $1`, [
      given.world.supplier,
    ]);
    const { code, stdout, stderr } = await given.run('verify');
    expect(code).toBe(0);
    expect(stderr).toContain('is ongoing');
    expect(stdout).toContain('was ongoing');
  });

  it('refuses another loader on the folder, an unknown supplier and a wrong key (L5, L8)', async () => {
    const { given } = await loaded();
    const wrong = await given.run('verify', ['--supplier', 'NONE']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('NONE');
    const kept = readdirSync(join(given.folder, '.data-import-loader', 'verify'));
    expect(kept.filter((name) => !name.startsWith('entries-'))).toEqual([]);
    const both = await Promise.all([given.run('verify'), given.run('verify')]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(both.map((end) => end.stderr).join('')).toContain('Another data-import-loader');
  });

  it('says what it found when an account changes meanwhile (V9)', async () => {
    const { given, one } = await loaded();
    const { sql } = service.database;
    const change = (amount: number): Promise<unknown> =>
      sql(
        `UPDATE transaction SET amount = $2 WHERE external_account_number = $1 AND transaction_id = 'L-2'`,
        [one, amount],
      );
    await change(1);
    const proxy = await startDecidingProxy(service.baseUrl, async ({ path }) => {
      if (path.includes('/account-content/')) await change(12.5);
      return undefined;
    });
    const { code, result } = await given.verify([], proxy);
    expect({ code, changed: result.changed_accounts }).toEqual({ code: 0, changed: 1 });
    expect(result.digest).toBe(result.service_digest);
  });
});

describe('a verification that is interrupted', () => {
  /** More accounts than a page of the list has. */
  const COUNT = 1_200;

  /** What was found out is written after each account: a second passes whenever the time is asked for. */
  const slow = (): Clock => {
    let seconds = 0;
    return { ...FAST_CLOCK, now: () => Date.now() + (seconds += 1_000) };
  };

  let given: LoaderWorld;
  let numbers: readonly string[];

  beforeAll(async () => {
    numbers = accounts(COUNT);
    given = await LoaderWorld.create(service, numbers, {
      'transactions.ndjson': numbers.map((account) => transaction(account, 'L-1')),
    });
    expect((await given.run('load')).code).toBe(0);
    await service.database.sql(`UPDATE transaction SET amount = 1 WHERE external_account_number = ANY ($1)`, [
      [numbers[5], numbers[1_100]],
    ]);
  });

  const expected = {
    accounts: { matched: COUNT - 2, different: 2, missing: 0, unexpected: 0 },
    rows: { matched: COUNT - 2, different: 2, missing: 0, unexpected: 0 },
  };

  const pages = (paths: readonly Passing[]): (string | null)[] =>
    paths.flatMap(({ path }) =>
      path.includes('/account-contents/') ? [new URL(path, 'http://a').searchParams.get('after')] : [],
    );

  it('by a service that is away continues behind the accounts that were compared (V9, L8)', async () => {
    let isAway = true;
    const proxy = await startDecidingProxy(service.baseUrl, ({ path }) =>
      isAway && path.includes('after=') ? 'cut before' : undefined,
    );
    const stopped = await given.run('verify', ['--give-up-after', '1s'], { ...proxy, clock: slow() });
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('was unavailable');
    expect(stopped.stderr.trimEnd().split('\n').at(-1)).toBe(
      `data-import-loader verify ${given.folder} --base-url ${proxy.baseUrl} --supplier ${given.world.supplier} --give-up-after 1s`,
    );
    isAway = false;
    const before = proxy.passed.length;
    const { stderr, result } = await given.verify([], proxy);
    expect(stderr).toContain('is continued');
    expect(result).toMatchObject(expected);
    expect(pages(proxy.passed.slice(before))[0]).toBe(numbers[999]);
    const whole = await given.verify();
    expect(whole.stderr).not.toContain('is continued');
    expect([result.digest, result.service_digest]).toEqual([
      whole.result.digest,
      whole.result.service_digest,
    ]);
  });

  it('by a signal continues too, and begins anew with --again (V9, L8)', async () => {
    let running: ReturnType<LoaderWorld['start']> | undefined;
    const proxy = await startDecidingProxy(service.baseUrl, ({ path }) => {
      if (path.includes('after=')) running?.interrupt();
      return undefined;
    });
    running = given.start('verify', [], { ...proxy, clock: slow() });
    const stopped = await running.ended;
    running = undefined;
    expect({ code: stopped.code, stdout: stopped.stdout }).toEqual({ code: 3, stdout: '' });
    expect(stopped.stderr).toContain('Interrupted. To continue:');
    const before = proxy.passed.length;
    const continued = await given.verify([], proxy);
    expect(continued.stderr).toContain('is continued');
    expect(continued.result).toMatchObject(expected);
    expect(continued.result.differences.map(({ external_account_number: account }) => account)).toEqual([
      numbers[5],
      numbers[1_100],
    ]);
    const [first] = pages(proxy.passed.slice(before));
    expect((first ?? '') >= (numbers[900] ?? 'none')).toBe(true);
    running = given.start('verify', [], { ...proxy, clock: slow() });
    await running.ended;
    running = undefined;
    const anew = proxy.passed.length;
    expect((await given.verify(['--again'], proxy)).result).toMatchObject(expected);
    expect(pages(proxy.passed.slice(anew))[0]).toBeNull();
  });
});
