import { Logger } from '@nestjs/common';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { EvidenceRetentionJob } from '../../../../src/infrastructure/audit/evidence/evidence-retention.job.js';
import { EvidenceService } from '../../../../src/infrastructure/audit/evidence/evidence.service.js';
import { createDatabase } from '../../../support/database.js';
import { givenIn, type AccountPair } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { setUpWork } from '../../../support/set-up-work.js';
import { waitUntil } from '../../../support/wait-until.js';
import { idOf } from '../../../support/suppliers.js';

const { jest } = import.meta;

describe('evidence of views', () => {
  const database = setUp(createDatabase);
  const work = setUpWork(database);
  const evidence = setUp(() => Promise.resolve(new EvidenceService(work)));

  const record = async (
    { import_supplier, external_account_number }: AccountPair,
    viewer = 'anna',
  ): Promise<boolean> => {
    const importSupplierId = await idOf(database, import_supplier);
    return evidence.recordView({
      ...{ viewer, action: 'account.view', importSupplier: import_supplier, importSupplierId },
      externalAccountNumber: external_account_number,
    });
  };

  /** Insert views of an account number, an hour apart. @param newest age of the last one, as an interval */
  async function views(number: string, count: number, newest: string): Promise<void> {
    await database.sql(
      `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
       SELECT 'anna', 'account.view', 'S', $1, date_trunc('hour', v.at), v.at, v.at, 1
         FROM (SELECT now() - $3::interval - n * interval '1 hour' AS at FROM generate_series(0, $2::integer - 1) n) v`,
      [number, count, newest],
    );
  }

  async function left(number: string): Promise<number> {
    return (await database.sql('SELECT FROM viewed WHERE external_account_number = $1', [number])).length;
  }

  it('is one row per person, account and hour, however many views are concurrent (O6)', async () => {
    const { ref } = await givenIn(database).importedAccount();
    expect(await Promise.all(Array.from({ length: 40 }, () => record(ref)))).toEqual(Array(40).fill(true));
    await record(ref, 'bert');
    const rows = await database.sql(
      `SELECT viewer, action, sum(count)::integer AS count, count(DISTINCT hour) = count(*) AS is_by_hour
         FROM viewed WHERE external_account_number = $1 GROUP BY viewer, action ORDER BY viewer`,
      [ref.external_account_number],
    );
    expect(rows).toEqual([
      { viewer: 'anna', action: 'account.view', count: 40, is_by_hour: true },
      { viewer: 'bert', action: 'account.view', count: 1, is_by_hour: true },
    ]);
  });

  it('is not recorded for an account that does not exist (S10)', async () => {
    const { ref } = await givenIn(database).importedAccount();
    expect(await record({ ...ref, external_account_number: 'none' })).toBe(false);
    expect(await left('none')).toBe(0);
  });

  it('of an erased account is removed, even if it was being recorded at that moment (S10)', async () => {
    const insert = `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
                    VALUES ($1, 'account.view', 'S', 'gone', date_trunc('hour', now()), now(), now(), 1)`;
    await database.sql(insert, ['anna']);
    await using recording = await database.connect();
    const remove = (): Promise<number> =>
      work.write((tx) => evidence.removeOfAccounts(tx, 'S', ['other', 'gone']));
    await recording.query('BEGIN');
    await recording.query(insert, ['bert']);
    const removed = remove();
    await database.blocked(1);
    await recording.query('COMMIT');
    expect(await removed).toBe(2);
    expect(await remove()).toBe(0);
  });

  it('is removed after RETENTION_VIEWS_DAYS, by all services at once (O6)', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    await views('old', 6_000, '7 days');
    await views('young', 5, '6 days');
    const environment = readEnvironment({ RETENTION_VIEWS_DAYS: '7' });
    const jobs = [1, 2].map(() => new EvidenceRetentionJob(work, evidence, environment));
    for (const job of jobs) job.onApplicationBootstrap();
    await waitUntil('the old ones are removed', async () => (await left('old')) === 0);
    for (const job of jobs) await job.onApplicationShutdown();
    expect(await left('young')).toBe(5);
  });

  it('expires together with feed readers that no longer read, or whose key ended a day ago (E6)', async () => {
    const given = givenIn(database);
    const id = await idOf(database, (await given.supplier()).supplier);
    const [here, ended] = [(await given.platformToken()).keyId, (await given.platformToken()).keyId];
    await database.sql(
      `WITH k AS (UPDATE platform_key SET revoked_at = now() - interval '25 hours' WHERE id = $3)
       INSERT INTO feed_reader (import_supplier_id, name, platform_key_id, sequence, asked_at)
       VALUES ($1, 'here', $2, 0, now()), ($1, 'away', $2, 0, now() - interval '91 days'), ($1, 'ended', $3, 0, now())`,
      [id, here, ended],
    );
    await work.query((tx) => evidence.removeOld(tx, 90));
    const left = await database.sql('SELECT name FROM feed_reader WHERE import_supplier_id = $1', [id]);
    expect(left).toEqual([{ name: 'here' }]);
  });
});
