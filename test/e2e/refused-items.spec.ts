import type { RefusedItems } from '../../src/sent-requests/refused-items.types.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService, type AccountPair, type TestService, type World } from '../support/service.js';

describe('the items of refused import requests', () => {
  let database: TestDatabase;
  let service: TestService;
  let world: World & { readonly ref: AccountPair };
  beforeAll(async () => {
    database = await createDatabase();
    service = await startService({}, { database });
    world = await service.given.importedAccount();
  });
  afterAll(() => database.drop());

  it('are recorded with their ids, and with the values that may be kept (C9, O6)', async () => {
    const transactions = ['A', 'B'].map((id) => ({
      ...{ transaction_id: id, transaction_date: '2026-02-01', amount: 1, type: 'CHARGE' },
    }));
    const [first, second] = transactions;
    const post = async (body: object, path = 'transactions/create/'): Promise<number> =>
      (await service.post(path, world.token, { ...world.ref, ...body })).status;
    expect(await post({ transactions: [first, { ...second, type: 'CHARG', amount: '1,5' }] })).toBe(400);
    expect(await post({ transactions, external_account_number: 'unknown' })).toBe(404);
    expect(await post({ vendor: 'BANK', reference: 'ok', type: 'CARD' }, 'payment-instruction/create/')).toBe(
      400,
    );
    await service.stop();
    const rows = await database.sql<{ items: RefusedItems | null }>(
      'SELECT items FROM import_refusal ORDER BY at, id',
    );
    expect(rows.map(({ items }) => items)).toEqual([
      {
        at_fault: [
          {
            ...{ at: 'transactions.1', id: 'B' },
            errors: expect.arrayContaining([
              { attr: 'amount', code: 'invalid', value: '1,5' },
              { attr: 'type', code: 'invalid_choice', value: 'CHARG' },
            ]) as object,
          },
        ],
        others: ['A'],
      },
      { others: ['A', 'B'] },
      {
        at_fault: [{ at: '', errors: [{ attr: 'vendor', code: 'invalid_choice', value: 'BANK' }] }],
      },
    ]);
  });
});
