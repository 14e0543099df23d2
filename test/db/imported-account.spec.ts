import { createDatabase, type TestDatabase } from '../support/database.js';

/** SQLSTATE of a refused change, or nothing when the database let it pass. */
async function refusal(change: Promise<unknown>): Promise<string | undefined> {
  return change.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
}

describe('what is loaded belongs to an imported account', () => {
  let database: TestDatabase;
  let supplier: number;

  beforeAll(async () => {
    database = await createDatabase();
    const [row] = await database.sql<{ id: number }>(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('S', 'S', 's') RETURNING id`,
    );
    supplier = row!.id;
    await database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       VALUES ($1, 'imported', 'imported', next_service_account_number(), now(), '2026-01-01'),
              ($1, 'pending', 'pending', NULL, NULL, NULL)`,
      [supplier],
    );
  });
  afterAll(async () => {
    await database.drop();
  });

  const insertNote = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, load_id, body, is_pinned)
       VALUES ($1, $2, now(), true, uuidv7(), 'text', false)`,
      [supplier, account],
    );
  const insertTransaction = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, load_id, transaction_date,
                                amount, type)
       VALUES ($1, $2, 'id', uuidv7(), '2026-01-01', 1, 'CHARGE')`,
      [supplier, account],
    );

  it.each([
    ['note', insertNote],
    ['transaction', insertTransaction],
  ])('the database takes a %s for an imported account only (S8)', async (_what, insert) => {
    expect(await refusal(insert('imported'))).toBeUndefined();
    expect(await refusal(insert('pending'))).toBe('23503');
    expect(await refusal(insert('none'))).toBe('23503');
  });

  it.each(['note', 'transaction'])(
    'the database lets no %s wander to another account (S8)',
    async (table) => {
      expect(await refusal(database.sql(`UPDATE ${table} SET external_account_number = 'pending'`))).toBe(
        '23503',
      );
    },
  );

  it.each([
    `DELETE FROM account_import WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET external_account_number = 'x' WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET service_account_number = 'A-00000000' WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET status = 'pending', service_account_number = NULL, account_created_at = NULL
      WHERE external_account_number = 'imported'`,
  ])('the database keeps an imported account from: %s (S3)', async (change) => {
    expect(await refusal(database.sql(change))).toBe('23001');
  });
});
