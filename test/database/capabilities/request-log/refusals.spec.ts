import { Logger } from '@nestjs/common';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { RefusalRetentionJob } from '../../../../src/capabilities/request-log/refusals/refusal-retention.job.js';
import { RefusalsRepository } from '../../../../src/capabilities/request-log/refusals/refusals.repository.js';
import { createDatabase } from '../../../support/database.js';
import { givenIn, type Given, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { setUpWork } from '../../../support/set-up-work.js';
import { waitUntil } from '../../../support/wait-until.js';
import { idOf } from '../../../support/suppliers.js';

const KEPT = 100_000;

const { jest } = import.meta;

describe('recorded refusals', () => {
  const database = setUp(createDatabase);
  const work = setUpWork(database);
  const repository = new RefusalsRepository();

  const given = (): Given => givenIn(database);

  /**
   * Insert refusals of an undocumented field, each with its own name, a second apart.
   *
   * @param newest age of the last one, as an interval
   * @param world their owner; a new organisation with a new supplier by default
   * @returns the supplier's id
   */
  async function refusals(count: number, newest: string, world?: World): Promise<number> {
    const { supplier, organisationId, apiKeyId } = world ?? (await given().supplier());
    const id = await idOf(database, supplier);
    await database.sql(
      `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id,
                                   request_id, status, code, field_code, attr, is_dry_run)
       SELECT $1, 'account ' || n % 7, uuidv7(), now() - $3::interval - n * interval '1 s', 'notes', $4, $5, n, 400,
              'validation_error', 'unexpected_field', 'notes.0.invented' || n, false
         FROM generate_series(0, $2::integer - 1) AS n`,
      [id, count, newest, organisationId, apiKeyId],
    );
    return id;
  }

  /** The remaining refusals; 0 was the newest. @param organisationId only those of this organisation */
  async function left(
    supplierId: number,
    organisationId?: string,
  ): Promise<{ count: number; oldest: number | null }> {
    const [row] = await database.sql<{ count: number; oldest: number | null }>(
      `SELECT count(*)::integer AS count, max(request_id::integer) AS oldest
         FROM import_refusal
        WHERE import_supplier_id = $1 AND ($2::uuid IS NULL OR organisation_id = $2)`,
      [supplierId, organisationId ?? null],
    );
    return row!;
  }

  it('are removed after RETENTION_REFUSALS_DAYS, by all services at once (O6)', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    const environment = readEnvironment({ RETENTION_REFUSALS_DAYS: '7' });
    const [old, young] = [await refusals(1_500, '7 days'), await refusals(500, '6 days 23 hours')];
    const jobs = [1, 2].map(() => new RefusalRetentionJob(work, repository, environment));
    for (const job of jobs) job.onApplicationBootstrap();
    await waitUntil('the old ones are removed', async () => (await left(old)).count === 0);
    for (const job of jobs) await job.onApplicationShutdown();
    expect(await left(young)).toEqual({ count: 500, oldest: 499 });
  });

  it('are removed up to 1,000 at a time, the oldest first, past those that are locked (O6)', async () => {
    const supplier = await refusals(1_500, '31 days');
    await using other = await database.connect();
    const remove = (): Promise<number> => work.query((tx) => repository.remove(tx, supplier, 30));
    await other.query('BEGIN');
    const oldest = `import_supplier_id = ${supplier} AND request_id::integer >= 1400`;
    await other.query(`SELECT FROM import_refusal WHERE ${oldest} FOR UPDATE`);
    expect(await remove()).toBe(1_000);
    expect(await remove()).toBe(400);
    expect(await remove()).toBe(0);
    expect(await left(supplier)).toEqual({ count: 100, oldest: 1_499 });
    await other.query('COMMIT');
    expect(await remove()).toBe(100);
  });

  it('of one organisation do not affect those of another at the same supplier, and form one cause (O6, C9)', async () => {
    const a = await given().supplier();
    const b = { ...a, ...(await given().organisation()) };
    await given().grant(a.supplier, b.organisationId);
    const supplier = await refusals(500, '20 days', b);
    await refusals(KEPT + 500, '0', a);
    const remove = (): Promise<number> => work.query((tx) => repository.remove(tx, supplier, 30));
    while ((await remove()) > 0);
    expect(await left(supplier, b.organisationId)).toEqual({ count: 500, oldest: 499 });
    expect(await left(supplier, a.organisationId)).toEqual({ count: KEPT, oldest: KEPT - 1 });
    const causes = await database.sql(
      'SELECT DISTINCT cause, field FROM import_refusal WHERE import_supplier_id = $1',
      [supplier],
    );
    expect(causes).toEqual([{ cause: expect.any(String) as string, field: null }]);
  });
});
