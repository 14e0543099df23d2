import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { accounts, LoaderWorld, ndjson, note, transaction } from './support/loader.js';

const service = setUp(sharedService);

/** Rows of which two transactions and two notes are refused. */
async function loaded(): Promise<{ world: LoaderWorld; account: string }> {
  const [account = ''] = accounts(1);
  const world = await LoaderWorld.create(service, [account], {
    'notes.ndjson': [
      note(account, 'good'),
      note(account, 'bad', { created_at: 'today' }),
      note(account, 'worse', { created_at: 'yesterday' }),
    ],
    'transactions.ndjson': [
      transaction(account, 'L-1'),
      transaction(account, 'L-2', { type: 'FEE' }),
      transaction(account, 'L-3', { amount: 'x' }),
    ],
  });
  expect(await world.json('load')).toMatchObject({ code: 1, result: { read: 6, loaded: 2, failed: 4 } });
  return { world, account };
}

const edit = (world: LoaderWorld, name: string, rows: readonly object[]): void => {
  writeFileSync(join(world.folder, 'failures', name), ndjson(rows));
};

describe('retry', () => {
  it('loads corrected rows, keeps them with what they replace, and takes them out of the failures (L3, L6)', async () => {
    const { world, account } = await loaded();
    edit(world, 'notes.ndjson', [note(account, 'bad'), note(account, 'worse', { created_at: 'yesterday' })]);
    const strangers = ['notes-old.ndjson', 'transactions.ndjson.bak'];
    for (const name of strangers) edit(world, name, [note(account, 'bad')]);
    edit(world, 'transactions.ndjson', [
      transaction(account, 'L-2'),
      transaction(account, 'L-3', { amount: 3 }),
    ]);
    const retried = await world.json('retry');
    expect(retried).toMatchObject({ code: 1, result: { read: 6, loaded: 5, failed: 1, unsent: 0 } });
    expect(retried.stderr).toContain(`left alone in ${world.folder}/failures: ${strangers.join(', ')}.\n`);
    expect(readdirSync(join(world.folder, 'failures'))).toEqual(expect.arrayContaining(strangers));
    expect(await world.stored('transaction')).toEqual({ [account]: 3 });
    expect(existsSync(join(world.folder, 'failures', 'transactions.ndjson'))).toBe(false);
    expect(world.read('failures', 'notes.ndjson')).toBe(
      ndjson([note(account, 'worse', { created_at: 'yesterday' })]),
    );
    expect(world.read('corrected', 'transactions.ndjson')).toBe(
      ndjson([transaction(account, 'L-2'), transaction(account, 'L-3', { amount: 3 })]),
    );
    expect(world.read('corrected', 'transactions.replaces.csv')).toBe(
      'file,line,corrected_file,corrected_line,sheet,place\ntransactions.ndjson,2,transactions.ndjson,1,,\ntransactions.ndjson,3,transactions.ndjson,2,,\n',
    );
    edit(world, 'notes.ndjson', [note(account, 'worse')]);
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { read: 6, loaded: 6, failed: 0 } });
    expect(await world.json('load')).toMatchObject({ code: 0, result: { read: 6, loaded: 6 } });
    expect(existsSync(join(world.folder, 'failures', 'notes.errors.csv'))).toBe(false);
  });

  it('can be tried: a dry run gives the verdict of the real one and changes nothing (L3)', async () => {
    const { world, account } = await loaded();
    const rows = [transaction(account, 'L-2'), transaction(account, 'L-3', { amount: 'y' })];
    edit(world, 'transactions.ndjson', rows);
    const tried = await world.json('retry', ['--dry-run']);
    expect(tried.stderr).toMatch(/\ndata-import-loader retry \S+ --base-url (?!.*--dry-run).*\n$/);
    expect(tried).toMatchObject({ code: 1, result: { read: 6, loaded: 3, failed: 3, dry_run: true } });
    // The rows themselves are in one place only.
    expect(readdirSync(join(world.folder, 'dry-run'))).toEqual([
      'notes.errors.csv',
      'transactions.errors.csv',
    ]);
    expect(tried.stderr).toContain(`What is wrong with them now is in ${world.folder}/dry-run/.`);
    expect(await world.stored('transaction')).toEqual({ [account]: 1 });
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson(rows));
    expect(existsSync(join(world.folder, 'corrected'))).toBe(false);
    expect((await world.json('status')).result).toMatchObject({ loaded: 2, failed: 4 });
    const { code, result } = await world.json('retry');
    expect({ code, kinds: result.kinds, groups: result.groups }).toEqual({
      code: 1,
      kinds: tried.result.kinds,
      groups: tried.result.groups,
    });
  });

  it('leaves rows failed that were removed (L3)', async () => {
    const { world, account } = await loaded();
    edit(world, 'transactions.ndjson', [transaction(account, 'L-3', { amount: 3 })]);
    expect(await world.json('retry')).toMatchObject({ code: 1, result: { loaded: 3, failed: 3 } });
    expect(world.read('failures', 'transactions.ndjson')).toBe(
      ndjson([transaction(account, 'L-2', { type: 'FEE' })]),
    );
    const { stderr } = await world.verify();
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      `Rows were rejected. Correct them in ${world.folder}/failures, and send them again:`,
      expect.stringContaining(`data-import-loader retry ${world.folder} --base-url`),
    ]);
    expect(world.read('corrected', 'transactions.replaces.csv')).toContain('transactions.ndjson,3,');
  });

  it('takes rows and a header that a spreadsheet has put in quotes, and no other header (L6)', async () => {
    const [account = ''] = accounts(1);
    const table = `external_account_number,transaction_id,transaction_date,amount,type\n${account},Q-1,2026-11-05,1.00,CHARG\n`;
    const world = await LoaderWorld.create(service, [account], { 'transactions.csv': table });
    expect((await world.run('load')).code).toBe(1);
    const save = (text: string): void => {
      writeFileSync(join(world.folder, 'failures', 'transactions.csv'), text);
    };
    const quoted = table.replace('CHARG\n', 'CHARGE\n').replaceAll(/[^,\n]+/g, '"$&"');
    for (const other of [table.replaceAll(',', ';'), quoted.replace('"type"', '"Type"')]) {
      save(other);
      expect((await world.run('retry')).stderr).toContain('the header was changed');
    }
    save(`\uFEFF${quoted.replaceAll('\n', '\r\n')}`);
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { read: 1, loaded: 1 } });
    expect((await world.verify()).code).toBe(0);
  });

  it('sends one group only (L3)', async () => {
    const { world, account } = await loaded();
    edit(world, 'transactions.ndjson', [
      transaction(account, 'L-2'),
      transaction(account, 'L-3', { amount: 3 }),
    ]);
    const { result } = await world.json('status');
    const group = result.groups.find(({ attr }) => attr === 'type');
    expect(await world.json('retry', ['--group', String(group?.number)])).toMatchObject({
      code: 1,
      result: { loaded: 3, failed: 3 },
    });
    expect(world.read('failures', 'transactions.ndjson')).toBe(
      ndjson([transaction(account, 'L-3', { amount: 3 })]),
    );
    expect((await world.run('retry', ['--group', '99'])).code).toBe(2);
  });

  it('refuses rows that were added', async () => {
    const { world, account } = await loaded();
    const rows = [transaction(account, 'L-2'), transaction(account, 'L-3'), transaction(account, 'L-9')];
    edit(world, 'transactions.ndjson', rows);
    const { code, stderr } = await world.run('retry');
    expect(code).toBe(2);
    expect(stderr).toContain('failures/transactions.ndjson:3 is none of the rows that failed.');
  });

  it('keeps corrections that were not sent yet when another load writes the failures', async () => {
    const { world, account } = await loaded();
    const rows = [transaction(account, 'L-2'), transaction(account, 'L-3', { amount: 3 })];
    edit(world, 'transactions.ndjson', rows);
    await world.run('load');
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson(rows));
    expect(await world.json('retry')).toMatchObject({ result: { loaded: 4, failed: 2 } });
  });
});
