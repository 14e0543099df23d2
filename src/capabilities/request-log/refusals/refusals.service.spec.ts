import { Logger } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { AppError } from '../../../infrastructure/errors/errors.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import type { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { SupplierIds } from '../../../import-suppliers/supplier-ids.js';
import type { Refusal } from './refusal.types.js';
import type { RefusalsRepository } from './refusals.repository.js';
import { RefusalsService } from './refusals.service.js';

const { jest } = import.meta;

const SECOND_MS = 1_000;
const IDS: Readonly<Record<string, number>> = { S: 1, T: 2, U: 3 };
const UNREACHABLE = Object.assign(new Error('Unreachable.'), { code: 'ECONNREFUSED' });

describe('the list of refusals that wait to be stored', () => {
  let insert: (refusals: readonly Refusal[], supplierId: number) => Promise<number>;
  let stored: Refusal[];
  let removed: number[];
  let refusals: RefusalsService;
  let warnings: jest.SpiedFunction<Logger['warn']>;

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, removed] = [[], []];
    insert = (batch) => {
      stored.push(...batch);
      return Promise.resolve(batch.length);
    };
    const repository = {
      insert: (_tx: unknown, supplierId: number, batch: readonly Refusal[]) => insert(batch, supplierId),
      remove: (_tx: unknown, supplierId: number) => {
        removed.push(supplierId);
        return Promise.resolve(0);
      },
    } as unknown as RefusalsRepository;
    const supplierIds = {
      findAll: (codes: readonly string[]) => {
        const known = codes.filter((code) => code in IDS);
        return Promise.resolve(new Map(known.map((code) => [code, IDS[code]])));
      },
    } as unknown as SupplierIds;
    const run = (work: (tx: unknown) => Promise<unknown>): Promise<unknown> => work(undefined);
    const environment = { RETENTION_REFUSALS_DAYS: 30 } as Environment;
    refusals = new RefusalsService(
      { query: run, write: run } as unknown as UnitOfWork,
      repository,
      supplierIds,
      new Clock(environment),
      environment,
    );
    refusals.onApplicationBootstrap();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function refuse(count: number, organisationId = 'o', supplier = 'S'): void {
    const request = {
      routeOptions: { config: { importKind: 'notes' } },
      caller: { organisationId, apiKeyId: 'k', requestId: 'r' },
      body: { import_supplier: supplier, external_account_number: '1' },
      query: {},
    } as unknown as AuthenticatedRequest;
    for (let done = 0; done < count; done += 1) refusals.record(new AppError('account_not_found'), request);
  }

  it('is stored a second later, 2,000 a second over all suppliers (O6)', async () => {
    refuse(2_500);
    refuse(2_000, 'another', 'T');
    expect(stored).toHaveLength(0);
    for (const count of [2_000, 4_000, 4_500, 4_500]) {
      await jest.advanceTimersByTimeAsync(SECOND_MS);
      expect(stored).toHaveLength(count);
    }
    expect(new Set(stored.map(({ id }) => id)).size).toBe(4_500);
    expect(refusals.dropped).toBe(0);
  });

  it('gives one organisation at most as many places as remain free, and drops and counts the rest (O6)', async () => {
    refuse(5_001);
    expect(refusals.dropped).toBe(1);
    refuse(2_501, 'another', 'T');
    expect(refusals.dropped).toBe(2);
    refuse(1_250, 'a third', 'U');
    expect(refusals.dropped).toBe(2);
    // Stored refusals make room.
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    refuse(1);
    expect(refusals.dropped).toBe(2);
    await jest.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(stored).toHaveLength(8_751);
  });

  it('limits an organisation over all its suppliers (O6)', () => {
    refuse(3_000);
    refuse(2_001, 'o', 'T');
    expect(refusals.dropped).toBe(1);
    refuse(1, 'another', 'T');
    expect(refusals.dropped).toBe(1);
  });

  it('is stored supplier by supplier, in turn, without refusals that name an unknown supplier (O6)', async () => {
    const order: number[] = [];
    const works = insert;
    insert = (batch, supplierId) => {
      order.push(supplierId);
      return works(batch, supplierId);
    };
    refuse(2_500);
    refuse(100, 'o', 'NOBODY');
    refuse(1, 'o', 'T');
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    refuse(2_000);
    await jest.advanceTimersByTimeAsync(3 * SECOND_MS);
    expect(order).toEqual([1, 2, 1, 1]);
    expect([stored.length, refusals.dropped]).toEqual([4_501, 0]);
  });

  it('does not hold up other suppliers while one cannot be stored, even one without any answer (O6)', async () => {
    const works = insert;
    const attempts: (() => void)[] = [];
    insert = (batch, supplierId) =>
      supplierId === 1
        ? new Promise((_resolve, reject) =>
            attempts.push(() => {
              reject(UNREACHABLE);
            }),
          )
        : works(batch, supplierId);
    refuse(3);
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    attempts[0]!();
    for (const count of [1, 2, 3]) {
      refuse(1, 'o', 'T');
      await jest.advanceTimersByTimeAsync(SECOND_MS);
      expect(stored).toHaveLength(count);
    }
    expect(attempts).toHaveLength(2);
    attempts[1]!();
    insert = works;
    await jest.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect([stored.length, refusals.dropped]).toEqual([6, 0]);
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  it('waits while the database is unavailable, and warns once (O6)', async () => {
    const works = insert;
    insert = () => Promise.reject(UNREACHABLE);
    refuse(3);
    await jest.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect([stored.length, refusals.dropped]).toEqual([0, 0]);
    refuse(9_999);
    expect(refusals.dropped).toBe(10_002 - 5_000);
    expect(warnings).toHaveBeenCalledTimes(1);
    insert = works;
    await jest.advanceTimersByTimeAsync(3 * SECOND_MS);
    expect(stored).toHaveLength(5_000);
  });

  it('loses the refusals that the database rejects and nothing else (O6)', async () => {
    const works = insert;
    insert = () => Promise.reject(Object.assign(new Error('Wrong.'), { code: '22021' }));
    refuse(3);
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    insert = works;
    refuse(2);
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    expect([stored.length, refusals.dropped]).toEqual([2, 3]);
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  it('is stored when the service stops (O6)', async () => {
    refuse(4_500);
    await refusals.onApplicationShutdown();
    expect(stored).toHaveLength(4_500);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('delays the stop of the service by two seconds at most (O6)', async () => {
    insert = () => new Promise(() => undefined);
    refuse(1);
    let isOver = false;
    const end = refusals.onApplicationShutdown().then(() => {
      isOver = true;
    });
    await jest.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await end;
    expect(warnings).toHaveBeenCalledWith(expect.objectContaining({ count: 1 }));
  });

  it('has the oldest refusals of a supplier removed after every 10,000 (O6)', async () => {
    for (const expected of [[], [1], [1], [1, 1]]) {
      refuse(5_000);
      await jest.advanceTimersByTimeAsync(3 * SECOND_MS);
      expect(removed).toEqual(expected);
    }
  });
});
