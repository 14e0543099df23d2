import type { INestApplicationContext } from '@nestjs/common';
import { ImportingRepository } from '../../../src/accounts/importing/importing.repository.js';
import {
  ImportingService,
  type ImportOptions,
  type ImportOutcome,
} from '../../../src/accounts/importing/importing.service.js';
import { ImportProgressService } from '../../../src/capabilities/totals/import-progress.service.js';
import { NestFactory } from '@nestjs/core';
import { Clock } from '../../../src/infrastructure/clock/clock.js';
import { ClockModule } from '../../../src/infrastructure/clock/clock.module.js';
import { ConfigModule } from '../../../src/infrastructure/config/config.module.js';
import { readEnvironment } from '../../../src/infrastructure/config/env.js';
import { ENTITIES } from '../../../src/apps/data-source.js';
import { DatabaseModule } from '../../../src/infrastructure/database/database.module.js';
import { ImportingModule } from '../../../src/accounts/importing/importing.module.js';
import { startService, type World } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';
import { useFakeTimers, useRealTimers } from '../../support/outside.js';

const { jest } = import.meta;

describe('importing', () => {
  const service = setUp(() => startService({ PLATFORM_TIMEZONE: 'Pacific/Kiritimati' }));
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const importAll = (
    code: string,
    options: Partial<ImportOptions> = {},
    context: INestApplicationContext = service.app,
  ): Promise<ImportOutcome> =>
    context.get(ImportingService, { strict: false }).import(code, {
      operator: 'test',
      concurrency: 1,
      interrupted: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
  const status = async (code: string): Promise<Record<string, number>> => {
    const progress = await service.app.get(ImportProgressService, { strict: false }).supplier(code);
    return { ...progress.totals.accounts };
  };
  /** Create a supplier with the pending accounts 00001 to `count`. */
  const pendingAccounts = async (count: number, columns: Record<string, unknown> = {}): Promise<World> => {
    const world = await service.given.supplier(columns);
    await service.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT s.id, lpad(n::text, 5, '0') FROM import_supplier s, generate_series(1, $2::integer) n WHERE s.code = $1`,
      [world.supplier, count],
    );
    await service.given.changed(world.supplier, 'pending', `VALUES (${count})`);
    return world;
  };
  const lease = (code: string, first: string, last: string, seconds: number): Promise<unknown> =>
    service.database.sql(
      `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
       SELECT id, $2, $3, 'an importer that was killed', now() + make_interval(secs => $4)
         FROM import_supplier WHERE code = $1`,
      [code, first, last, seconds],
    );
  const leases = (code: string): Promise<unknown[]> =>
    service.database.sql(
      `SELECT l.id FROM import_lease l JOIN import_supplier s ON s.id = l.import_supplier_id WHERE s.code = $1`,
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

  /** Runs an action when the first chunk is leased and not imported yet. */
  const beforeImporting = (act: (leaseId: string) => Promise<unknown>): void => {
    const repository = service.app.get(ImportingRepository, { strict: false });
    const goOn = repository.import.bind(repository);
    jest.spyOn(repository, 'import').mockImplementationOnce(async (tx, supplier, chunk, today) => {
      await act(chunk.id);
      return goOn(tx, supplier, chunk, today);
    });
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
    expect(await leases(supplier)).toEqual([]);
  });

  it('waits for a lock for as long as it is held, however many importers there are (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    // Like a command: its queries have no timeout, and no job competes for a connection.
    const environment = { ...readEnvironment({}), DATABASE_POOL_MAX: 2 };
    const database = DatabaseModule.with(service.database.url, environment, { entities: ENTITIES });
    const imports = [ConfigModule.with(environment), ClockModule, database, ImportingModule];
    const command = await NestFactory.createApplicationContext(
      { module: class Command {}, imports },
      { logger: false, abortOnError: false },
    );
    // Advances only the command's clock, because the pool limits the wait for a connection.
    useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    try {
      const release = await service.database.lock('account_import');
      const outcome = importAll(supplier, { concurrency: 16 }, command).catch((error: unknown) => error);
      await service.database.blocked(2);
      jest.advanceTimersByTime(600_000);
      await release();
      expect(await outcome).toMatchObject({ imported: 10, failed: 0, remaining: 0 });
    } finally {
      useRealTimers();
      await command.close();
    }
  });

  it('imports what a killed importer left when its lease has expired (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await lease(supplier, '00003', '00006', -1);
    expect(await status(supplier)).toEqual({ pending: 10, in_progress: 0, imported: 0, failed: 0 });
    expect(await importAll(supplier)).toMatchObject({ imported: 10, failed: 0, remaining: 0 });
    expect(await leases(supplier)).toEqual([]);
  });

  it('skips a valid lease, waits until it expires, and then imports its accounts (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await lease(supplier, '00003', '00006', 2);
    expect(await status(supplier)).toEqual({ pending: 6, in_progress: 4, imported: 0, failed: 0 });
    expect(await importAll(supplier)).toMatchObject({ imported: 10, failed: 0, remaining: 0 });
  });

  it('stops waiting when it is interrupted (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    await lease(supplier, '00003', '00006', 3_600);
    const interruption = new AbortController();
    const running = importAll(supplier, {
      interrupted: interruption.signal,
      onProgress: () => {
        if (interruption.signal.aborted) throw new Error('It went on after the interruption.');
      },
    });
    const freeAreImported = waitUntil('what is not leased is imported', async () => {
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
    expect(outcome).toMatchObject({ imported: 6, failed: 0, remaining: 4 });
    expect(await leases(supplier)).toHaveLength(1);
  });

  it('changes no account and no lease of another supplier, and waits for none of them (S3)', async () => {
    const [own, other] = [await pendingAccounts(6), await pendingAccounts(10)];
    await lease(other.supplier, '00001', '00002', -1);
    await lease(other.supplier, '00003', '00004', 3_600);
    const chunks: number[] = [];
    const outcome = await importAll(own.supplier, {
      limit: 6,
      onProgress: (accounts) => chunks.push(accounts),
    });
    expect(outcome).toMatchObject({ imported: 6, failed: 0, remaining: 0 });
    expect(chunks).toEqual([6]);
    expect(await status(own.supplier)).toEqual({ pending: 0, in_progress: 0, imported: 6, failed: 0 });
    expect(await status(other.supplier)).toEqual({ pending: 8, in_progress: 2, imported: 0, failed: 0 });
    expect(await leases(other.supplier)).toHaveLength(2);
  });

  it('neither waits for a lease in which nothing is pending nor counts it against the limit (S3)', async () => {
    const [world, other] = [await pendingAccounts(2), await pendingAccounts(3)];
    // Sorts between the first two accounts and the leased ones.
    await service.given.stagedAccount(other, '00002+');
    await service.given.importedAccount({ world, number: '00003' });
    await service.given.stagedAccount(world, '00004');
    await lease(world.supplier, '00003', '00003', 3_600);
    expect(await importAll(world.supplier, { limit: 4 })).toMatchObject({
      imported: 3,
      failed: 0,
      remaining: 0,
    });
    expect((await status(other.supplier)).pending).toBe(4);
  });

  it('leases accounts again that it lost before their import, even with a limit (S3)', async () => {
    const { supplier } = await pendingAccounts(10);
    beforeImporting((id) => service.database.sql('DELETE FROM import_lease WHERE id = $1', [id]));
    expect(await importAll(supplier, { limit: 5 })).toMatchObject({ imported: 5, failed: 0, remaining: 5 });
  });

  it.each([1, 3])(
    'imports other accounts once and ends while some are being erased, with %i importers (S3, S10)',
    async (concurrency) => {
      const { supplier } = await pendingAccounts(5);
      const set = (status: string): Promise<unknown> =>
        service.database.sql(
          `UPDATE account_import a SET status = $2, failure = CASE $2 WHEN 'failed' THEN 'No.' END
             FROM import_supplier s
            WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number IN ('00002', '00005')`,
          [supplier, status],
        );
      const repository = service.app.get(ImportingRepository, { strict: false });
      const importing = repository.import.bind(repository);
      // As on several nodes: only they keep the numbers of accounts while these are being erased.
      const leaveOut = jest.spyOn(repository, 'import').mockImplementation(async (...chunk) => {
        // Each importer may have begun a lease before it knew which numbers another one has skipped.
        if (leaveOut.mock.calls.length > concurrency)
          throw new Error('The accounts that were left out are leased again.');
        await set('failed');
        const done = await importing(...chunk);
        await set('pending');
        return { ...done, erasing: ['00002', '00005'] };
      });
      expect(await importAll(supplier, { concurrency })).toEqual({
        imported: 3,
        failed: 0,
        remaining: 2,
        erasing: 2,
      });
      leaveOut.mockRestore();
      expect(await importAll(supplier)).toEqual({ imported: 2, failed: 0, remaining: 0, erasing: 0 });
    },
  );

  it('skips accounts that failed or were imported after it leased them (S3)', async () => {
    const { supplier } = await pendingAccounts(3);
    beforeImporting(async () => {
      await service.database.sql(
        `UPDATE account_import a SET status = 'failed', failure = 'It was not wanted.'
           FROM import_supplier s
          WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = '00002'`,
        [supplier],
      );
      await service.given.changed(supplier, 'pending, failed', 'VALUES (-1, 1)');
    });
    expect(await importAll(supplier)).toMatchObject({ imported: 2, failed: 0, remaining: 0 });
    expect(await status(supplier)).toEqual({ pending: 0, in_progress: 0, imported: 2, failed: 1 });
  });

  it('leases the chunks of a supplier one after the other (S3)', async () => {
    const { supplier } = await pendingAccounts(3);
    await using another = await service.database.connect();
    await another.query('BEGIN');
    await another.query('SELECT FROM import_supplier WHERE code = $1 FOR NO KEY UPDATE', [supplier]);
    const outcome = importAll(supplier);
    await service.database.blocked(1);
    expect(await leases(supplier)).toEqual([]);
    await another.query('COMMIT');
    expect(await outcome).toMatchObject({ imported: 3, failed: 0, remaining: 0 });
  });

  it('fails an account whose period would end before it begins, until it is staged again (S6)', async () => {
    const { supplier } = await pendingAccounts(4);
    const set = (number: string, column: string, day: string): Promise<unknown> =>
      service.database.sql(
        `UPDATE account_import a SET ${column} = $3 FROM import_supplier s
          WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = $2`,
        [supplier, number, day],
      );
    await set('00001', 'open_statement_from', '9999-01-01');
    await set('00002', 'open_statement_to', '2000-01-01');
    expect(await importAll(supplier)).toMatchObject({ imported: 2, failed: 2, remaining: 0 });
    const progress = await service.app.get(ImportProgressService, { strict: false }).supplier(supplier);
    expect(progress.totals.accounts).toEqual({ pending: 0, in_progress: 0, imported: 2, failed: 2 });
    expect(progress.lastError).toMatchObject({ externalAccountNumber: '00002' });
    expect(progress.lastError!.failure).toMatch(/^The open statement period .*\.$/);
  });

  it.each([
    ['2026-03-04T09:59:59.999Z', '2026-03-04'],
    ['2026-03-04T10:00:00Z', '2026-03-05'],
  ])(
    'opens the period on the day of import in the platform’s time zone: at %s on %s (S6)',
    async (now, today) => {
      const { supplier } = await pendingAccounts(1);
      jest.spyOn(service.app.get(Clock, { strict: false }), 'now').mockReturnValue(new Date(now));
      await importAll(supplier);
      const account = await service.app
        .get(ImportProgressService, { strict: false })
        .account({ importSupplier: supplier, externalAccountNumber: '00001' });
      expect(account).toMatchObject({
        state: 'imported',
        open_statement_from: today,
        open_statement_to: null,
      });
      expect(account.service_account_number).toMatch(/^A-[0-9A-F]{8}$/);
    },
  );

  it('is refused while the supplier is paused, and stops when the supplier is paused during it (S2)', async () => {
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
    expect(await leases(supplier)).toEqual([]);
  });

  it('imports nothing of a chunk when the supplier is paused after it was leased (S2)', async () => {
    const { supplier } = await pendingAccounts(3);
    beforeImporting(() =>
      service.database.sql(`UPDATE import_supplier SET status = 'paused' WHERE code = $1`, [supplier]),
    );
    await expect(importAll(supplier)).rejects.toMatchObject({
      code: 'import_supplier_migration_not_ongoing',
    });
    expect(await status(supplier)).toEqual({ pending: 3, in_progress: 0, imported: 0, failed: 0 });
    expect(await leases(supplier)).toEqual([]);
  });
});
