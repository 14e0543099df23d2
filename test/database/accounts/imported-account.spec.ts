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

  /** The columns of an item besides its account and its request, with values. */
  const ITEMS: [table: string, columns: string, values: string][] = [
    ['note', 'created_at, created_at_sent, body, is_pinned', `now(), true, 'text', false`],
    ['transaction', 'transaction_id, transaction_date, amount, type', `'id', '2026-01-01', 1, 'CHARGE'`],
    [
      'statement',
      'statement_id, bill_period_from_date, bill_period_to_date',
      `'id', '2026-01-01', '2026-01-31'`,
    ],
    [
      'payment_instruction',
      'vendor, reference, type, details, verified_at',
      `'SANDBOX', 'ok_1', 'CARD', '{}', now()`,
    ],
  ];
  const inserts = ITEMS.map(([table, columns, values]) => {
    const insert = (account: string): Promise<unknown> =>
      database.sql(
        `INSERT INTO ${table} (import_supplier_id, external_account_number, import_request_id, ${columns})
         VALUES ($1, $2, uuidv7(), ${values})`,
        [supplier, account],
      );
    return [table, insert] as const;
  });

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
