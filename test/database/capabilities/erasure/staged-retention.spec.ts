import { Logger } from '@nestjs/common';
import { StagedRetentionJob } from '../../../../src/capabilities/erasure/staged-retention.job.js';
import type { Tx } from '../../../../src/infrastructure/database/unit-of-work.js';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { createDatabase } from '../../../support/database.js';
import { givenIn } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { setUpWork } from '../../../support/set-up-work.js';
import { waitUntil } from '../../../support/wait-until.js';
import { idOf } from '../../../support/suppliers.js';

const { jest } = import.meta;

/** The job, with its batches in reach. */
class TestedJob extends StagedRetentionJob {
  override removeBatch(tx: Tx, importSupplierId: number): Promise<number> {
    return super.removeBatch(tx, importSupplierId);
  }
}

describe('the staged objects of imported accounts', () => {
  const database = setUp(createDatabase);
  const work = setUpWork(database);
  const byDefault = new TestedJob(work, readEnvironment({}));

  /** Create accounts with staged objects at a new supplier: imported `age` ago, or pending without it. @returns the supplier's code */
  async function accounts(count: number, age?: string): Promise<string> {
    const { supplier } = await givenIn(database).supplier();
    await database.imports(
      `INSERT INTO account_import (import_supplier_id, external_account_number, account, status, service_account_number,
                                   account_created_at, open_statement_from)
       SELECT s.id, n::text, '{"name": "Customer"}', CASE WHEN $3::text IS NULL THEN 'pending' ELSE 'imported' END,
              CASE WHEN $3::text IS NOT NULL THEN next_service_account_number() END, now() - $3::interval, '2026-01-01'
         FROM import_supplier s, generate_series(1, $2::integer) AS n
        WHERE s.code = $1`,
      [supplier, count, age ?? null],
    );
    return supplier;
  }

  async function kept(code: string): Promise<number> {
    const rows = await database.sql(
      `SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 AND a.account IS NOT NULL`,
      [code],
    );
    return rows.length;
  }

  it('are removed RETENTION_STAGED_DAYS after the import, by all services at once (S10)', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    const environment = readEnvironment({ RETENTION_STAGED_DAYS: '7' });
    const old = [await accounts(300, '7 days 1 second'), await accounts(3, '1 year')];
    const [young, pending] = [await accounts(5, '6 days 23 hours'), await accounts(5)];
    const jobs = [1, 2].map(() => new StagedRetentionJob(work, environment));
    for (const job of jobs) job.onApplicationBootstrap();
    for (const code of old) await waitUntil('the old ones are removed', async () => (await kept(code)) === 0);
    for (const job of jobs) await job.onApplicationShutdown();
    expect([await kept(young), await kept(pending)]).toEqual([5, 5]);
    const imported = await database.sql(
      `SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 AND a.status = 'imported'`,
      [old[0]],
    );
    expect(imported).toHaveLength(300);
  });

  it('are kept for 90 days by default, and indefinitely with none (S10)', async () => {
    expect(readEnvironment({}).RETENTION_STAGED_DAYS).toBe(90);
    const environment = readEnvironment({ RETENTION_STAGED_DAYS: 'none' });
    const ancient = await accounts(1, '50 years');
    const id = await idOf(database, ancient);
    const job = new TestedJob(work, environment);
    const remove = jest.spyOn(job, 'removeBatch');
    job.onApplicationBootstrap();
    await waitUntil('it has run', () => Promise.resolve(remove.mock.calls.some((call) => call[1] === id)));
    await job.onApplicationShutdown();
    expect(await kept(ancient)).toBe(1);
    expect(await work.query((tx) => byDefault.removeBatch(tx, id))).toBe(1);
  });

  it('are removed for other suppliers even if they cannot be for one, which is logged once (S10)', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const suppliers = [
      await accounts(1, '91 days'),
      await accounts(1, '91 days'),
      await accounts(1, '91 days'),
    ];
    const broken = await Promise.all(suppliers.slice(0, 2).map((code) => idOf(database, code)));
    const job = new TestedJob(work, readEnvironment({}));
    jest
      .spyOn(job, 'removeBatch')
      .mockImplementation((tx, id) =>
        broken.includes(id) ? Promise.reject(new Error('Its node is away.')) : byDefault.removeBatch(tx, id),
      );
    job.onApplicationBootstrap();
    await waitUntil('it has run', () => Promise.resolve(warn.mock.calls.length > 0));
    await job.onApplicationShutdown();
    expect(await Promise.all(suppliers.map(kept))).toEqual([1, 1, 0]);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ count: 2 }));
  });

  it('are removed in batches, past accounts that are locked (S10)', async () => {
    const code = await accounts(250, '91 days');
    await using other = await database.connect();
    const id = await idOf(database, code);
    const remove = (): Promise<number> => work.query((tx) => byDefault.removeBatch(tx, id));
    await other.query('BEGIN');
    await other.query(
      `SELECT FROM account_import
        WHERE import_supplier_id = $1 AND external_account_number::integer <= 20 FOR NO KEY UPDATE`,
      [id],
    );
    expect(await remove()).toBe(100);
    expect(await remove()).toBe(100);
    expect(await remove()).toBe(30);
    expect(await remove()).toBe(0);
    expect(await kept(code)).toBe(20);
    await other.query('COMMIT');
    expect(await remove()).toBe(20);
  });
});
