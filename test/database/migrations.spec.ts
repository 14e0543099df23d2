import type { QueryRunner } from 'typeorm';
import { dataSource } from '../../src/database/data-source.js';
import { AuditRepository } from '../../src/audit/audit.repository.js';
import { readEnvironment, StartError } from '../../src/config/env.js';
import { SentNotes1795651200000 } from '../../src/database/migrations/1795651200000-sent-notes.js';
import { CountPinnedNotes1795392091000 } from '../../src/database/migrations/1795392091000-count-pinned-notes.js';
import { PinnedNotesOfRequests1795392090000 } from '../../src/database/migrations/1795392090000-pinned-notes-of-requests.js';
import { Evidence1795824000000 } from '../../src/database/migrations/1795824000000-evidence.js';
import { RecordedPeriods1795824010000 } from '../../src/database/migrations/1795824010000-recorded-periods.js';
import { ControlStates1795996800000 } from '../../src/database/migrations/1795996800000-control-states.js';
import { UnloadedAccounts1795996860000 } from '../../src/database/migrations/1795996860000-unloaded-accounts.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { MIGRATIONS_TABLE } from '../../src/database/connection-options.js';
import { changeSchema, connectMigrated, migrate } from '../../src/database/open-database.js';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { fillFirstSchema } from '../support/first-schema.js';
import { miscounted } from '../support/miscounted.js';
import { givenIn } from '../support/service.js';

/** The tables of TypeORM and their keys. */
const TYPEORM_TABLES = `^(${MIGRATIONS_TABLE}|typeorm_metadata|PK_)`;

/** Call something with a database of the newest schema, and with a connection for single migrations of it. */
async function onNewestSchema(
  work: (own: TestDatabase, runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const own = await createDatabase();
  const source = await dataSource(own.url, readEnvironment({})).initialize();
  const runner = source.createQueryRunner();
  try {
    await work(own, runner);
  } finally {
    await runner.release();
    await source.destroy();
    await own.drop();
  }
}

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Everything that a migration may create, named by the system catalogues. */
  async function schema(): Promise<string[]> {
    const rows = await database.sql<{ thing: string }>(
      `SELECT format('relation %s %s', relkind, relname) AS thing FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relname !~ $1
       UNION ALL
       SELECT format('function %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       UNION ALL
       SELECT format('trigger %s on %s', tgname, tgrelid::regclass) FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL
       SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ $1
       ORDER BY 1`,
      [TYPEORM_TABLES],
    );
    return rows.map(({ thing }) => thing);
  }

  it('can all be undone without leaving anything, and applied again to the same schema (engineering rule)', async () => {
    const source = dataSource(database.url, readEnvironment({}));
    await source.initialize();
    try {
      expect(await source.runMigrations()).toHaveLength(MIGRATIONS.length);
      const first = await schema();
      for (const { name } of MIGRATIONS.toReversed()) {
        await source.undoLastMigration();
        const applied = await database.sql(`SELECT name FROM ${MIGRATIONS_TABLE} WHERE name = $1`, [name]);
        expect(applied).toEqual([]);
      }
      expect(await schema()).toEqual([]);
      await source.runMigrations();
      expect(await schema()).toEqual(first);
      expect(first.length).toBeGreaterThan(50);
    } finally {
      await source.destroy();
    }
  });

  it('count the pinned notes of requests that an earlier version recorded (O6)', async () => {
    await onNewestSchema(async (own, runner) => {
      const { ref } = await givenIn(own).importedAccount();
      const migration = new PinnedNotesOfRequests1795392090000();
      await migration.down(runner);
      await own.sql(
        `WITH account AS (SELECT * FROM account_import WHERE external_account_number = $1),
         request AS (
           INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
           SELECT import_supplier_id, external_account_number, uuidv7(), kind, uuidv7(), kind || pins, 1
             FROM account, (VALUES ('notes', true), ('transactions', true), ('transactions', false)) AS r (kind, pins)
           RETURNING *
         )
         INSERT INTO note (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent,
                           is_pinned)
         SELECT import_supplier_id, external_account_number, id, request_id, now(), true, true
           FROM request WHERE request_id LIKE '%true'`,
        [ref.external_account_number],
      );
      await migration.up(runner);
      await new CountPinnedNotes1795392091000().up(runner);
      expect(
        await own.sql('SELECT request_id, pinned_notes FROM import_request ORDER BY request_id'),
      ).toEqual([
        { request_id: 'notestrue', pinned_notes: 0 },
        { request_id: 'transactionsfalse', pinned_notes: 0 },
        { request_id: 'transactionstrue', pinned_notes: 1 },
      ]);
    });
  });

  it('find the notes that were sent with transactions that an earlier version moved (V3)', async () => {
    await onNewestSchema(async (own, runner) => {
      const { ref } = await givenIn(own).importedAccount();
      const migration = new SentNotes1795651200000();
      await migration.down(runner);
      const sentence =
        'The transaction date was changed from 2025-12-31 to 2026-01-01, which lies in the open statement period.';
      await own.sql(
        `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id,
                                  transaction_date, sent_date, amount, type, note)
         SELECT a.import_supplier_id, a.external_account_number, t.id, uuidv7(), '2026-01-01', t.sent_date, 1, 'CREDIT', t.note
           FROM account_import a, (VALUES ('with a note', date '2025-12-31', 'a note ' || $2), ('without', date '2025-12-31', $2),
                                          ('not moved', NULL, 'a note')) AS t (id, sent_date, note)
          WHERE a.external_account_number = $1`,
        [ref.external_account_number, sentence],
      );
      await migration.up(runner);
      expect(
        await own.sql('SELECT transaction_id, sent_note FROM transaction ORDER BY transaction_id'),
      ).toEqual([
        { transaction_id: 'not moved', sent_note: null },
        { transaction_id: 'with a note', sent_note: 'a note' },
        { transaction_id: 'without', sent_note: null },
      ]);
    });
  });

  it('move the views out of the audit, by the hour and without what was erased (O6, S10)', async () => {
    await onNewestSchema(async (own, runner) => {
      const { sql } = own;
      const given = givenIn(own);
      const { ref, supplier } = await given.importedAccount();
      const number = ref.external_account_number;
      const restaged = (await given.importedAccount()).ref;
      const migration = new Evidence1795824000000();
      await migration.down(runner);
      const entries = [
        ['2026-03-01T10:00:00Z', 'anna', 'account.view', supplier, number],
        ['2026-03-01T10:59:59.999Z', 'anna', 'account.view', supplier, number],
        ['2026-03-01T11:00:00Z', 'anna', 'account.view', supplier, number],
        ['2026-03-01T10:30:00Z', 'bert', 'account.view', supplier, number],
        ['2026-03-01T10:30:00Z', 'api key 1', 'account.rows', supplier, number],
        ['2026-03-01T10:30:00Z', 'anna', 'document.view', supplier, number],
        ['2026-03-01T10:30:00Z', 'anna', 'account.view', supplier, 'erased'],
        [
          '2026-03-01T10:30:00Z',
          'anna',
          'account.view',
          restaged.import_supplier,
          restaged.external_account_number,
        ],
        [
          '2026-03-01T10:31:00Z',
          'anna',
          'account.erase',
          restaged.import_supplier,
          restaged.external_account_number,
        ],
        [
          '2026-03-01T10:32:00Z',
          'bert',
          'account.view',
          restaged.import_supplier,
          restaged.external_account_number,
        ],
        ['2026-03-01T10:30:00Z', 'anna', 'supplier.set', supplier, null],
      ];
      for (const entry of entries) {
        await sql(
          `INSERT INTO audit_entry (at, operator, action, subject, import_supplier, external_account_number, details)
         VALUES ($1, $2, $3, 'x', $4, $5, '{"request_id":"chosen"}')`,
          entry,
        );
      }
      const session = '0193a1b2-0000-7000-8000-000000000001';
      await sql(
        `INSERT INTO audit_entry (at, operator, action, subject)
       SELECT '2026-03-01T09:00:00Z', 'anna', unnest(ARRAY['console.sign_in', 'console.sign_out', 'console.revoke']), $1`,
        [session],
      );
      await migration.up(runner);
      const rows = await sql<{ row: string }>(
        `SELECT concat_ws(' ', viewer, action, external_account_number, session_id,
                        to_char(at AT TIME ZONE 'UTC', 'HH24:MI'), to_char(last_at AT TIME ZONE 'UTC', 'HH24:MI'), count) AS row
         FROM viewed ORDER BY 1`,
      );
      expect(rows.map(({ row }) => row)).toEqual(
        [
          `anna account.view ${number} 10:00 10:59 2`,
          `anna account.view ${number} 11:00 11:00 1`,
          `anna console.sign_in ${session} 09:00 09:00 1`,
          `anna console.sign_out ${session} 09:00 09:00 1`,
          `anna document.view ${number} 10:30 10:30 1`,
          `api key 1 account.rows ${number} 10:30 10:30 1`,
          `bert account.view ${number} 10:30 10:30 1`,
          `bert account.view ${restaged.external_account_number} 10:32 10:32 1`,
        ].sort(),
      );
      expect(await sql('SELECT action FROM audit_entry ORDER BY action')).toEqual([
        { action: 'account.erase' },
        { action: 'console.revoke' },
        { action: 'supplier.set' },
      ]);
      await expect(sql('DELETE FROM audit_entry')).rejects.toThrow(
        'audit entries cannot be changed or deleted',
      );
    });
  });

  it('remove the days of periods from the audit, and keep which of them changed (S10)', async () => {
    await onNewestSchema(async (own, runner) => {
      const period = (from: string, to: string | null): object => ({
        open_statement_from: from,
        open_statement_to: to,
      });
      for (const [action, details] of [
        ['account.set_period', { from: period('2025-01-01', null), to: period('2025-02-01', null) }],
        ['account.set_period', { from: period('2025-01-01', null), to: period('2025-01-01', '2025-03-01') }],
        ['supplier.set', { from: { status: 'paused' }, to: { status: 'ongoing' } }],
      ] as const) {
        await own.sql(
          `INSERT INTO audit_entry (operator, action, subject, details) VALUES ('anna', $1, 'x', $2)`,
          [action, JSON.stringify(details)],
        );
      }
      await new RecordedPeriods1795824010000().up(runner);
      expect(await own.sql('SELECT details FROM audit_entry ORDER BY id')).toEqual([
        { details: { changed: ['open_statement_from'] } },
        { details: { changed: ['open_statement_to'] } },
        { details: { from: { status: 'paused' }, to: { status: 'ongoing' } } },
      ]);
      await expect(own.sql('DELETE FROM audit_entry')).rejects.toThrow('cannot be changed or deleted');
    });
  });

  it('judge what an earlier version only called different, and find the accounts without a load (V6, C10)', async () => {
    await onNewestSchema(async (own, runner) => {
      const { sql } = own;
      const world = await givenIn(own).supplier();
      const numbers = ['agrees', 'incomplete', 'not_imported', 'too_many', 'undone', 'wrong_amount'];
      await givenIn(own).importedAccounts(
        world,
        numbers.filter((number) => number !== 'not_imported'),
      );
      await sql(
        `INSERT INTO account_import (import_supplier_id, external_account_number) SELECT id, 'not_imported' FROM import_supplier WHERE code = $1`,
        [world.supplier],
      );
      const [states, unloaded] = [new ControlStates1795996800000(), new UnloadedAccounts1795996860000()];
      await unloaded.down(runner);
      await states.down(runner);
      await sql(
        `INSERT INTO account_control (import_supplier_id, external_account_number, notes, transactions, amount, differs)
         SELECT import_supplier_id, external_account_number, 1, 1, 10, external_account_number <> 'agrees' FROM account_import`,
      );
      await sql('INSERT INTO supplier_total (import_supplier_id, notes) SELECT id, 9 FROM import_supplier');
      await sql(
        `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored,
                                     amount, pinned_notes, undone_at)
         SELECT a.import_supplier_id, a.external_account_number, uuidv7(), r.kind, uuidv7(), 'r', r.stored, r.amount, r.pinned,
                CASE WHEN number = 'undone' THEN now() END
           FROM (VALUES ('agrees', 'notes', 1, NULL, 0), ('agrees', 'transactions', 1, 10, 1), ('incomplete', 'notes', 1, NULL, 0),
                        ('too_many', 'notes', 2, NULL, 0), ('wrong_amount', 'transactions', 1, 11, 0), ('undone', 'transactions', 7, 1, 1))
                  AS r (number, kind, stored, amount, pinned)
           JOIN account_import a ON a.external_account_number = r.number`,
      );
      await states.up(runner);
      await unloaded.up(runner);
      expect(await sql('SELECT external_account_number, state FROM account_control ORDER BY 1')).toEqual(
        numbers.map((number) => ({
          external_account_number: number,
          state: number === 'undone' ? 'incomplete' : number,
        })),
      );
      expect(await sql('SELECT external_account_number AS number FROM unloaded_account')).toEqual([
        { number: 'undone' },
      ]);
      expect(await sql('SELECT pinned_notes::integer FROM supplier_total')).toEqual([{ pinned_notes: 1 }]);
    });
  });

  it('are applied once by processes that start together, each with a single connection (engineering rule)', async () => {
    const own = await createEmptyDatabase();
    try {
      const environment = { ...readEnvironment({}), DATABASE_POOL_MAX: 1 };
      const applied = await Promise.all([1, 2, 3].map(() => migrate(own.url, environment)));
      expect(applied.map(({ length }) => length).sort((one, other) => one - other)).toEqual([
        0,
        0,
        MIGRATIONS.length,
      ]);
    } finally {
      await own.drop();
    }
  });

  it('keep every row and every value that the first schema held (O5)', async () => {
    const own = await createEmptyDatabase();
    try {
      await fillFirstSchema(own);
      const before = await rowsOf(own);
      expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
      const migrations = MIGRATIONS.length - (before[MIGRATIONS_TABLE]?.length ?? 0);
      expect(await migrate(own.url, readEnvironment({}))).toHaveLength(migrations);
      const after = await rowsOf(own);
      // Moved into the record of all operator changes.
      const moved = before.import_supplier_status_change!;
      delete before.import_supplier_status_change;
      const changes = [
        { at: moved[0]!.changed_at, operator: 'Anna', action: 'supplier.set', subject: 'SECOND' },
      ];
      expect(after.audit_entry).toMatchObject(changes);
      for (const [table, rows] of Object.entries(before)) {
        // A migration may add columns, and rows.
        const columns = Object.keys(rows[0]!);
        const known = new Set(after[table]?.map((row) => JSON.stringify(columns.map((name) => row[name]))));
        const lost = rows.filter((row) => !known.has(JSON.stringify(columns.map((name) => row[name]))));
        expect({ table, lost }).toEqual({ table, lost: [] });
      }
      // The totals of what was there are counted.
      const suppliers = await own.sql<{ code: string }>('SELECT code FROM import_supplier');
      for (const { code } of suppliers)
        expect({ code, wrong: await miscounted(own, code) }).toEqual({ code, wrong: [] });
      const counted = await own.sql('SELECT sum(transactions)::integer AS transactions FROM supplier_total');
      expect(counted).toEqual([{ transactions: before.transaction!.length }]);
    } finally {
      await own.drop();
    }
  });

  it.each<[string, (...args: Parameters<typeof migrate>) => Promise<unknown>]>([
    ['a service that starts', migrate],
    ['a command', connectMigrated],
  ])(
    '%s refuses a database that an earlier build made, and leaves it as it is (section 6)',
    async (_who, open) => {
      const own = await createEmptyDatabase();
      try {
        await own.sql(
          `CREATE TABLE ${MIGRATIONS_TABLE} (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)`,
        );
        await own.sql(`INSERT INTO ${MIGRATIONS_TABLE} (timestamp, name) VALUES (1, 'Earlier1')`);
        const environment = readEnvironment({ DATABASE_URL: own.url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
        const refusal = await open(own.url, environment).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(StartError);
        const { host, pathname } = new URL(own.url);
        expect((refusal as StartError).message).toBe(
          `The database ${pathname.slice(1)} at ${host} (DATABASE_URL) was made by another build, whose migration Earlier1 this build does not know: use that build or a newer one, or set DATABASE_URL to an empty database.`,
        );
        const embedded = open(own.url, readEnvironment({ DATA_DIR: '/data' }));
        await expect(embedded).rejects.toThrow(
          /^The database in DATA_DIR \/data was .* set DATA_DIR to a new folder/,
        );
        expect(await own.sql(`SELECT name FROM ${MIGRATIONS_TABLE}`)).toEqual([{ name: 'Earlier1' }]);
        expect(await own.sql(`SELECT to_regclass('organisation') AS found`)).toEqual([{ found: null }]);
      } finally {
        await own.drop();
      }
    },
  );

  it('are made in a transaction in which a change of the schema can be recorded (O6)', async () => {
    const own = await createDatabase();
    try {
      const change = { operator: 'test', action: 'database.distribute', subject: 'database' } as const;
      const environment = readEnvironment({ DATABASE_URL: own.url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
      await changeSchema(own.url, environment, (tx) => new AuditRepository().insert(tx, change));
      expect(await own.sql('SELECT operator, action FROM audit_entry')).toEqual([
        { operator: 'test', action: 'database.distribute' },
      ]);
    } finally {
      await own.drop();
    }
  });
});

/** Every row of every table, as PostgreSQL writes it in JSON, which keeps all digits of a number as text. */
async function rowsOf({ sql }: TestDatabase): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'typeorm_metadata'`,
  );
  const entries = tables.map(async ({ name }) => {
    const rows = await sql<{ row: Record<string, unknown> }>(
      `SELECT jsonb_object_agg(key, value) AS row FROM (SELECT row_number() OVER () AS n, t FROM ${name} t) AS one,
              jsonb_each_text(to_jsonb(one.t)) GROUP BY n ORDER BY n`,
    );
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
