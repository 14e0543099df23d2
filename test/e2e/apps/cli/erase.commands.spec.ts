import {
  documentIn,
  runCommand,
  runJson,
  startCommand,
  startProcess,
  refusedWith,
} from '../../../support/cli.js';
import { unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp, standIn } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';

type Account = World & { ref: AccountPair; serviceAccountNumber: string };

/** Every table that has rows of an account. */
const TABLES = [
  'account_import',
  'import_request',
  'note',
  'transaction',
  'statement',
  'payment_instruction',
  'import_refusal',
  'account_erasure',
  'erasure',
];

/** The rows of an account of these tests, by table. */
const LOADED = {
  notes: 3,
  transactions: 2,
  statements: 1,
  payment_instructions: 1,
  import_requests: 3,
  refusals: 1,
};
/** The run id that both entries of an erasure share. */
const run = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const REASON = ['--reason', 'request 4711'];

describe('the erasure', () => {
  const service = setUp(sharedService);
  const database = standIn(() => service.database);

  /** Status codes of the four POSTs; the last one has a reference that is already stored. */
  async function postAll({ token, ref }: Account): Promise<number[]> {
    const payloads: Record<string, object> = {
      notes: {
        notes: [
          { body: 'Called' },
          {
            body: 'Wrote',
            document_paths: [{ document_path: 'letters/a.pdf' }, { document_path: 'letters/b.pdf' }],
          },
        ],
      },
      // The second one is moved into the open period, so a note is pinned.
      transactions: {
        transactions: [
          { transaction_id: 't-1', transaction_date: '2026-02-01', amount: 1.5, type: 'CHARGE' },
          { transaction_id: 't-2', transaction_date: '2025-02-01', amount: 1.5, type: 'CREDIT' },
        ],
      },
      'historical-statements': {
        statements: [
          {
            statement_id: 's-1',
            bill_period_from_date: '2025-01-01',
            bill_period_to_date: '2025-01-31',
            statement_path: 'bills/1.pdf',
          },
        ],
      },
      'payment-instruction': { vendor: 'STRIPE', reference: 'pm_1', type: 'CARD' },
    };
    const statuses: number[] = [];
    for (const [kind, payload] of Object.entries(payloads)) {
      statuses.push((await service.post(`${kind}/create/`, token, { ...ref, ...payload })).status);
    }
    return statuses;
  }

  /** Create an imported account with items of every kind. */
  async function loadedAccount(world?: World, number = unique('account')): Promise<Account> {
    const account = await service.given.importedAccount({ number, ...(world && { world }) });
    await database.sql(
      `INSERT INTO payment_instruction (import_supplier_id, external_account_number, vendor, reference, import_request_id,
                                        type, details, verified_at)
       SELECT id, $2, 'STRIPE', 'pm_1', uuidv7(), 'CARD', '{}', now() FROM import_supplier WHERE code = $1`,
      [account.supplier, number],
    );
    await refuse(account.supplier, number);
    await view(account.supplier, number);
    expect(await postAll(account)).toEqual([201, 201, 201, 201]);
    return account;
  }

  /** Insert evidence of a view of the account. */
  async function view(code: string, number: string): Promise<void> {
    await database.sql(
      `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
       VALUES ('x', 'account.view', $1, $2, date_trunc('hour', now()), now(), now(), 1)`,
      [code, number],
    );
  }

  /** Insert the record of a refused request for an account number. */
  async function refuse(code: string, number: string): Promise<void> {
    await database.sql(
      `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id, request_id,
                                   status, code, is_dry_run)
       SELECT id, $2, uuidv7(), now(), 'notes', uuidv7(), uuidv7(), 'r', 404, 'account_not_found', false
         FROM import_supplier WHERE code = $1`,
      [code, number],
    );
  }

  /** The number of rows in each table for a supplier's accounts, or for one of them. */
  async function rowsOf(code: string, number?: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const rows = await database.sql(
        `SELECT FROM ${table} t JOIN import_supplier s ON s.id = t.import_supplier_id
          WHERE s.code = $1 AND t.external_account_number = coalesce($2, t.external_account_number)`,
        [code, number],
      );
      if (rows.length > 0) counts[table] = rows.length;
    }
    const views = await database.sql(
      `SELECT FROM viewed WHERE import_supplier = $1 AND external_account_number = coalesce($2, external_account_number)`,
      [code, number],
    );
    if (views.length > 0) counts.viewed = views.length;
    return counts;
  }

  const documentsOf = (code: string): string[] =>
    ['bills/1.pdf', 'letters/a.pdf', 'letters/b.pdf'].map(
      (path) => expect.stringMatching(new RegExp(`/root of ${code}/${path}$`)) as string,
    );
  const sorted = (json: unknown): unknown => {
    const result = json as { documents: string[] };
    return { ...result, documents: [...result.documents].sort() };
  };

  async function auditOf(code: string): Promise<object[]> {
    return database.sql(
      `SELECT operator, action, subject, external_account_number, details FROM audit_entry
        WHERE import_supplier = $1 AND action LIKE '%.erase' ORDER BY id`,
      [code],
    );
  }

  describe('of an account', () => {
    const erase = ({ supplier, ref }: Account): ReturnType<typeof runJson> =>
      runJson(database, ['accounts', 'erase', supplier, ref.external_account_number, ...REASON]);

    it('removes everything stored for it, lists its documents, touches no other account, and keeps only a record of operator, reason and counts (S10)', async () => {
      const account = await loadedAccount();
      const number = account.ref.external_account_number;
      const sameSupplier = await loadedAccount(account);
      const sameNumber = await loadedAccount(undefined, number);
      const { exitCode, json, stderr } = await erase(account);
      expect({ exitCode, stderr, json: sorted(json) }).toEqual({
        exitCode: 0,
        stderr: '',
        json: {
          import_supplier: account.supplier,
          external_account_number: number,
          documents: documentsOf(account.supplier),
          erased: LOADED,
        },
      });
      expect(await rowsOf(account.supplier, number)).toEqual({});
      const untouched = {
        account_import: 1,
        import_request: 3,
        note: 3,
        transaction: 2,
        statement: 1,
        payment_instruction: 1,
        import_refusal: 1,
        viewed: 1,
      };
      expect(await rowsOf(account.supplier)).toEqual(untouched);
      expect(await rowsOf(sameNumber.supplier)).toEqual(untouched);
      expect(await postAll(sameSupplier)).toEqual([201, 201, 201, 201]);
      const entry = {
        operator: 'test operator',
        action: 'account.erase',
        subject: number,
        external_account_number: number,
      };
      expect(await auditOf(account.supplier)).toEqual([
        { ...entry, details: { run, event: 'started', reason: 'request 4711' } },
        {
          ...entry,
          details: { run, event: 'ended', outcome: 'complete', reason: 'request 4711', ...LOADED },
        },
      ]);
    });

    it('leaves no day of its period and no text of a client in the audit (S10, O6)', async () => {
      const account = await loadedAccount();
      const { supplier, ref, token } = account;
      const number = ref.external_account_number;
      const line = `{"external_account_number":"${number}","open_statement_from":"2021-02-03","open_statement_to":"2021-04-05"}`;
      const set = ['accounts', 'set-period', supplier, number, '--from', '2020-02-03', '--to', '2020-04-05'];
      expect(await runJson(database, set)).toMatchObject({ exitCode: 0 });
      const setAll = ['accounts', 'set-periods', supplier, '-'];
      expect(await runJson(database, setAll, line)).toMatchObject({ exitCode: 0, json: { changed: 1 } });
      const rows = `account-content/${supplier}/${number}/?rows=true`;
      const headers = { authorization: `Token ${token}`, 'x-request-id': 'chosen-by-the-client' };
      const reply = await service.call(rows, { headers });
      expect(reply).toMatchObject({ status: 200 });
      const recorded = async (): Promise<string> => {
        const entries = await database.sql<{ entry: string }>(
          `SELECT e::text AS entry FROM audit_entry e WHERE import_supplier = $1
           UNION ALL SELECT v::text FROM viewed v WHERE import_supplier = $1`,
          [supplier],
        );
        return entries.map(({ entry }) => entry).join('\n');
      };
      expect(await recorded()).toMatch(/account\.set_period[^]*account\.set_period[^]*account\.rows/);
      await erase(account);
      for (const word of ['2020-', '2021-', 'chosen-by-the-client', 'account.rows', 'account.view'])
        expect(await recorded()).not.toContain(word);
    });

    it('makes it answer 404 everywhere and be in no list, and staging it again creates a new one (S10)', async () => {
      const account = await loadedAccount();
      const { supplier, token, ref } = account;
      const number = ref.external_account_number;
      await erase(account);
      expect(await postAll(account)).toEqual([404, 404, 404, 404]);
      const status = `account-transfer-status/${supplier}/${number}/`;
      expect((await service.get(status, token)).status).toBe(404);
      for (const list of ['all', 'pending', 'imported']) {
        const reply = await service.get(`${list}-account-import-processes/${supplier}/`, token);
        expect(reply).toMatchObject({ status: 200, body: [] });
      }
      const again = await runJson(database, ['accounts', 'erase', supplier, number, ...REASON]);
      expect(again).toMatchObject(refusedWith('account_not_found'));
      const staged = await runJson(
        database,
        ['accounts', 'stage', supplier, '-'],
        `{"external_account_number":"${number}"}`,
      );
      expect(staged).toMatchObject({ exitCode: 0, json: { staged: 1 } });
      await runJson(database, ['accounts', 'import', supplier]);
      const { body } = await service.get<{ service_account_number: string }>(status, token);
      expect(body.service_account_number).toMatch(/^A-[0-9A-F]{8}$/);
      expect(body.service_account_number).not.toBe(account.serviceAccountNumber);
    });

    it('also erases an account that is only staged (S10)', async () => {
      const { supplier, ref } = await service.given.stagedAccount();
      const args = ['accounts', 'erase', supplier, ref.external_account_number, ...REASON];
      const counts =
        'notes 0, transactions 0, statements 0, payment instructions 0, import requests 0, refusals 0';
      const erased = { exitCode: 0, stderr: '', stdout: `Erased: ${counts}.\n` };
      expect(await runCommand(database, args)).toEqual(erased);
      expect(await rowsOf(supplier)).toEqual({});
    });

    it.each([
      ['account_not_found', ['nobody', ...REASON]],
      ['wrong_usage', ['nobody']],
      ['wrong_usage', ['nobody', '--reason', ' ']],
    ])('is refused with %s: %j (S10)', async (code, args) => {
      const { supplier } = await service.given.supplier();
      const refused = await runJson(database, ['accounts', 'erase', supplier, ...args]);
      expect(refused).toMatchObject({ exitCode: code === 'wrong_usage' ? 2 : 1, json: { error: { code } } });
      expect(await auditOf(supplier)).toEqual([]);
    });

    it('leaves no account when it is killed halfway, and the same command completes it (S10)', async () => {
      const account = await loadedAccount();
      const { supplier, ref } = account;
      const number = ref.external_account_number;
      const release = await holdRow('transaction', number);
      const args = ['accounts', 'erase', supplier, number, ...REASON, '--json'];
      const killed = startProcess(database, args);
      await database.blocked(1);
      killed.process.kill('SIGKILL');
      const first = await killed.ended;
      await release();
      // It had listed the documents before it removed them.
      expect(first.stdout).toContain('letters/a.pdf');
      expect(first.stdout).toContain('bills/1.pdf');
      expect(await postAll(account)).toEqual([404, 404, 404, 404]);
      expect(await rowsOf(supplier)).toMatchObject({ transaction: 2, account_erasure: 1, erasure: 1 });
      const staged = await runJson(
        database,
        ['accounts', 'stage', supplier, '-'],
        `{"external_account_number":"other"}\n\n{"external_account_number":"${number}"}`,
      );
      expect(staged).toMatchObject({
        exitCode: 1,
        json: {
          staged: 1,
          replaced: 0,
          skipped: 0,
          errors: [{ line: 3, code: 'account_being_erased', detail: expect.any(String) as string }],
        },
      });
      const second = await runJson(database, args.slice(0, -1));
      const refusals = expect.any(Number) as number;
      expect(second).toMatchObject({ exitCode: 0, json: { documents: [], erased: { ...LOADED, refusals } } });
      // Requests after the erasure are refused, which may be recorded later.
      const left = await rowsOf(supplier);
      expect({ ...left, import_refusal: 0 }).toEqual({ account_import: 1, import_refusal: 0 });
      expect(await auditOf(supplier)).toHaveLength(2);
    });

    it('is continued by the newer of two runs, and the other one stops (S10)', async () => {
      const account = await loadedAccount();
      const number = account.ref.external_account_number;
      const release = await holdRow('note', number);
      const command = startCommand(database, ['accounts', 'erase', account.supplier, number, ...REASON]);
      await database.blocked(1);
      const newest = erase(account);
      await database.blocked(2);
      await release();
      expect(await newest).toMatchObject({ exitCode: 0, json: { erased: LOADED } });
      const { exitCode, stderr } = await command.ended;
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining('Another run of the command continues this erasure.') as string,
      });
      expect(await auditOf(account.supplier)).toHaveLength(2);
    });
  });

  describe('of a supplier', () => {
    it('removes all accounts, including pending and failed ones, and keeps the supplier and its grants (S10)', async () => {
      const world = await loadedAccount(undefined, '1');
      await loadedAccount(world, '2');
      await service.given.stagedAccount(world, '3');
      await database.sql(
        `INSERT INTO account_import (import_supplier_id, external_account_number, status, failure)
         SELECT id, n::text, 'failed', 'No.' FROM import_supplier, generate_series(10000, 11200) AS n WHERE code = $1`,
        [world.supplier],
      );
      await database.sql(
        `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
         SELECT id, '3', '3', 'a killed importer', now() FROM import_supplier WHERE code = $1`,
        [world.supplier],
      );
      await refuse(world.supplier, '');
      await refuse(world.supplier, 'mistyped');
      const other = await loadedAccount();
      const { exitCode, json } = await runJson(database, [
        'supplier',
        'erase',
        world.supplier,
        ...REASON,
        '--yes',
      ]);
      const twice = {
        ...Object.fromEntries(Object.entries(LOADED).map(([kind, count]) => [kind, 2 * count])),
        refusals: 4,
      };
      const documents = documentsOf(world.supplier);
      expect({ exitCode, json: sorted(json) }).toEqual({
        exitCode: 0,
        json: {
          import_supplier: world.supplier,
          documents: documents.flatMap((location) => [location, location]),
          erased: { accounts: 1204, ...twice },
        },
      });
      expect(await rowsOf(world.supplier)).toEqual({});
      const leases = await database.sql(
        `SELECT FROM import_lease l JOIN import_supplier s ON s.id = l.import_supplier_id WHERE s.code = $1`,
        [world.supplier],
      );
      expect(leases).toEqual([]);
      expect(await rowsOf(other.supplier)).toMatchObject({ account_import: 1, note: 3 });
      const list = await service.get(`all-account-import-processes/${world.supplier}/`, world.token);
      expect(list).toMatchObject({ status: 200, body: [] });
      const entry = {
        operator: 'test operator',
        action: 'supplier.erase',
        subject: world.supplier,
        external_account_number: null,
      };
      expect(await auditOf(world.supplier)).toEqual([
        { ...entry, details: { run, event: 'started', reason: 'request 4711' } },
        {
          ...entry,
          details: {
            run,
            event: 'ended',
            outcome: 'complete',
            reason: 'request 4711',
            accounts: 1204,
            ...twice,
          },
        },
      ]);
    });

    it('completes the interrupted erasure of one of its accounts, which stops after its batch (S10)', async () => {
      const account = await loadedAccount();
      const number = account.ref.external_account_number;
      const release = await holdRow('note', number);
      const args = ['accounts', 'erase', account.supplier, number, ...REASON, '--json'];
      const command = startCommand(database, args);
      await database.blocked(1);
      command.signal('SIGINT');
      await release();
      const { exitCode, stdout, stderr } = await command.ended;
      expect({ exitCode, json: documentIn(stdout) }).toMatchObject({
        exitCode: 1,
        json: { erased: { notes: 3, transactions: 0, statements: 0 } },
      });
      expect(stderr).toContain('run the command again');
      const erased = await runJson(database, ['supplier', 'erase', account.supplier, ...REASON, '--yes']);
      expect(erased).toMatchObject({ exitCode: 0, json: { erased: { accounts: 0 } } });
      expect(await rowsOf(account.supplier)).toEqual({});
      expect(await auditOf(account.supplier)).toHaveLength(4);
    });

    it('needs --yes, and says what it would remove (S10)', async () => {
      const { supplier } = await service.given.importedAccount();
      const refused = await runJson(database, ['supplier', 'erase', supplier, ...REASON]);
      expect(refused).toEqual({
        exitCode: 2,
        stderr: '',
        json: {
          error: {
            code: 'wrong_usage',
            detail: expect.stringContaining(`erases every account of ${supplier} with`) as string,
          },
        },
      });
      expect(await rowsOf(supplier)).toEqual({ account_import: 1 });
    });
  });

  /** Lock the rows of an account in a table, so that its erasure waits. @returns a function that releases the lock */
  async function holdRow(table: string, number: string): Promise<() => Promise<void>> {
    const client = await database.connect();
    const { rows } = await client.query<{ id: number }>(
      `SELECT DISTINCT import_supplier_id AS id FROM ${table} WHERE external_account_number = $1`,
      [number],
    );
    await client.query('BEGIN');
    await client.query(
      `SELECT FROM ${table} WHERE import_supplier_id = $1 AND external_account_number = $2 FOR KEY SHARE`,
      [rows[0]!.id, number],
    );
    return () => client.end();
  }
});
