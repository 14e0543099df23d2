import { AccountsRepository } from '../../src/accounts/accounts.repository.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { readEnvironment } from '../../src/config/env.js';
import { ReadUnitOfWork, type Endpoint } from '../../src/database/read-unit-of-work.js';
import { migrate } from '../../src/database/open-database.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expect-error.js';
import { memoryLog, type MemoryLog } from '../support/memory-log.js';
import { importOutside } from '../support/outside.js';
import {
  startService,
  type Reply,
  type TestService,
  type TestServiceParts,
  type World,
} from '../support/service.js';
import { startPair, type PostgresPair } from '../support/standby.js';
import { untilNoLonger, waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;
const { register } = await importOutside<typeof import('prom-client')>('prom-client');

/** The longest time that a revocation may take (A7). */
const REVOCATION_MS = 5_000;
const LAG_MAX_SECONDS = 3;
/** A connection that cannot be made fails only after this. */
const SILENCE_MAX_MS = 5_000;

let servers: PostgresPair;
let database: TestDatabase;
let service: TestService;
let reads: ReadUnitOfWork;

/** Start a service on the primary. */
function startReading(standbyUrl: string, settings = {}, parts: TestServiceParts = {}): Promise<TestService> {
  return startService(
    {
      DATABASE_READ_URL: standbyUrl,
      DATABASE_READ_LAG_MAX_SECONDS: String(LAG_MAX_SECONDS),
      ...settings,
    },
    { database, ...parts },
  );
}

const readsOf = ({ app }: TestService): ReadUnitOfWork => app.get(ReadUnitOfWork, { strict: false });
const untilUsed = (one = reads): Promise<void> => waitUntil('the standby is used', () => one.isUsable);
const untilNotUsed = (one = reads): Promise<void> =>
  waitUntil('the standby is not used', () => !one.isUsable);

type List = Reply<{ external_account_number: string }[]>;
const list = (world: World, which = 'all', at = service): Promise<List> =>
  at.get(`${which}-account-import-processes/${world.supplier}/`, world.token);
const numbersOf = ({ body }: List): string[] => body.map((one) => one.external_account_number);
const status = (world: World, number: string, at = service): Promise<Reply<{ status: string }>> =>
  at.get(`account-transfer-status/${world.supplier}/${number}/`, world.token);

/** What a piece of work added to the reads that each server has answered. */
async function answeredDuring(
  endpoint: Endpoint,
  work: () => Promise<unknown>,
  one = reads,
): Promise<[standby: number, primary: number]> {
  const before = { ...one.answered[endpoint] };
  await work();
  const { standby, primary } = one.answered[endpoint];
  return [standby - before.standby, primary - before.primary];
}

/** Wait until the standby has replayed what the primary has written. */
async function caughtUp(): Promise<void> {
  const [written] = await database.sql<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
  await waitUntil('the standby has caught up', async () => {
    const query = 'SELECT pg_last_wal_replay_lsn() >= $1 AS has';
    const [row] = await servers.standby.sql<{ has: boolean }>(query, [written!.lsn]);
    return row!.has;
  });
}

const pauseReplay = (): Promise<unknown> => servers.standby.sql('SELECT pg_wal_replay_pause()');
const resumeReplay = (): Promise<unknown> => servers.standby.sql('SELECT pg_wal_replay_resume()');

/** Lines about the standby. */
function logged(log: MemoryLog): string[] {
  return log.lines().flatMap(({ msg }) => (String(msg).includes('standby') ? [String(msg)] : []));
}

/** Wait until the lag has been measured some more times. */
async function measured(times: number, one = reads): Promise<void> {
  for (let seen = 0; seen < times; seen += 1) {
    const before = jest.spyOn(one as unknown as { measure: () => Promise<void> }, 'measure');
    await waitUntil('the lag is measured', () => before.mock.calls.length > 0);
    before.mockRestore();
  }
}

beforeAll(async () => {
  servers = await startPair(false);
  database = openDatabase(servers.primary.url, false, servers.stop);
  await migrate(database.url, readEnvironment({}));
  service = await startReading(servers.standby.url, { METRICS_PORT: '0' });
  reads = readsOf(service);
});
beforeEach(async () => {
  await untilUsed();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('lists and status, with a standby', () => {
  it('come from the standby, and the metrics count them and show the lag (O8)', async () => {
    const world = await service.given.supplier();
    const { ref, serviceAccountNumber } = await service.given.importedAccount({ world });
    await caughtUp();
    const number = ref.external_account_number;
    const fromLists = answeredDuring('list', async () => {
      for (const [which, numbers] of Object.entries({ all: [number], imported: [number], pending: [] })) {
        expect(numbersOf(await list(world, which))).toEqual(numbers);
      }
    });
    expect(await fromLists).toEqual([3, 0]);
    const fromStatus = answeredDuring('status', async () => {
      expect((await status(world, number)).body).toEqual({
        status: 'COMPLETED',
        service_account_number: serviceAccountNumber,
      });
    });
    expect(await fromStatus).toEqual([1, 0]);
    const metrics = await register.metrics();
    expect(metrics).toContain('data_import_reads_total{endpoint="list",server="standby"} 3');
    expect(metrics).toContain('data_import_reads_total{endpoint="status",server="primary"} 0');
    expect(Number(/^data_import_standby_lag_seconds (\S+)$/m.exec(metrics)?.[1])).toBeLessThan(
      LAG_MAX_SECONDS,
    );
  });

  it('lag by no more than allowed: the primary says who is imported, and then answers the lists too (O8)', async () => {
    const world = await service.given.supplier();
    const before = await service.given.importedAccount({ world, number: 'a' });
    const after = await service.given.stagedAccount(world, 'b');
    await caughtUp();
    await pauseReplay();
    try {
      await database.sql(
        `UPDATE account_import
            SET status = 'imported', service_account_number = next_service_account_number(),
                account_created_at = now(), open_statement_from = '2026-01-01'
          WHERE external_account_number = 'b'`,
      );
      const staged = await service.given.stagedAccount(world, 'c');
      expect(numbersOf(await list(world))).toEqual(['a', 'b']);
      expect(numbersOf(await list(world, 'imported'))).toEqual(['a']);
      const fromStatus = answeredDuring('status', async () => {
        const states = [before, after, staged].map(async ({ ref }) => {
          const { body } = await status(world, ref.external_account_number);
          return body.status;
        });
        expect(await Promise.all(states)).toEqual(['COMPLETED', 'COMPLETED', 'UNKNOWN']);
      });
      expect(await fromStatus).toEqual([1, 2]);
      expectError(await status(world, 'never staged'), 404, 'account_not_found');

      await untilNotUsed();
      expect(reads.lagSeconds).toBeGreaterThan(LAG_MAX_SECONDS);
      const fromLists = answeredDuring('list', async () => {
        expect(numbersOf(await list(world))).toHaveLength(3);
      });
      expect(await fromLists).toEqual([0, 1]);
    } finally {
      await resumeReplay();
    }
    await untilUsed();
    await caughtUp();
    expect(await answeredDuring('list', () => list(world))).toEqual([1, 0]);
  });

  it('follow the grants and keys of the primary, whatever the standby has (A7, A8, O8)', async () => {
    // Otherwise the primary would soon answer because of the lag.
    const patient = await startReading(servers.standby.url, { DATABASE_READ_LAG_MAX_SECONDS: '600' });
    try {
      const world = await service.given.supplier();
      const { ref } = await service.given.importedAccount({ world });
      const number = ref.external_account_number;
      const second = { ...(await service.given.organisation()), supplier: world.supplier };
      await untilUsed(readsOf(patient));
      await caughtUp();
      await pauseReplay();
      await service.given.grant(world.supplier, second.organisationId);
      expect(numbersOf(await list(second, 'all', patient))).toEqual([number]);
      const answered = async (): Promise<number> => {
        expect([await list(world, 'all', patient), await status(world, number, patient)]).toMatchObject([
          { status: 200 },
          { status: 200 },
        ]);
        return readsOf(patient).answered.list.standby + readsOf(patient).answered.status.standby;
      };
      expect(await answered()).toBe(2);

      const sinceMs = performance.now();
      await database.sql('DELETE FROM import_supplier_grant WHERE organisation_id = $1', [
        world.organisationId,
      ]);
      await service.app.get(ApiKeysService, { strict: false }).revoke(second.apiKeyId, 'test');
      const untilRefused = async (what: string, code: number, ask: () => Promise<Reply>): Promise<void> => {
        const isAccepted = async (): Promise<boolean> => (await ask()).status === 200;
        const acceptedAtMs = await untilNoLonger(`${what} is refused`, isAccepted);
        expect(acceptedAtMs - sinceMs).toBeLessThan(REVOCATION_MS);
        expect((await ask()).status).toBe(code);
      };
      await untilRefused('the list', 404, () => list(world, 'all', patient));
      await untilRefused('the status', 404, () => status(world, number, patient));
      await untilRefused('the key', 401, () => list(second, 'all', patient));
      expect(readsOf(patient).isUsable).toBe(true);
    } finally {
      await resumeReplay();
      await patient.stop();
    }
  });

  it('come from the standby while nobody writes, and from the primary once the standby is cut off from it (O8)', async () => {
    const world = await service.given.supplier();
    await caughtUp();
    const idleSeconds = async (): Promise<number> => {
      const [row] = await servers.standby.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS seconds',
      );
      return row!.seconds;
    };
    await waitUntil(
      'nothing was written for a while',
      async () => (await idleSeconds()) > LAG_MAX_SECONDS + 1,
    );
    expect(await answeredDuring('list', () => list(world))).toEqual([1, 0]);
    expect(reads.lagSeconds).toBeLessThan(LAG_MAX_SECONDS);

    const [connection] = await servers.standby.sql<{ info: string }>(
      `SELECT current_setting('primary_conninfo') AS info`,
    );
    await servers.standby.sql(`ALTER SYSTEM SET primary_conninfo = ''`);
    await servers.standby.sql('SELECT pg_reload_conf()');
    try {
      await waitUntil('the standby is cut off', async () => {
        return (await servers.standby.sql('SELECT FROM pg_stat_wal_receiver')).length === 0;
      });
      await service.given.stagedAccount(world);
      await untilNotUsed();
      expect(numbersOf(await list(world))).toHaveLength(1);
    } finally {
      await servers.standby.sql(`ALTER SYSTEM SET primary_conninfo = '${connection!.info}'`);
      await servers.standby.sql('SELECT pg_reload_conf()');
    }
    await untilUsed();
  });

  it('come from the primary while the standby is silent, without an error (O8)', async () => {
    const world = await service.given.supplier();
    await caughtUp();
    await servers.standby.signal('SIGSTOP');
    try {
      const sinceMs = performance.now();
      // More than there are connections.
      const answered = answeredDuring('list', async () => {
        const lists = await Promise.all(Array.from({ length: 12 }, () => list(world)));
        expect(lists.map((one) => one.status)).toEqual(Array(12).fill(200));
      });
      expect(await answered).toEqual([0, 12]);
      expect(performance.now() - sinceMs).toBeLessThan(SILENCE_MAX_MS);
    } finally {
      await servers.standby.signal('SIGCONT');
    }
  });

  it('come from the primary when the standby had followed another one, which lost what it had (O8)', async () => {
    const work = service.app.get(UnitOfWork, { strict: false });
    const single = work.single.bind(work);
    jest.spyOn(work, 'single').mockImplementation(async (query) => {
      const answer: unknown = await single(query);
      const isPosition = typeof answer === 'object' && answer !== null && 'written' in answer;
      return isPosition ? { ...answer, written: '1' } : answer;
    });
    await untilNotUsed();
    const world = await service.given.supplier();
    expect(await answeredDuring('list', () => list(world))).toEqual([0, 1]);
  });

  it('send a list whole when the standby ends in the middle, and use it again when it is back (S5, O8)', async () => {
    const world = await service.given.supplier();
    await database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
         SELECT s.id, lpad(n::text, 8, '0') FROM import_supplier s, generate_series(1, 14000) AS n WHERE s.code = $1`,
      [world.supplier],
    );
    await caughtUp();
    const repository = service.app.get(AccountsRepository, { strict: false });
    const listChunk = repository.listChunk.bind(repository);
    jest.spyOn(repository, 'listChunk').mockImplementation(async (tx, request) => {
      if (!request.isFirst) await servers.standby.kill();
      return listChunk(tx, request);
    });
    const expected = Array.from({ length: 14_000 }, (_none, index) => String(index + 1).padStart(8, '0'));
    try {
      const answered = await answeredDuring('list', async () => {
        expect(numbersOf(await list(world))).toEqual(expected);
      });
      expect(answered).toEqual([1, 2]);
    } finally {
      await servers.standby.start();
    }
    jest.restoreAllMocks();
    await waitUntil('the standby answers lists', async () => {
      const [atStandby] = await answeredDuring('list', () => list(world));
      return atStandby > 0;
    });
  });
});

describe('a service', () => {
  it('starts without its standby, says so once, and uses it when it is there (O8)', async () => {
    await servers.standby.kill();
    const log = memoryLog('info');
    const started = await startReading(servers.standby.url, {}, { logger: log.logger });
    try {
      const world = await started.given.supplier();
      await waitUntil('it is logged', () => logged(log).length > 0);
      await measured(2, readsOf(started));
      expect(await answeredDuring('list', () => list(world, 'all', started), readsOf(started))).toEqual([
        0, 1,
      ]);
      expect(logged(log)).toEqual(['the standby is not used']);
      expect(log.text()).toContain('cannot be used: nothing answers at');
      await servers.standby.start();
      await untilUsed(readsOf(started));
      expect(await answeredDuring('list', () => list(world, 'all', started), readsOf(started))).toEqual([
        1, 0,
      ]);
    } finally {
      await started.stop();
    }
  });

  it.each([
    ['the primary itself', () => servers.primary.url],
    ['another database of the standby', () => new URL('/postgres', servers.standby.url).href],
  ])('does not read from %s (O8)', async (_what, url) => {
    const log = memoryLog('info');
    const started = await startReading(url(), {}, { logger: log.logger });
    try {
      await waitUntil('it is logged', () => logged(log).length > 0);
      expect(log.text()).toContain('it is not a standby of the database in DATABASE_URL');
      expect(readsOf(started).isUsable).toBe(false);
    } finally {
      await started.stop();
    }
  });

  it('reads from the old primary, once it is the standby of the new one (O8)', async () => {
    const world = await service.given.supplier();
    const url = servers.url();
    const started = await startReading(
      servers.url({ target_session_attrs: 'standby' }),
      {},
      { throughProxy: () => url },
    );
    try {
      const one = readsOf(started);
      await untilUsed(one);
      await caughtUp();
      await servers.primary.kill();
      await servers.promote();
      await untilNotUsed(one);
      await waitUntil('the primary answers', async () => (await list(world, 'all', started)).status === 200);
      await servers.rebuildStandby();
      await untilUsed(one);
      expect(await answeredDuring('list', () => list(world, 'all', started), one)).toEqual([1, 0]);
    } finally {
      await started.stop();
    }
  });
});
