import { openDatabase } from '../../src/database/open-database.js';
import { readEnvironment } from '../../src/config/env.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService, TOKEN_SIGNING_KEY, type TestService } from '../support/service.js';

describe('a database with a style of dates of its own', () => {
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await createDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.sql(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    service = await startService({}, { database });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('does not change how days are stored, told and explained (2.1, T12, X7)', async () => {
    const { token, ref } = await service.given.importedAccount({ from: '2026-02-01', to: '2026-03-05' });
    const transaction = { transaction_id: 't', transaction_date: '2026-01-12', amount: 1, type: 'CHARGE' };
    const payload = { ...ref, transactions: [transaction] };
    const refused = await service.post<{ error_detail: string }>(
      'transactions/create/?force_add_to_current_statement=false',
      token,
      payload,
    );
    expect(refused.body.error_detail).toContain('from 2026-02-01 to 2026-03-05');
    const booked = await service.post<{ results: { transaction_data: object }[] }>(
      'transactions/create/',
      token,
      payload,
    );
    expect(booked.body.results[0]!.transaction_data).toMatchObject({
      transaction_date: '2026-02-01',
      note: expect.stringContaining('from 2026-01-12 to 2026-02-01') as string,
    });
    const [pinned] = await database.sql<{ body: string }>('SELECT body FROM note');
    expect(pinned!.body).toContain('from 2026-02-01 to 2026-03-05');
  });

  it('is refused where the service may not set its own (6)', async () => {
    const environment = readEnvironment({
      DATABASE_URL: database.url,
      DATABASE_STATEMENTS: 'plain',
      TOKEN_SIGNING_KEY,
    });
    await expect(openDatabase(environment, { role: 'service', say: () => undefined })).rejects.toThrow(
      /^The database .* writes dates in the style SQL, DMY; ISO is needed: /,
    );
  });
});
