import { runJson } from '../../../support/cli.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { expectError } from '../../../support/expect-error.js';
import { startService, unique, type Given, type Reply, type TestService } from '../../../support/service.js';
import { untilNoLonger } from '../../../support/wait-until.js';

/** The contract's time limit until a new catalogue value applies in every process (X3). */
const EFFECTIVE_MS = 5_000;

describe('two services on one database', () => {
  let database: TestDatabase;
  let given: Given;
  let services: [TestService, TestService];

  beforeAll(async () => {
    database = await createDatabase();
    const start = (): Promise<TestService> => startService({ TRUSTED_PROXIES: '127.0.0.1' }, { database });
    services = [await start(), await start()];
    ({ given } = services[0]);
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await database.drop();
  });

  /** Run an operator command while the services run. */
  const command = async (...args: string[]): Promise<unknown> => {
    const { exitCode, json } = await runJson(database, args);
    expect(exitCode).toBe(0);
    return json;
  };

  const transaction = (fields: object = {}): object => ({
    transaction_id: unique('transaction'),
    transaction_date: '2026-02-03',
    amount: 12.5,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    ...fields,
  });
  const send = (service: TestService, token: string, ref: object, transactions: object[]): Promise<Reply> =>
    service.post('transactions/create/', token, { ...ref, transactions });

  it('refuse import requests as soon as an operator pauses the supplier, and accept them again later (S1, S2)', async () => {
    const { token, ref } = await given.importedAccount();
    const statuses = async (): Promise<number[]> => {
      const replies = await Promise.all(
        services.map((service) => send(service, token, ref, [transaction()])),
      );
      return replies.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([201, 201]);
    await command('supplier', 'set', ref.import_supplier, '--status', 'paused');
    for (const service of services) {
      expectError(await send(service, token, ref, [transaction()]), 400, 'validation_error', [
        ['import_supplier_migration_not_ongoing', 'import_supplier'],
      ]);
    }
    await command('supplier', 'set', ref.import_supplier, '--status', 'ongoing');
    expect(await statuses()).toEqual([201, 201]);
  });

  it('accept a value that an operator adds to a catalogue, both within five seconds (X3)', async () => {
    const { token, ref } = await given.importedAccount();
    const reason = unique('REASON');
    for (const service of services) {
      expectError(await send(service, token, ref, [transaction({ reason })]), 400, 'validation_error', [
        ['invalid_choice', 'transactions.0.reason'],
      ]);
    }
    await command('catalogue', 'add', 'reason', reason);
    const addedAtMs = performance.now();
    for (const service of services) {
      const isRefused = async (): Promise<boolean> =>
        (await send(service, token, ref, [transaction({ reason })])).status === 400;
      expect((await untilNoLonger('the value is accepted', isRefused)) - addedAtMs).toBeLessThan(
        EFFECTIVE_MS,
      );
      expect((await send(service, token, ref, [transaction({ reason })])).status).toBe(201);
    }
  });
});
