import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import type { Result } from '../src/report/result.js';
import { folderWith } from '../../../test/support/folders.js';
import {
  accounts,
  instruction,
  LoaderWorld,
  ndjson,
  note,
  statement,
  startLoader,
  transaction,
} from './support/loader.js';

const service = setUp(sharedService);

const transactions = (account: string, count: number): object[] =>
  Array.from({ length: count }, (_, index) => transaction(account, `L-${index}`));

const byKind = (account: string): Record<string, object[]> => ({
  'notes.ndjson': [note(account, 'first'), note(account, 'second')],
  'statements.ndjson': [statement(account, 'S-1'), statement(account, 'S-2')],
  'payment-instructions.ndjson': [instruction(account, 'ok_1')],
  'transactions.ndjson': transactions(account, 30),
});

const all = (read: number): object => ({ read, loaded: read, already: 0, failed: 0, unsent: 0 });

describe('load', () => {
  it('loads every kind, and says so (L7, L13)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    const { code, result, stderr } = await world.json('load');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(result).toMatchObject({
      ...all(35),
      kinds: { notes: all(2), statements: all(2), 'payment-instructions': all(1), transactions: all(30) },
      groups: [],
      dry_run: false,
    });
    const counts = ['already', 'failed', 'loaded', 'read', 'unsent'];
    const others = 'changed checked dry_run groups kinds left_out moved run seconds'.split(' ');
    const members = [...counts, ...others].sort();
    expect(Object.keys(result).sort()).toEqual(members);
    expect(Object.keys(result.kinds.notes ?? {}).sort()).toEqual(counts);
    expect(Object.keys((await world.json('status')).result).sort()).toEqual([...members, 'runs'].sort());
    expect(result.run).toMatch(/^[a-z2-9]{10}$/);
    expect(await world.stored('transaction')).toEqual({ [account]: 30 });
    const ids = await service.database.sql<{ id: string }>(
      `SELECT request_id AS id FROM import_request r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1`,
      [world.world.supplier],
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
    expect(ids.every(({ id }) => id.startsWith(`${result.run ?? ''}-`))).toBe(true);
  });

  it('does nothing more when everything is there, and everything again with --again', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    await world.run('load');
    expect(await world.json('load')).toMatchObject({ code: 0, result: all(35) });
    const again = await world.json('load', ['--again']);
    expect(again).toMatchObject({ code: 0, result: { read: 35, loaded: 3, already: 32, unsent: 0 } });
    expect(await world.stored('transaction')).toEqual({ [account]: 30 });
  });

  it('lets no refused row hold up the others of its request (L6, L10)', async () => {
    const [account = ''] = accounts(1);
    const bad = Array.from({ length: 1_200 }, (_, index) =>
      transaction(account, `B-${index}`, { type: 'FEE' }),
    );
    const rows = [...transactions(account, 40), ...bad, transaction(account, 'L-40', { amount: 1.234 })];
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rows });
    writeFileSync(join(world.folder, 'transactions.ndjson'), `${ndjson(rows)}{"no": \n`);
    const { code, result } = await world.json('load', ['--items-per-request', '5000']);
    expect(code).toBe(1);
    expect(result).toMatchObject({ read: 1_242, loaded: 40, failed: 1_202, unsent: 0 });
    expect(result.groups).toEqual([
      {
        detail: expect.any(String) as string,
        number: 1,
        kind: 'transactions',
        code: 'invalid_choice',
        attr: 'type',
        value: 'FEE',
        count: 1_200,
        first: { file: 'transactions.ndjson', sheet: null, line: 41 },
      },
      expect.objectContaining({ code: 'max_decimal_places', attr: 'amount', count: 1 }),
      expect.objectContaining({
        code: 'parse_error',
        attr: '',
        count: 1,
        first: { file: 'transactions.ndjson', sheet: null, line: 1_242 },
      }),
    ]);
    expect(world.read('failures', 'transactions.ndjson')).toBe(`${ndjson(rows.slice(40))}{"no": \n`);
    const errors = world.read('failures', 'transactions.errors.csv').split('\n');
    expect(errors[0]).toBe('file,line,external_account_number,code,attr,detail,sheet');
    expect(errors[1]).toMatch(new RegExp(`^transactions.ndjson,41,${account},invalid_choice,type,`));
    expect(errors).toHaveLength(1_204);
    const groups = JSON.parse((await world.run('failures', ['--json'])).stdout) as unknown;
    expect(groups).toEqual({ groups: result.groups });
  });

  it('keeps formulas of a row in failures/, and writes none into its list of errors (L6)', async () => {
    const [row = {}] = transactions('=1+1;=2', 1);
    const world = await LoaderWorld.create(service, [], { 'transactions.ndjson': [row] });
    const { code } = await world.json('load');
    expect(code).toBe(1);
    expect(world.read('failures', 'transactions.ndjson')).toBe(ndjson([row]));
    const [, error] = world.read('failures', 'transactions.errors.csv').split('\n');
    expect(error).toMatch(/^transactions\.ndjson,1,'=1\+1;'=2,account_not_found,/);
  });

  it('fails the rows of an account that is not imported, with one request, and loads the others (L10)', async () => {
    const [known = '', unknown = ''] = accounts(2);
    const world = await LoaderWorld.create(service, [known], {
      'transactions.ndjson': [...transactions(unknown, 20), ...transactions(known, 5)],
    });
    const { code, result } = await world.json('load', ['--items-per-request', '2', '--concurrency', '1']);
    expect(code).toBe(1);
    expect(result).toMatchObject({ read: 25, loaded: 5, failed: 20 });
    expect(result.groups).toMatchObject([
      { code: 'account_not_found', attr: 'external_account_number', count: 20 },
    ]);
  });

  it('takes the rows of one key apart, and names those with other content (L10)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'notes.ndjson': [
        note(account, 'same'),
        note(account, 'same'),
        note(account, 'same', { is_pinned: true }),
        { external_account_number: account, body: 'same' },
      ],
      'statements.ndjson': [
        statement(account, 'S-1', { gross_amount: 1 }),
        statement(account, 'S-1', { gross_amount: 2 }),
        statement(account, 'S-1', { gross_amount: 1.0 }),
      ],
      'payment-instructions.ndjson': [
        instruction(account, 'ok_1'),
        instruction(account, 'ok_1', { type: 'DIRECT_DEBIT' }),
        instruction(account, 'ok_1'),
      ],
      'transactions.ndjson': [
        transaction(account, 'L-1'),
        transaction(account, 'L-1'),
        transaction(account, 'L-1', { amount: 99 }),
      ],
    });
    const rehearsed = await world.json('load', ['--dry-run']);
    const { code, result } = await world.json('load');
    expect(code).toBe(1);
    expect(result).toMatchObject({
      kinds: {
        notes: { read: 4, loaded: 1, already: 2, failed: 1 },
        statements: { read: 3, loaded: 1, already: 1, failed: 1 },
        'payment-instructions': { read: 3, loaded: 1, already: 1, failed: 1 },
        transactions: { read: 3, loaded: 1, already: 1, failed: 1 },
      },
      checked: true,
    });
    const first = (name: string, line: number): object => ({
      count: 1,
      first: { file: `${name}.ndjson`, sheet: null, line },
    });
    const other = 'stored_with_other_content';
    expect(result.groups).toEqual(
      [
        { kind: 'notes', code: other, attr: 'is_pinned', ...first('notes', 3) },
        {
          kind: 'payment-instructions',
          code: 'payment_instruction_already_exists',
          attr: 'type',
          ...first('payment-instructions', 2),
        },
        {
          kind: 'statements',
          code: 'historical_statement_already_exists',
          attr: 'gross_amount',
          ...first('statements', 2),
        },
        { kind: 'transactions', code: other, attr: 'amount', ...first('transactions', 3) },
      ].map((group) => expect.objectContaining(group) as unknown),
    );
    // The sentence about an instruction is the service's own where it was sent.
    const withoutDetails = ({ kinds, groups }: Result): object => ({
      kinds,
      groups: groups.map(({ detail: _detail, ...group }) => group),
    });
    expect(withoutDetails(rehearsed.result)).toEqual(withoutDetails(result));
  });

  it('stores nothing in a dry run, and leaves the journal alone', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    const report = join(world.folder, 'report.html');
    const { code, result, stderr } = await world.json('load', ['--dry-run', '--report', report]);
    expect({ code, result }).toMatchObject({ code: 0, result: { ...all(35), dry_run: true } });
    expect(stderr).toMatch(/\ndata-import-loader load \S+ --base-url (?!.*--dry-run).*\n$/);
    expect(world.read('report.html')).toContain('all 35 rows can be loaded<');
    expect(await world.stored('transaction')).toEqual({});
    expect((await world.json('status')).result).toMatchObject({ read: 35, unsent: 35, loaded: 0 });
    expect(await world.json('load')).toMatchObject({ code: 0, result: all(35) });
    expect((await world.run('status')).stdout).not.toContain('data-import-loader');
    expect((await world.run('load')).stdout).toMatch(/^Nothing was left to send\.\nEvery row is there\.$/m);
    const { stdout, stderr: said } = await world.run('load', ['--dry-run', '--report', report]);
    expect(stdout).toContain(' read  loadable  already there ');
    expect(said).toContain('Every row can be loaded or is there already. To load:');
    expect(world.read('report.html')).toContain('all 35 rows can be loaded or are there already');
  });

  it('stops at more errors than allowed, and goes on (L4, L8)', async () => {
    const [account = ''] = accounts(1);
    const rows = Array.from({ length: 40 }, (_, index) =>
      transaction(account, `L-${index}`, index < 10 ? { type: 'FEE' } : {}),
    );
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rows });
    const args = ['--max-errors', '3', '--items-per-request', '5'];
    const { code, result, stderr } = await world.json('load', args);
    expect(code).toBe(3);
    expect(result).toMatchObject({ read: 40, loaded: 0, failed: 5, unsent: 35 });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(
      `data-import-loader load ${world.folder} --base-url`,
    );
    expect(await world.json('load', ['--items-per-request', '5'])).toMatchObject({
      code: 1,
      result: { read: 40, loaded: 30, failed: 10, unsent: 0 },
    });
    const { stdout: status } = await world.run('status');
    expect(status.trimEnd().split('\n').at(-1)).toContain(
      `data-import-loader retry ${world.folder} --base-url`,
    );
  });

  it('names the command that continues as the last line, also after an error that nothing expects (L8)', async () => {
    const [account = ''] = accounts(1);
    const rows = [transaction(account, 'L-1'), transaction(account, 'L-2', { type: 'FEE' })];
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rows, failures: '' });
    const { code, stdout, stderr } = await world.run('load');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      `${world.folder}/failures cannot be used: not a directory (ENOTDIR). Then continue with:`,
      `data-import-loader load ${world.folder} --base-url ${service.baseUrl} --supplier ${world.world.supplier}`,
    ]);
    rmSync(join(world.folder, 'failures'));
    expect(await world.json('load')).toMatchObject({ code: 1, result: { loaded: 1, failed: 1, already: 0 } });
  });

  it.each([
    ['of other names', { 'Buchungen.csv': 'Konto;Betrag\n1;12,50\n' }, []],
    ['with other columns', { 'transactions.csv': 'Konto,Betrag\n1,2\n' }, ['--dry-run']],
  ])('says for files %s how a mapping is proposed (L11)', async (_, files, more) => {
    const world = await LoaderWorld.create(service, [], files);
    const { code, stderr } = await world.run('load', more);
    expect(code).toBe(2);
    expect(stderr).toContain(` map ${world.folder} --output mapping.json\n`);
  });

  it('sends nothing while something lies in the folder that is not loaded, unless it is left out (L1, L8)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': transactions(account, 1),
      'transactions.xls': '',
      'old.csv': '',
    });
    mkdirSync(join(world.folder, '2024'));
    writeFileSync(join(world.folder, '2024', 'notes.csv'), '');
    const refused: readonly (readonly [command: string, more: readonly string[]])[] = [
      ['load', []],
      ['load', ['--dry-run']],
      ['load', ['--ignore', 'old.csv', '--ignore', '*.xls']],
      ['verify', []],
    ];
    for (const [command, more] of refused) {
      const { code, stdout, stderr } = await world.run(command, more);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('\n  2024/notes.csv: it is in a subfolder\n');
      expect(stderr.includes('transactions.xls: workbooks of this format are not supported')).toBe(
        !more.includes('--ignore'),
      );
    }
    expect(readdirSync(world.folder)).not.toContain('failures');
    expect(await world.stored('transaction')).toEqual({});
    const leftOut = ['--ignore', 'old.csv', '--ignore', '*.xls', '--ignore', '2024'];
    const rehearsed = await world.json('load', [...leftOut, '--dry-run']);
    expect(rehearsed.stderr.trimEnd().split('\n').at(-1)).toMatch(
      / --ignore old\.csv --ignore '\*\.xls' --ignore 2024 --json$/,
    );
    expect(await world.json('load', leftOut)).toMatchObject({ code: 0, result: all(1) });
    expect((await world.verify(leftOut)).code).toBe(0);
  });

  it('loads .jsonl, .tsv and .txt, and gives back failed rows in their form (L1, L6)', async () => {
    const [account = ''] = accounts(1);
    const names = ['external_account_number', 'transaction_id', 'transaction_date', 'amount', 'type', 'note'];
    const table = (delimiter: string, ...rows: string[][]): string =>
      [names, ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
    const row = (id: string, amount: string): string[] => [
      ...[account, id, '2026-11-05', amount, 'CREDIT'],
      '"in, out"',
    ];
    const world = await LoaderWorld.create(service, [account], {
      'transactions-1.jsonl': [transaction(account, 'L-1')],
      'transactions-2.tsv': table('\t', row('L-2', '1.50'), row('L-3', '1.234')),
      'transactions-3.txt': table(',', row('L-4', '2')),
    });
    expect(await world.json('load')).toMatchObject({ code: 1, result: { loaded: 3, failed: 1 } });
    expect(world.read('failures', 'transactions.tsv')).toBe(table('\t', row('L-3', '1.234')));
    writeFileSync(join(world.folder, 'failures', 'transactions.tsv'), table('\t', row('L-3', '1.23')));
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { loaded: 4, failed: 0 } });
    expect((await world.verify()).result.rows).toMatchObject({ matched: 4, different: 0, missing: 0 });
  });

  it('refuses a file that was changed, naming it and what to do', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    await world.run('load');
    writeFileSync(join(world.folder, 'transactions.ndjson'), ndjson(transactions(account, 31)));
    const { code, stderr, stdout } = await world.run('load');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('transactions.ndjson was changed.');
    expect(stderr).toContain('--again');
    expect(await world.json('load', ['--again', '--kinds', 'transactions'])).toMatchObject({
      code: 0,
      result: { read: 31, loaded: 1, already: 30 },
    });
    writeFileSync(join(world.folder, 'notes-2.ndjson'), ndjson([note(account, 'another one')]));
    const added = await world.run('load');
    expect(added.code).toBe(2);
    expect(added.stderr).toMatch(/notes-2\.ndjson was added\. .*--again.* a folder of its own\./);
    const tried = await world.run('load', ['--dry-run']);
    expect(tried.stderr).toMatch(/notes-2\.ndjson was added\. [^]*\n.* load .* --again\n$/);
    for (const name of ['notes.ndjson', 'notes-2.ndjson']) rmSync(join(world.folder, name));
    const removed = await world.json('load', ['--dry-run']);
    expect(removed.result.kinds.notes).toBeUndefined();
    expect(removed.stderr).toMatch(/notes\.ndjson was removed\. [^]*\n.* load .* --again\n$/);
  });

  it('refuses to count what another supplier or service has', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    // One that has nothing is only mistyped.
    expect((await world.run('load', ['--supplier', 'OTHER'])).code).toBe(2);
    await world.run('load');
    const { code, stderr } = await world.run('load', ['--supplier', 'OTHER']);
    expect(code).toBe(2);
    expect(stderr).toContain('--again');
  });

  it('stops with a sentence when the supplier, its migration or the key is refused', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    const unknown = await world.json('load', ['--supplier', 'NONE']);
    expect(unknown).toMatchObject({ code: 2, result: { read: 35, unsent: 35 } });
    expect(unknown.stderr).toContain('NONE');

    await service.database.sql(`UPDATE import_supplier SET status = 'paused' WHERE code = $1`, [
      world.world.supplier,
    ]);
    const paused = await world.json('load', ['--again']);
    expect(paused).toMatchObject({ code: 3, result: { read: 35, unsent: 35, failed: 0 } });

    const key = 'adi_live_secret';
    const args = ['load', world.folder, ...world.target(), '--json'];
    const refused = await startLoader(args, { DATA_IMPORT_API_KEY: key }).ended;
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('API key');
    expect(refused.stdout + refused.stderr).not.toContain(key);
  });

  it("keeps customers' data and what is said of it from others", async () => {
    const [account = ''] = accounts(1);
    const rows = [transaction(account, 'L-1'), transaction(account, 'L-2', { type: 'FEE' })];
    const world = await LoaderWorld.create(service, [account], { 'transactions.ndjson': rows });
    await world.run('load', ['--dry-run']);
    const { stdout, stderr } = await world.run('load', ['--report', join(world.folder, 'report.html')]);
    expect(stdout + stderr).not.toContain(world.apiKey);
    const modes = (path: string): void => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const of = join(path, entry.name);
        expect([of, statSync(of).mode & 0o077]).toEqual([of, 0]);
        if (entry.isDirectory()) modes(of);
      }
    };
    for (const name of ['.data-import-loader', 'failures', 'dry-run']) {
      expect(statSync(join(world.folder, name)).mode & 0o077).toBe(0);
      modes(join(world.folder, name));
    }
    const report = world.read('report.html');
    expect(report).not.toContain('<script');
    expect(report).toContain('<svg');
    expect(report).toContain('invalid_choice');
    const everything = readdirSync(world.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => world.read(join(entry.parentPath.slice(world.folder.length), entry.name)));
    expect(everything.some((text) => text.includes(world.apiKey) || text.includes('eyJ'))).toBe(false);
    expect(existsSync(join(world.folder, 'corrected'))).toBe(false);
  });

  it('lets one loader at a time work on a folder (L5)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], byKind(account));
    const ends = await Promise.all([world.run('load'), world.run('load')]);
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(ends.find(({ code }) => code === 2)?.stderr).toContain('Another data-import-loader');
  });

  it.each(['load', 'retry', 'verify', 'status', 'failures'])(
    '%s follows no link in the place of its folder (L5)',
    async (command) => {
      const world = await LoaderWorld.create(service, [], { 'transactions.ndjson': transactions('A', 1) });
      const elsewhere = folderWith({});
      chmodSync(elsewhere, 0o755);
      symlinkSync(elsewhere, join(world.folder, '.data-import-loader'));
      const { code, stderr } = await world.run(command);
      expect(code).toBe(2);
      expect(stderr).toContain('.data-import-loader is a symbolic link');
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(statSync(elsewhere).mode & 0o777).toBe(0o755);
    },
  );
});
