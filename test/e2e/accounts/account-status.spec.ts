import { expectError, expectInvalid } from '../../support/expect-error.js';
import { unique } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

describe('GET account-transfer-status/', () => {
  const service = setUp(sharedService);
  const status = (
    token: string,
    supplier: string,
    number: string,
  ): ReturnType<typeof service.get<{ status: string; service_account_number: string }>> =>
    service.get(
      `account-transfer-status/${encodeURIComponent(supplier)}/${encodeURIComponent(number)}/`,
      token,
    );

  it('answers UNKNOWN and an empty number while an account is only staged (4.5, S3)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    const reply = await status(token, ref.import_supplier, ref.external_account_number);
    expect(reply).toMatchObject({ status: 200, body: { status: 'UNKNOWN', service_account_number: '' } });
  });

  it('answers COMPLETED and the platform account number once an account is imported (4.5, S3, S4)', async () => {
    const { token, ref, serviceAccountNumber } = await service.given.importedAccount();
    const reply = await status(token, ref.import_supplier, ref.external_account_number);
    expect(reply.body).toEqual({ status: 'COMPLETED', service_account_number: serviceAccountNumber });
    expect(serviceAccountNumber).toMatch(/^A-[0-9A-F]{8}$/);
  });

  it('answers UNKNOWN after an attempt that failed (3.1, S3)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    await service.database.sql(
      `UPDATE account_import SET status = 'failed', failure = 'A reason.' WHERE external_account_number = $1`,
      [ref.external_account_number],
    );
    const reply = await status(token, ref.import_supplier, ref.external_account_number);
    expect(reply.body).toEqual({ status: 'UNKNOWN', service_account_number: '' });
  });

  it.each([
    ['IN_PROGRESS while the account is being imported', '1 minute', 'IN_PROGRESS'],
    ['UNKNOWN when its importer was killed', '-1 second', 'UNKNOWN'],
  ])('answers %s (3.1, S3)', async (_what, validFor, expected) => {
    const { token, ref } = await service.given.stagedAccount();
    await service.database.sql(
      `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
       SELECT id, $2, $2, 'somebody', now() + $3::interval FROM import_supplier WHERE code = $1`,
      [ref.import_supplier, ref.external_account_number, validFor],
    );
    const reply = await status(token, ref.import_supplier, ref.external_account_number);
    expect(reply.body).toEqual({ status: expected, service_account_number: '' });
  });

  it('answers UNKNOWN while an account of the same number is imported for another supplier (3.1, S3)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    const { supplier } = await service.given.supplier();
    await service.database.sql(
      `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
       SELECT id, $2, $2, 'somebody', now() + interval '1 minute' FROM import_supplier WHERE code = $1`,
      [supplier, ref.external_account_number],
    );
    const reply = await status(token, ref.import_supplier, ref.external_account_number);
    expect(reply.body).toEqual({ status: 'UNKNOWN', service_account_number: '' });
  });

  it('answers 404 for a pair that was never staged (4.5, S3)', async () => {
    const { token, supplier } = await service.given.supplier();
    expectError(await status(token, supplier, unique('nobody')), 404, 'account_not_found', []);
  });

  it('answers the same for another organisation’s account as for one that does not exist (A8)', async () => {
    const { ref } = await service.given.importedAccount();
    const { token } = await service.given.supplier();
    const others = await status(token, ref.import_supplier, ref.external_account_number);
    const none = await status(token, unique('no supplier'), ref.external_account_number);
    expectError(others, 404, 'account_not_found', []);
    expect(others.body).toEqual(none.body);
  });

  it.each([
    'a/b',
    'a b',
    'Zähler №7 ⚡',
    '100%',
    'a..b',
    'a?b#c',
    '%2F',
    ':id',
    'x;y=1',
    'a'.repeat(128),
    '⚡'.repeat(128),
  ])('finds an account whose number is %j (T1, T14)', async (number) => {
    const world = await service.given.supplier();
    await service.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
         SELECT id, $2 FROM import_supplier WHERE code = $1`,
      [world.supplier, number],
    );
    const path = `account-transfer-status/${world.supplier}/${encodeURIComponent(number)}/`;
    expect(await service.get(path, world.token)).toMatchObject({ status: 200 });
  });

  it('compares numbers exactly, letter case included (T14)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    const reply = await status(token, ref.import_supplier, ref.external_account_number.toUpperCase());
    expectError(reply, 404, 'account_not_found');
  });

  it('refuses an impossible number, naming the path segment (T7, T14)', async () => {
    const { token, supplier } = await service.given.supplier();
    expectInvalid(await status(token, supplier, 'a\0b'), ['invalid', 'external_account_number']);
    expectInvalid(await status(token, supplier, 'a'.repeat(129)), ['max_length', 'external_account_number']);
  });

  it('refuses any query parameter (T11)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    const path = `account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
    expectInvalid(await service.get(`${path}?verbose=1`, token), ['unexpected_field', 'verbose']);
  });
});
