import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCommand, runJson, startCommand, startProcess, refusedWith } from '../../../support/cli.js';
import { unique, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { waitUntil } from '../../../support/wait-until.js';
import { folderWith } from '../../../support/folders.js';
import { statusOf } from '../../../support/suppliers.js';

const service = setUp(sharedService);
const folder = folderWith();

interface Supplier extends World {
  readonly of: SupplierOperations;
}

/** A supplier with the imported accounts a and b; control totals: a note and a charge each, which for b is 0.30. */
async function supplier(): Promise<Supplier> {
  const world = await service.given.supplier();
  const of = new SupplierOperations(service, world);
  await of.stage(['a'], [], { notes: 1, transactions: { count: 1 } });
  await of.stage(['b'], [], { notes: 1, transactions: { amount: 0.3 } });
  await of.import();
  return { ...world, of };
}

const charge = (amount: number, id = 't'): object => ({
  transactions: [{ transaction_id: id, transaction_date: '2025-12-31', amount, type: 'CHARGE' }],
});

async function load(of: SupplierOperations): Promise<void> {
  for (const number of ['a', 'b']) {
    expect(await of.post('notes/create/', number, { notes: [{ body: 'One' }] })).toBe(201);
    expect(await of.post('transactions/create/', number, charge(number === 'a' ? 1.25 : 0.3))).toBe(201);
  }
}

const migration = (command: string, code: string, ...options: string[]): ReturnType<typeof runJson> =>
  runJson(service.database, ['migration', command, code, ...options]);

/** Do something while a transaction is about to write rows, like that of a request. */
async function whileWriting(act: () => Promise<void>): Promise<void> {
  const end = await service.database.lock('note', 'ROW EXCLUSIVE');
  try {
    await act();
  } finally {
    await end();
  }
}

const actionsOf = async (code: string): Promise<unknown> => {
  const { json } = await runJson(service.database, ['audit', 'list', '--supplier', code]);
  return (json as { action: string; details: unknown }[])
    .filter(({ action }) => action.startsWith('supplier.') && action !== 'supplier.create')
    .map(({ action, details }) => [action, details]);
};

describe('data-import migration status', () => {
  it('shows how many accounts currently differ from their control totals (V6)', async () => {
    const { supplier: code, of } = await supplier();
    const before = Math.floor(Date.now() / 1000) * 1000;
    await of.post('notes/create/', 'a', { notes: [{ body: 'One' }] });
    await of.post('transactions/create/', 'a', charge(7));
    const { json } = await migration('status', code);
    expect(json).toMatchObject({ control: { with: 2, agree: 1, differ: 1 } });
    const { control } = json as { control: { at: string } };
    expect(Date.parse(control.at)).toBeGreaterThanOrEqual(before - 1000);
    const { stdout } = await runCommand(service.database, ['migration', 'status', code]);
    expect(stdout).toMatch(/^With control totals +2$/m);
    expect(stdout).toMatch(/^Not imported +0$/m);
    expect(stdout).toMatch(/^Not complete yet +1$/m);
    expect(stdout).toMatch(/^Rejected requests +Failures .* data-import imports list \S+ --runs$/m);
  });

  it('names the next command, from staging to the end (section 6, V6)', async () => {
    const world = await service.given.supplier();
    const { supplier: code } = world;
    const of = new SupplierOperations(service, world);
    const next = async (): Promise<unknown> => {
      const { json } = await migration('status', code);
      return (json as { next: { command: unknown } }).next.command;
    };
    const set = (status: string): Promise<unknown> =>
      runJson(service.database, ['supplier', 'set', code, '--status', status]);
    expect(await next()).toBe(`accounts stage ${code} FILE`);
    await of.stage(['a', 'b'], ['b'], { notes: 1 });
    expect(await next()).toBe(`accounts import ${code}`);
    await set('paused');
    expect(await next()).toBe(`supplier set ${code} --status ongoing`);
    await set('ongoing');
    await of.import();
    expect(await next()).toBe(`accounts retry ${code} --all`);
    await of.stage(['b'], [], { notes: 1 });
    await of.import();
    expect(await next()).toBe(null);
    const note = { body: 'One', document_paths: [{ document_path: 'a.pdf' }] };
    for (const number of ['a', 'b']) await of.post('notes/create/', number, { notes: [note] });
    expect(await next()).toBe(`documents check ${code}`);
    await service.database.sql(
      `DELETE FROM note n USING import_supplier s WHERE s.id = n.import_supplier_id AND s.code = $1`,
      [code],
    );
    expect(await next()).toBe(`migration complete ${code}`);
    const { stdout } = await runCommand(service.database, ['migration', 'status', code]);
    expect(stdout).toMatch(new RegExp(`^Next command +data-import migration complete ${code}$`, 'm'));
    await of.post('notes/create/', 'a', { notes: [{ body: 'Two' }] });
    expect(await next()).toBe(`migration differences ${code}`);
    await set('complete');
    expect(await next()).toBe(null);
  });

  it('quotes a code with spaces in the next command for a shell (section 6)', async () => {
    // From before codes had a rule.
    const [code, created] = [unique("Acme's Energy"), unique('ACME')];
    await runJson(service.database, ['supplier', 'create', created, '--name', 'Acme']);
    await service.database.sql('UPDATE import_supplier SET code = $2 WHERE code = $1', [created, code]);
    const { stdout } = await runCommand(service.database, ['migration', 'status', code]);
    const [, command = ''] = /^Next command +(.*)$/m.exec(stdout) ?? [];
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
    expect(words.trimEnd().split('\n')).toEqual(['data-import', 'accounts', 'stage', code, 'FILE']);
  });
});

describe('data-import accounts set-controls', () => {
  it('applies the good lines of a file, names the bad ones, and records the changes without amounts (V6, O6)', async () => {
    const { supplier: code } = await supplier();
    const lines = [
      '{"external_account_number":"a","control":{"notes":2,"transactions":{"amount":12345678901234567.89}}}',
      '{"external_account_number":"b","control":null}',
      '{"external_account_number":"nobody","control":{"notes":1}}',
      '{"external_account_number":"a","control":{"notes":-1}}',
    ];
    const command = ['accounts', 'set-controls', code, '-'];
    const set = await runJson(service.database, command, lines.join('\n'));
    expect(set).toMatchObject({ exitCode: 1, json: { changed: 2, unchanged: 0 } });
    const { errors } = set.json as { errors: { line: number; code: string; detail: string }[] };
    expect(errors.map(({ line, code: error }) => [line, error]).sort()).toEqual([
      [3, 'account_not_found'],
      [4, 'min_value'],
    ]);
    const csv =
      'external_account_number,control.notes,control.transactions.amount\na,2,12345678901234567.89\nb,,\n';
    expect(await runJson(service.database, [...command, '--format', 'csv'], csv)).toMatchObject({
      exitCode: 0,
      json: { changed: 0, unchanged: 2, errors: [] },
    });
    expect(
      await runJson(service.database, [...command, '--format', 'csv'], 'external_account_number,control.x\n'),
    ).toMatchObject(refusedWith('invalid_header'));
    const { json } = await runJson(service.database, ['audit', 'list', '--supplier', code]);
    const entries = (json as { action: string; subject: string; details: object }[])
      .filter(({ action }) => action === 'account.set_control')
      .map(({ subject, details }) => ({ subject, details }));
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([
        {
          subject: 'a',
          details: { from: { notes: 1, transactions: 1 }, to: { notes: 2 }, is_amount_changed: true },
        },
        { subject: 'b', details: { from: { notes: 1 }, to: {}, is_amount_changed: true } },
      ]),
    );
    const run = (json as { action: string; details: object }[]).filter(
      ({ action }) => action === 'accounts.set_controls',
    );
    expect(run.map(({ details }) => details)).toMatchObject([
      { event: 'ended', outcome: 'complete', changed: 2, unchanged: 0, bad: 2 },
      { event: 'started' },
    ]);
    expect((await migration('differences', code)).json).toMatchObject([
      {
        external_account_number: 'a',
        expected: { notes: 2, transactions: { amount: '12345678901234567.89' } },
      },
    ]);
  });
});

describe('data-import migration differences', () => {
  it('counts the rows, including accounts that are not imported, but not notes that the service pinned (V6, X7)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    expect(await migration('differences', code)).toEqual({ exitCode: 0, stderr: '', json: [] });
    await of.stage(['c', 'd'], ['d'], { payment_instructions: 1, historical_statements: 0 });
    await of.stage(['e'], [], { notes: 0 });
    // The counts in the requests' records are not used.
    await service.database.sql(
      `UPDATE transaction t SET amount = 0.29 FROM import_supplier s
        WHERE s.id = t.import_supplier_id AND s.code = $1 AND t.external_account_number = 'b'`,
      [code],
    );
    const found = (transactions: object): object => ({
      ...{ notes: 1, transactions, historical_statements: 0, payment_instructions: 0 },
    });
    const nothing = { ...found({ count: 0, amount: '0.00' }), notes: 0 };
    const expected = { historical_statements: 0, payment_instructions: 1 };
    expect((await migration('differences', code)).json).toEqual([
      {
        external_account_number: 'b',
        expected: { notes: 1, transactions: { amount: '0.30' } },
        found: found({ count: 1, amount: '0.29' }),
      },
      { external_account_number: 'c', expected, found: nothing },
      { external_account_number: 'd', expected, found: nothing },
    ]);
    const { stdout } = await runCommand(service.database, ['migration', 'differences', code]);
    expect(stdout).toContain('b: amount 0.29 instead of 0.30\n');
    expect(stdout).toContain('c: payment instructions 0 instead of 1\n');
    expect(stdout).toContain('3 accounts differ from the control totals.');
    expect((await migration('differences', 'NOBODY')).json).toMatchObject({
      error: { code: 'supplier_not_found' },
    });
  });
});

describe('data-import migration complete', () => {
  it('is refused while an account is missing or differs, with the counts, and keeps the status (V6)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    await of.stage(['c']);
    const refused = await migration('complete', code);
    expect(refused).toMatchObject({
      exitCode: 1,
      json: {
        error: {
          code: 'migration_not_complete',
          accounts: { imported: 2, pending: 1, in_progress: 0, failed: 0 },
          control: { with: 2, agree: 2, differ: 0 },
        },
      },
    });
    await of.stage(['c'], ['c']);
    await of.import();
    expect((await migration('complete', code)).json).toMatchObject({
      error: { accounts: { imported: 2, pending: 0, failed: 1 }, control: { differ: 0 } },
    });
    await of.stage(['c']);
    await of.import();
    await of.setControls(['a'], { notes: 2 });
    expect((await migration('complete', code)).json).toMatchObject({
      error: { control: { with: 2, agree: 1, differ: 1 } },
    });
    expect(await statusOf(service.database, { supplier: code })).toBe('ongoing');
    expect(await actionsOf(code)).toEqual([]);
    await of.setControls(['a'], { notes: 1 });
    const done = {
      accounts: { imported: 3, pending: 0, in_progress: 0, failed: 0 },
      control: { with: 2, agree: 2, differ: 0 },
    };
    expect(await migration('complete', code)).toEqual({
      exitCode: 0,
      stderr: '',
      json: { import_supplier: code, status: 'complete', ...done },
    });
    expect(await statusOf(service.database, { supplier: code })).toBe('complete');
    expect(await actionsOf(code)).toMatchObject([
      [
        'supplier.complete',
        { from: { status: 'paused' }, to: { status: 'complete' }, control: { with: 2, differ: 0 } },
      ],
      ['supplier.set', { from: { status: 'ongoing' }, to: { status: 'paused' } }],
    ]);
    expect(await migration('complete', code)).toMatchObject({ exitCode: 0 });
    expect(await actionsOf(code)).toHaveLength(2);
  });

  it('can be forced for a reason, which is recorded with the counts (V6, O6)', async () => {
    const { supplier: code } = await supplier();
    expect(await migration('complete', code, '--force')).toMatchObject({ exitCode: 2 });
    expect(await migration('complete', code, '--reason', 'x')).toMatchObject({ exitCode: 2 });
    expect(await migration('complete', code, '--force', '--reason', 'agreed')).toMatchObject({
      exitCode: 0,
      json: { status: 'complete', control: { with: 2, agree: 0, differ: 2 } },
    });
    expect(((await actionsOf(code)) as unknown[])[0]).toMatchObject([
      'supplier.complete',
      { forced: true, reason: 'agreed', control: { with: 2, differ: 2 } },
    ]);
    expect(await migration('complete', code)).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'migration_not_complete', control: { with: 2, agree: 0, differ: 2 } } },
    });
  });

  it('waits for requests in progress, and does not complete if one of them makes a difference (V6)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    const other = await service.database.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                                amount, type)
       SELECT s.id, 'a', 'late', uuidv7(), '2026-01-01', 1, 'CHARGE' FROM import_supplier s WHERE s.code = $1`,
      [code],
    );
    // The request has seen the supplier as ongoing, and stores its row after the command has paused it.
    const post = of.post('transactions/create/', 'a', charge(1, 'late'));
    await service.database.blocked(1);
    const command = startCommand(service.database, ['migration', 'complete', code, '--json']);
    await waitUntil(
      'the supplier is paused',
      async () => (await statusOf(service.database, { supplier: code })) === 'paused',
    );
    await other.query('ROLLBACK');
    await other.end();
    expect(await post).toBe(201);
    expect(await command.ended).toMatchObject({ exitCode: 1 });
    expect(await statusOf(service.database, { supplier: code })).toBe('ongoing');
  });

  it('prevents changes of control totals while it waits, and keeps the status when it is interrupted (V6)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    const stderr = new PassThrough({ encoding: 'utf8' });
    const said: string[] = [];
    stderr.on('data', (sentence: string) => said.push(sentence));
    let setting: Promise<unknown> | undefined;
    await whileWriting(async () => {
      const command = startCommand(service.database, ['migration', 'complete', code], {}, { stderr });
      await waitUntil('it says that it waits', () => said.length > 0);
      setting = of.setControls(['a'], { notes: 2 });
      await service.database.blocked(1);
      command.signal('SIGINT');
      expect(await command.ended).toMatchObject({ exitCode: 1 });
    });
    expect(said.join('')).toBe(
      'Waiting for requests that began before the supplier was paused …\n' +
        'Interrupted: run the command again to complete the migration.\n',
    );
    expect(await statusOf(service.database, { supplier: code })).toBe('ongoing');
    expect(await setting).toMatchObject({ counts: { changed: 1 } });
  });

  it('leaves the supplier paused when its process is killed, and can be repeated (V6)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    await whileWriting(async () => {
      const { process, ended } = startProcess(service.database, ['migration', 'complete', code]);
      await waitUntil(
        'the supplier is paused',
        async () => (await statusOf(service.database, { supplier: code })) === 'paused',
      );
      process.kill('SIGKILL');
      await ended;
    });
    expect(await statusOf(service.database, { supplier: code })).toBe('paused');
    await of.setControls(['a'], { notes: 2 });
    expect(await migration('complete', code)).toMatchObject({ exitCode: 1 });
    expect(await statusOf(service.database, { supplier: code })).toBe('paused');
    await of.setControls(['a'], { notes: 1 });
    expect(await migration('complete', code)).toMatchObject({ exitCode: 0, json: { status: 'complete' } });
  });
});

describe('data-import migration certificate', () => {
  it('has the same counts, sums and digests of the accounts as the interface (V4, V8)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    await of.post('transactions/create/', 'a', {
      transactions: [
        { transaction_id: 'p', transaction_date: '2026-01-15', amount: -1000000.5, type: 'PAYMENT' },
      ],
    });
    await of.stage(['c', 'd'], ['d'], { notes: 0 });
    const { exitCode, json } = await migration('certificate', code);
    expect(exitCode).toBe(0);
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const digests = await Promise.all(
      ['a', 'b'].map(async (number) => {
        const rows = await service.database.sql<{ type: string; id: string; amount: string; day: string }>(
          `SELECT t.type, t.transaction_id AS id, t.amount::float8 AS amount, coalesce(t.sent_date, t.transaction_date)::text AS day
             FROM transaction t JOIN import_supplier s ON s.id = t.import_supplier_id
            WHERE s.code = $1 AND t.external_account_number = $2`,
          [code, number],
        );
        const transactions = rows.map(({ amount, day, id, type }) =>
          sha256(
            `{"amount":${amount},"transaction_date":"${day}","transaction_id":"${id}","type":"${type}"}`,
          ),
        );
        const section = (lines: string[]): string =>
          sha256(
            lines
              .sort()
              .map((line) => `${line}\n`)
              .join(''),
          );
        const account = sha256(
          `notes ${section([sha256('{"body":"One"}')])}\ntransactions ${section(transactions)}\n` +
            `historical_statements ${sha256('')}\npayment_instructions ${sha256('')}\n`,
        );
        return `${JSON.stringify(number)} ${account}\n`;
      }),
    );
    expect(json).toEqual({
      import_supplier: code,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      accounts: { imported: 2, pending: 2, in_progress: 0, failed: 0 },
      rows: { notes: 2, transactions: 3, statements: 0, payment_instructions: 0 },
      amounts: { CHARGE: '1.55', PAYMENT: '-1000000.50' },
      control: { with: 4, agree: 3, differ: 1 },
      digest: sha256(digests.join('')),
    });
  });

  it('is a printable page, written completely or not at all, without scripts or other files (V8)', async () => {
    const { supplier: code, of } = await supplier();
    await load(of);
    const file = join(folder, 'certificate.html');
    const { json } = await migration('certificate', code, '--html', file);
    const { digest } = json as { digest: string };
    const html = await readFile(file, 'utf8');
    expect(html).toContain((digest.match(/.{8}/g) ?? []).join(' '));
    expect(html).not.toMatch(/<script|<link|<img|url\(|https?:/);
    expect(html).not.toContain('Not complete');
    expect(html).toContain('@media print');
    await of.stage(['c']);
    await migration('certificate', code, '--html', file);
    expect(await readFile(file, 'utf8')).toContain('Not complete: 1');
    expect(await readdir(folder)).toEqual(['certificate.html']);
    expect(await migration('certificate', code, '--html', join(folder, 'none', 'x.html'))).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'file_not_writable', detail: expect.not.stringContaining('ENOENT') as string } },
    });
  });

  it('is also possible for a supplier without accounts (V4, V8)', async () => {
    const { supplier: code } = await service.given.supplier();
    expect((await migration('certificate', code)).json).toMatchObject({
      accounts: { imported: 0 },
      amounts: {},
      digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
  });
});
