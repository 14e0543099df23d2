import type { INestApplicationContext } from '@nestjs/common';
import {
  ImportingService,
  type ImportOptions,
  type ImportOutcome,
} from '../../src/accounts/importing.service.js';
import { MigrationStatusService } from '../../src/accounts/migration-status.service.js';
import { createLogger } from '../../src/common/logger.js';
import { readEnvironment } from '../../src/config/env.js';
import { createContext } from '../../src/operator.module.js';
import { startService, TOKEN_SIGNING_KEY, type TestService, type World } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

describe('importing', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ PLATFORM_TIMEZONE: 'Pacific/Kiritimati' });
  });
  afterAll(async () => {
    await service.stop();
  });

  const importAll = (
    code: string,
    options: Partial<ImportOptions> = {},
    context: INestApplicationContext = service.app,
  ): Promise<ImportOutcome> =>
    context.get(ImportingService, { strict: false }).import(code, {
      concurrency: 1,
      interrupted: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
  const status = async (code: string): Promise<Record<string, number>> => {
    const progress = await service.app.get(MigrationStatusService, { strict: false }).supplier(code);
    return { ...progress.accounts };
  };
  /** Accounts 00001 to `count` of a supplier of their own. */
  const pendingAccounts = async (count: number, columns: Record<string, unknown> = {}): Promise<World> => {
    const world = await service.given.supplier(columns);
    await service.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT s.id, lpad(n::text, 5, '0') FROM import_supplier s, generate_series(1, $2::integer) n WHERE s.code = $1`,
      [world.supplier, count],
    );
    return world;
  };
  const claim = (code: string, first: string, last: string, seconds: number): Promise<unknown> =>
    service.database.sql(
      `INSERT INTO import_claim (import_supplier_id, first_number, last_number, claimed_by, expires_at)
       SELECT id, $2, $3, 'an importer that was killed', now() + make_interval(secs => $4)
         FROM import_supplier WHERE code = $1`,
      [code, first, last, seconds],
    );
  const claims = (code: string): Promise<unknown[]> =>
    service.database.sql(
      `SELECT c.id FROM import_claim c JOIN import_supplier s ON s.id = c.import_supplier_id WHERE s.code = $1`,
      [code],
    );
  const numbers = async (code: string): Promise<{ total: number; unique: number }> => {
    const [row] = await service.database.sql<{ total: number; unique: number }>(
      `SELECT count(a.service_account_number)::integer AS total,
              count(DISTINCT a.service_account_number)::integer AS unique
         FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id WHERE s.code = $1`,
      [code],
    );
    return row!;
  };

  it('gives every account one number of its own while several importers are at work (S4)', async () => {
    const { supplier } = await pendingAccounts(20_001);
    const outcomes = await Promise.all([
      importAll(supplier, { concurrency: 3 }),
      importAll(supplier),
      importAll(supplier, { concurrency: 2 }),
    ]);
    expect(outcomes.reduce((sum, { imported }) => sum + imported, 0)).toBe(20_001);
    expect(outcomes.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    expect(await numbers(supplier)).toEqual({ total: 20_001, unique: 20_001 });
    expect(await claims(supplier)).toEqual([]);
  });

  it('waits for a lock as long as it is held, however many importers are asked for (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    const settings = { DATABASE_URL: service.database.url, TOKEN_SIGNING_KEY, DATABASE_POOL_MAX: '2' };
    const environment = readEnvironment(settings);
    const logger = createLogger('silent');
    const command = await createContext({ environment, databaseUrl: service.database.url, logger });
    // Only the clock of the command is put forward: it is the pool that gives up those who wait for a connection.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    try {
      const release = await service.database.lock('account_import');
      const outcome = importAll(supplier, { concurrency: 16 }, command).catch((error: unknown) => error);
      await service.database.blocked(2);
      jest.advanceTimersByTime(600_000);
      await release();
      expect(await outcome).toEqual({ imported: 10, failed: 0, remaining: 0 });
    } finally {
      jest.useRealTimers();
      await command.close();
    }
  });

  it('has nothing to do the second time (S3)', async () => {
    const { supplier } = await pendingAccounts(5);
    expect(await importAll(supplier)).toEqual({ imported: 5, failed: 0, remaining: 0 });
    expect(await importAll(supplier)).toEqual({ imported: 0, failed: 0, remaining: 0 });
  });

  it('takes over what a killed importer left when its claim is over (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await claim(supplier, '00003', '00006', -1);
    expect(await status(supplier)).toEqual({ pending: 10, in_progress: 0, imported: 0, failed: 0 });
    expect(await importAll(supplier)).toEqual({ imported: 10, failed: 0, remaining: 0 });
    expect(await claims(supplier)).toEqual([]);
  });

  it('imports around a claim that counts, waits for its end, and leaves nothing behind (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await claim(supplier, '00003', '00006', 2);
    expect(await status(supplier)).toEqual({ pending: 6, in_progress: 4, imported: 0, failed: 0 });
    expect(await importAll(supplier)).toEqual({ imported: 10, failed: 0, remaining: 0 });
  });

  it('stops waiting when it is interrupted (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await claim(supplier, '00003', '00006', 3_600);
    const interruption = new AbortController();
    const running = importAll(supplier, {
      interrupted: interruption.signal,
      onProgress: () => {
        if (interruption.signal.aborted) throw new Error('It went on after the interruption.');
      },
    });
    const freeAreImported = waitUntil('what nobody has claimed is imported', async () => {
      const imported = await service.database.sql(
        `SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
          WHERE s.code = $1 AND a.status = 'imported'`,
        [supplier],
      );
      return imported.length === 6;
    }).finally(() => {
      interruption.abort();
    });
    const [outcome] = await Promise.all([running, freeAreImported]);
    expect(outcome).toEqual({ imported: 6, failed: 0, remaining: 4 });
    expect(await claims(supplier)).toHaveLength(1);
  });

  it('goes through no more accounts than the limit (S3)', async () => {
    const { supplier } = await pendingAccounts(100);
    expect(await importAll(supplier, { limit: 30, concurrency: 4 })).toEqual({
      imported: 30,
      failed: 0,
      remaining: 70,
    });
  });

  it('fails an account whose period would end before it begins, until it is staged anew (S6)', async () => {
    const { supplier } = await pendingAccounts(4);
    const set = (number: string, column: string, day: string): Promise<unknown> =>
      service.database.sql(
        `UPDATE account_import a SET ${column} = $3 FROM import_supplier s
          WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = $2`,
        [supplier, number, day],
      );
    await set('00001', 'open_statement_from', '9999-01-01');
    await set('00002', 'open_statement_to', '2000-01-01');
    expect(await importAll(supplier)).toEqual({ imported: 2, failed: 2, remaining: 0 });
    const progress = await service.app.get(MigrationStatusService, { strict: false }).supplier(supplier);
    expect(progress.accounts).toEqual({ pending: 0, in_progress: 0, imported: 2, failed: 2 });
    expect(progress.lastError).toMatchObject({ externalAccountNumber: '00002' });
    expect(progress.lastError!.failure).toMatch(/^The open statement period .*\.$/);
  });

  it('opens the period on the day of import in the platform’s time zone (S6)', async () => {
    const { supplier } = await pendingAccounts(1);
    await importAll(supplier);
    const account = await service.app
      .get(MigrationStatusService, { strict: false })
      .account({ importSupplier: supplier, externalAccountNumber: '00001' });
    const [row] = await service.database.sql<{ today: string }>(
      `SELECT (now() AT TIME ZONE 'Pacific/Kiritimati')::date::text AS today`,
    );
    expect(account).toMatchObject({
      state: 'imported',
      openStatementFrom: row!.today,
      openStatementTo: null,
    });
    expect(account.serviceAccountNumber).toMatch(/^A-[0-9A-F]{8}$/);
  });

  it('is refused while the supplier is paused, and stops when it is paused in between (S2)', async () => {
    const { supplier } = await pendingAccounts(6_000);
    const pause = `UPDATE import_supplier SET status = $2 WHERE code = $1`;
    await service.database.sql(pause, [supplier, 'paused']);
    await expect(importAll(supplier)).rejects.toMatchObject({
      code: 'import_supplier_migration_not_ongoing',
    });
    await service.database.sql(pause, [supplier, 'ongoing']);
    const paused: Promise<unknown>[] = [];
    const importing = importAll(supplier, {
      onProgress: () => paused.push(service.database.sql(pause, [supplier, 'complete'])),
    });
    await expect(importing).rejects.toMatchObject({ code: 'import_supplier_migration_not_ongoing' });
    await Promise.all(paused);
    expect((await status(supplier)).pending).toBeGreaterThan(0);
    expect(await claims(supplier)).toEqual([]);
  });
});
