import { createDatabase } from '../support/database.js';
import { folderWith } from '../support/folders.js';
import { spawnService } from '../support/service-process.js';
import { clientOf, givenIn, TOKEN_SIGNING_KEY } from '../support/service.js';
import { setUp } from '../support/set-up.js';

const database = setUp(createDatabase);

const charge = (id: string): object => ({
  transaction_id: id,
  transaction_date: '2026-03-15',
  amount: 1,
  type: 'CHARGE',
});

it('a request whose service is killed between the express query and the careful one stores nothing, and its repeat stores it (X5)', async () => {
  const { ref, token } = await givenIn(database).importedAccount();
  const payload = { ...ref, transactions: [charge('a'), charge('b')] };
  const start = (): ReturnType<typeof spawnService> =>
    spawnService({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY, DATA_DIR: folderWith() });
  const post = (url: string): Promise<{ status: number }> =>
    clientOf(url).post('transactions/create/', token, payload);
  const stored = (): Promise<{ id: string }[]> =>
    database.sql(`SELECT transaction_id AS id FROM transaction ORDER BY transaction_id`);
  await using other = await database.connect();
  await other.query('BEGIN');
  await other.query(
    `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date, amount,
                              type)
     SELECT id, $2, 'a', uuidv7(), '2026-03-15', 1, 'CHARGE' FROM import_supplier WHERE code = $1`,
    [ref.import_supplier, ref.external_account_number],
  );
  const first = start();
  const answer = post(await first.listening()).catch(() => 'no answer');
  // The express query waits for the other transaction's row, and then the careful one for this lock, which was requested in between.
  await database.blocked(1);
  const locked = database.lock('transaction');
  await database.blocked(2);
  await other.query('COMMIT');
  const release = await locked;
  const waiting = await database.blocked(1);
  first.kill('SIGKILL');
  await first.ended;
  // Otherwise the connection would still store the rows, as after a kill once the careful query was sent.
  await database.sql('SELECT pg_terminate_backend(unnest($1::integer[]))', [waiting]);
  expect(await answer).toBe('no answer');
  await release();
  expect(await stored()).toEqual([{ id: 'a' }]);
  const second = start();
  expect(await post(await second.listening())).toMatchObject({ status: 201 });
  expect(await stored()).toEqual([{ id: 'a' }, { id: 'b' }]);
  second.kill('SIGTERM');
  await second.ended;
});
