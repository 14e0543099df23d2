import { join } from 'node:path';
import { folderWith } from '../../../support/folders.js';
import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { importBy, IMPORT_QUERIES } from '../../../support/import-queries.js';
import { type AccountPair, type World } from '../../../support/service.js';
import { setUp, standIn } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';

type Account = World & { ref: AccountPair };

describe('the open statement period of an imported account', () => {
  const service = setUp(sharedService);
  const database = standIn(() => service.database);

  const set = ({ ref }: Account, ...options: string[]): ReturnType<typeof runJson> =>
    runJson(database, [
      'accounts',
      'set-period',
      ref.import_supplier,
      ref.external_account_number,
      ...options,
    ]);

  /** The day on which a transaction of this day is booked. */
  async function bookedDay({ ref, token }: Account, day: string): Promise<string> {
    const transactions = [{ transaction_id: day, transaction_date: day, amount: 1, type: 'CHARGE' }];
    const reply = await service.post<{ transaction_data: { transaction_date: string } }[]>(
      'transactions/create/',
      token,
      { ...ref, transactions },
    );
    expect(reply.status).toBe(201);
    const [row] = await database.sql<{ transaction_date: string }>(
      `SELECT transaction_date::text FROM transaction WHERE external_account_number = $1 AND transaction_id = $2`,
      [ref.external_account_number, day],
    );
    return row!.transaction_date;
  }

  async function periodsOf(code: string): Promise<string[]> {
    const rows = await database.sql<{ period: string }>(
      `SELECT a.external_account_number || ' ' || coalesce(a.open_statement_from::text, '-') || ' '
              || coalesce(a.open_statement_to::text, '-') AS period
         FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 ORDER BY a.external_account_number`,
      [code],
    );
    return rows.map(({ period }) => period);
  }

  async function auditOf(code: string): Promise<object[]> {
    return database.sql(
      `SELECT operator, subject, external_account_number, details FROM audit_entry
        WHERE import_supplier = $1 AND action = 'account.set_period' ORDER BY id, subject`,
      [code],
    );
  }

  it('moves when the platform bills, so that later transactions are not moved into a closed statement (S9)', async () => {
    const account = await service.given.importedAccount({ from: '2025-01-01', to: '2025-01-31' });
    expect(await bookedDay(account, '2025-02-10')).toBe('2025-01-31');
    expect(await set(account, '--from', '2025-02-01', '--to', '2025-02-28')).toEqual({
      exitCode: 0,
      stderr: '',
      json: { ...account.ref, open_statement_from: '2025-02-01', open_statement_to: '2025-02-28' },
    });
    expect(await bookedDay(account, '2025-01-15')).toBe('2025-02-01');
    expect(await bookedDay(account, '2025-02-15')).toBe('2025-02-15');
  });

  it('keeps its end without --to and loses it with none, and each change is recorded (S9)', async () => {
    const account = await service.given.importedAccount({ from: '2025-01-01', to: '2025-03-31' });
    await set(account, '--from', '2025-02-01');
    expect(await periodsOf(account.supplier)).toEqual([
      `${account.ref.external_account_number} 2025-02-01 2025-03-31`,
    ]);
    await set(account, '--from', '2025-02-01', '--to', 'none');
    await set(account, '--from', '2025-02-01', '--to', 'none');
    const entry = {
      operator: 'test operator',
      subject: account.ref.external_account_number,
      external_account_number: account.ref.external_account_number,
    };
    expect(await auditOf(account.supplier)).toEqual([
      { ...entry, details: { changed: ['open_statement_from'] } },
      { ...entry, details: { changed: ['open_statement_to'] } },
    ]);
  });

  it.each([
    [1, 'start_date_later_than_end_date', ['--from', '2025-02-02', '--to', '2025-02-01']],
    [1, 'start_date_later_than_end_date', ['--from', '2026-05-01']],
    [2, 'wrong_usage', ['--from', '2025-02-30']],
    [2, 'wrong_usage', ['--from', '2025-02-01', '--to', 'never']],
    [2, 'wrong_usage', ['--to', '2025-02-01']],
  ])('ends with %i and %s for %j, and does not change (S9)', async (exitCode, code, options) => {
    const account = await service.given.importedAccount({ from: '2026-01-01', to: '2026-03-31' });
    expect(await set(account, ...options)).toMatchObject({ exitCode, json: { error: { code } } });
    expect(await periodsOf(account.supplier)).toEqual([
      `${account.ref.external_account_number} 2026-01-01 2026-03-31`,
    ]);
    expect(await auditOf(account.supplier)).toEqual([]);
  });

  it('exists only for imported accounts, whatever the status of the supplier (S9)', async () => {
    const staged = await service.given.stagedAccount();
    expect(await set(staged, '--from', '2025-01-01')).toMatchObject(refusedWith('account_not_imported'));
    const nobody = { ...staged, ref: { ...staged.ref, external_account_number: 'nobody' } };
    expect(await set(nobody, '--from', '2025-01-01')).toMatchObject({
      json: { error: { code: 'account_not_found' } },
    });
    const world = await service.given.supplier({ status: 'complete' });
    const account = await service.given.importedAccount({ world });
    expect(await set(account, '--from', '2025-01-01')).toMatchObject({ exitCode: 0 });
  });

  describe('in a file', () => {
    it('is set for each good line, and bad lines are named (S9)', async () => {
      const world = await service.given.supplier();
      for (const number of ['A', 'B', 'C', 'D']) {
        await service.given.importedAccount({ world, number, from: '2025-01-01', to: '2025-01-31' });
      }
      await service.given.stagedAccount(world, 'S');
      const other = await service.given.importedAccount({ number: 'A' });
      const lines = [
        '{"external_account_number":"A","open_statement_from":"2025-02-01","open_statement_to":"2025-02-28"}',
        '',
        '{"external_account_number":"B","open_statement_from":"2025-02-01"}',
        '{"external_account_number":"C","open_statement_from":"2025-01-01","open_statement_to":"2025-01-31"}',
        '{"external_account_number":"S","open_statement_from":"2025-02-01"}',
        '{"external_account_number":"X","open_statement_from":"2025-02-01"}',
        '{"external_account_number":"D","open_statement_from":"2025-02-02","open_statement_to":"2025-02-01"}',
        '{"external_account_number":"D"}',
        '{"external_account_number":"D","open_statement_from":"2025-02-02","account":{}}',
        'no JSON',
      ];
      const { exitCode, json } = await runJson(
        database,
        ['accounts', 'set-periods', world.supplier, '-'],
        lines.join('\n'),
      );
      const { errors, ...counts } = json as { errors: { line: number; code: string }[] };
      expect({ exitCode, counts }).toEqual({ exitCode: 1, counts: { changed: 2, unchanged: 1 } });
      expect(
        errors.sort((one, two) => one.line - two.line).map(({ line, code }) => `${line} ${code}`),
      ).toEqual([
        '5 account_not_imported',
        '6 account_not_found',
        '7 start_date_later_than_end_date',
        '8 required',
        '9 unexpected_field',
        '10 parse_error',
      ]);
      expect(await periodsOf(world.supplier)).toEqual([
        'A 2025-02-01 2025-02-28',
        'B 2025-02-01 -',
        'C 2025-01-01 2025-01-31',
        'D 2025-01-01 2025-01-31',
        'S - -',
      ]);
      expect(await periodsOf(other.supplier)).toEqual(['A 2026-01-01 -']);
      const details = { changed: ['open_statement_from', 'open_statement_to'] };
      expect(await auditOf(world.supplier)).toEqual(
        expect.arrayContaining([
          { operator: 'test operator', subject: 'B', external_account_number: 'B', details },
        ]),
      );
      expect(await auditOf(world.supplier)).toHaveLength(2);
    });

    it('may be CSV with exactly these columns, and the last line of an account counts (S9)', async () => {
      const account = await service.given.importedAccount({ number: 'A' });
      const csv = (header: string): Promise<{ exitCode: number | null; json: unknown }> =>
        runJson(
          database,
          ['accounts', 'set-periods', account.supplier, '-', '--format', 'csv'],
          `${header}\nA,2025-01-01,2025-01-31\nA,2025-02-01,\n`,
        );
      expect(await csv('external_account_number,open_statement_from,open_statement_to')).toMatchObject({
        exitCode: 0,
        json: { changed: 1, unchanged: 1, errors: [] },
      });
      expect(await periodsOf(account.supplier)).toEqual(['A 2025-02-01 -']);
      expect(await csv('external_account_number,open_statement_from,name')).toMatchObject(
        refusedWith('invalid_header'),
      );
    });

    it('may be in columns that a mapping names, beside others (S9, L11)', async () => {
      const account = await service.given.importedAccount({ number: 'A' });
      const fields = {
        external_account_number: 'Konto',
        open_statement_from: { column: 'Von', dates: 'DD.MM.YYYY' },
        'control.notes': 'Notizen',
      };
      const entry = {
        match: '-',
        kind: 'accounts',
        fields,
        form: { delimiter: ';' },
        constants: { 'control.notes': 1 },
      };
      const mapping = join(folderWith({ mapping: JSON.stringify({ files: [entry] }) }), 'mapping');
      const set = ['accounts', 'set-periods', account.supplier, '-', '--format', 'csv', '--mapping', mapping];
      expect(
        await runJson(database, set, 'Konto;Von;Name;Notizen\nA;01.02.2025;Ann;none\nA;x;Ann;1\n'),
      ).toMatchObject({
        json: { changed: 1, unchanged: 0, errors: [{ line: 3, code: 'invalid' }] },
      });
      expect(await periodsOf(account.supplier)).toEqual(['A 2025-02-01 -']);
    });

    it('is applied in several batches in one run, and a second run changes nothing (S9)', async () => {
      const { supplier } = await service.given.supplier();
      await database.imports(
        `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                     account_created_at, open_statement_from)
         SELECT id, n::text, 'imported', next_service_account_number(), now(), '2025-01-01'
           FROM import_supplier, generate_series(1, 20001) AS n WHERE code = $1`,
        [supplier],
      );
      const file = Array.from(
        { length: 20_001 },
        (_one, n) => `{"external_account_number":"${n + 1}","open_statement_from":"2025-02-01"}\n`,
      ).join('');
      const args = ['accounts', 'set-periods', supplier, '-'];
      expect((await runCommand(database, args, file)).stdout).toBe('Changed 20001, unchanged 0, bad 0.\n');
      expect((await runCommand(database, args, file)).stdout).toBe('Changed 0, unchanged 20001, bad 0.\n');
      expect(await auditOf(supplier)).toHaveLength(20_001);
    });
  });

  it.each([
    ...IMPORT_QUERIES.map((one) => ({
      ...one,
      days: ['2020-01-15', '2025-01-15'],
      moved: '2025-01-01 2025-01-15',
    })),
    { query: 'careful' as const, days: ['1999-01-01', '2030-01-01'], moved: '2025-01-01 2025-12-31' },
  ])(
    'is the old or the new one for a concurrent POST, never a mixture: $query, $days (S9)',
    async ({ query, days, moved }) => {
      importBy({ query });
      const account = await service.given.importedAccount({ from: '2020-01-01', to: '2025-06-30' });
      const { ref, token } = account;
      const posts = Array.from({ length: 40 }, async (_one, n) => {
        const transactions = days.map((day) => ({
          transaction_id: `${day} ${n}`,
          transaction_date: day,
          amount: 1,
          type: 'CHARGE',
        }));
        expect((await service.post('transactions/create/', token, { ...ref, transactions })).status).toBe(
          201,
        );
      });
      await set(account, '--from', '2025-01-01', '--to', '2025-12-31');
      await Promise.all(posts);
      const rows = await database.sql<{ days: string }>(
        `SELECT string_agg(transaction_date::text, ' ' ORDER BY transaction_date) AS days FROM transaction
          WHERE external_account_number = $1 GROUP BY import_request_id`,
        [ref.external_account_number],
      );
      const before = days[0] === '1999-01-01' ? '2020-01-01 2025-06-30' : days.join(' ');
      for (const row of rows) expect([before, moved]).toContain(row.days);
      expect(rows).toHaveLength(40);
    },
  );
});
