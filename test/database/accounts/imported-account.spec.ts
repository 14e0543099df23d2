import { createDatabase, refusalOf } from '../../support/database.js';
import { unique } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';

describe('items belong to an imported account', () => {
  const database = setUp(createDatabase);
  let supplier: number;

  beforeEach(async () => {
    const [row] = await database.sql<{ id: number }>(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ($1, 'S', 's') RETURNING id`,
      [unique('S')],
    );
    supplier = row!.id;
    await database.imports(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       VALUES ($1, 'imported', 'imported', next_service_account_number(), now(), '2026-01-01'),
              ($1, 'pending', 'pending', NULL, NULL, NULL)`,
      [supplier],
    );
  });

  const insertNote = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, import_request_id, body, is_pinned)
       VALUES ($1, $2, now(), true, uuidv7(), 'text', false)`,
      [supplier, account],
    );
  const insertTransaction = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                                amount, type)
       VALUES ($1, $2, 'id', uuidv7(), '2026-01-01', 1, 'CHARGE')`,
      [supplier, account],
    );

  const insertStatement = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO statement (import_supplier_id, external_account_number, statement_id, import_request_id,
                              bill_period_from_date, bill_period_to_date)
       VALUES ($1, $2, 'id', uuidv7(), '2026-01-01', '2026-01-31')`,
      [supplier, account],
    );
  const insertPaymentInstruction = (account: string): Promise<unknown> =>
    database.sql(
      `INSERT INTO payment_instruction (import_supplier_id, external_account_number, vendor, reference, import_request_id, type,
                                        details, verified_at)
       VALUES ($1, $2, 'SANDBOX', 'ok_1', uuidv7(), 'CARD', '{}', now())`,
      [supplier, account],
    );
  const inserts: [table: string, insert: (account: string) => Promise<unknown>][] = [
    ['note', insertNote],
    ['transaction', insertTransaction],
    ['statement', insertStatement],
    ['payment_instruction', insertPaymentInstruction],
  ];

  it.each(inserts)('the database accepts a %s for an imported account only (S8)', async (_table, insert) => {
    expect(await refusalOf(insert('imported'))).toBeUndefined();
    expect(await refusalOf(insert('pending'))).toMatchObject({ code: '23503' });
    expect(await refusalOf(insert('none'))).toMatchObject({ code: '23503' });
  });

  it.each(inserts)('the database refuses to move a %s to another account (S8)', async (table, insert) => {
    await insert('imported');
    const wandering = database.sql(
      `UPDATE ${table} SET external_account_number = 'pending' WHERE import_supplier_id = $1`,
      [supplier],
    );
    expect(await refusalOf(wandering)).toMatchObject({ code: '23503' });
  });

  const changes = [
    `DELETE FROM account_import WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET external_account_number = 'x' WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET service_account_number = 'A-00000000' WHERE external_account_number = 'imported'`,
    `UPDATE account_import SET status = 'pending', service_account_number = NULL, account_created_at = NULL
      WHERE external_account_number = 'imported'`,
  ];
  it.each(changes)('the database keeps an imported account from: %s (S3)', async (change) => {
    expect(await refusalOf(database.sql(change))).toMatchObject({
      code: database.isDistributed ? '23503' : '23001',
    });
  });

  it('the database accepts the other changes of an imported account (S3, S9, S10)', async () => {
    const change = `UPDATE account_import SET open_statement_from = '2026-02-01', account = NULL
                     WHERE external_account_number = 'imported'`;
    expect(await refusalOf(database.sql(change))).toBeUndefined();
  });
});
