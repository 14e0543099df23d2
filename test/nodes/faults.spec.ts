import pg from 'pg';
import { createOwnDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { expectNothingLost, ImportLoad } from '../support/import-load.js';
import { spawnService, type ServiceProcess } from '../support/service-process.js';
import { startService, TOKEN_SIGNING_KEY, unique, type TestService } from '../support/service.js';
import { SOAK_SECONDS } from '../support/runs.js';
import { move, placeOf } from '../support/shards.js';
import { SupplierOperations } from '../support/supplier-operations.js';
import { elapse, waitUntil } from '../support/wait-until.js';

const CALLERS_OF_EACH = 10;

describe('several nodes that fail one after the other', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let settings: Record<string, string>;
  /** A second service for the operators' work on the same database. */
  let operators: TestService;
  let origin: string;

  beforeAll(async () => {
    database = await createOwnDatabase('faults');
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    settings = { DATABASE_URL: database.url, TOKEN_SIGNING_KEY, PORT: String(port), SANDBOX_VENDOR: 'on' };
    service = spawnService(settings);
    await service.listening();
    operators = await startService({}, { database });
  }, 60_000);
  afterAll(async () => {
    await operators.stop();
    service.kill('SIGKILL');
    await service.ended;
    await database.drop();
  });

  /** Run SQL, even while the coordinator recovers. */
  const sql: TestDatabase['sql'] = async (text, parameters) => {
    await waitUntil('the coordinator answers', () =>
      database.sql('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
    return database.sql(text, parameters);
  };

  /** Kill a server's process: PostgreSQL then ends all others, recovers from its WAL, and accepts connections again. */
  async function crash(node: string): Promise<void> {
    const url = new URL(database.url);
    url.host = node;
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`COPY (SELECT) TO PROGRAM 'kill -9 $PPID'`).catch(() => undefined);
    await waitUntil(`the server ${node} answers`, async () => {
      const again = new pg.Client({ connectionString: url.href });
      again.on('error', () => undefined);
      const answers = await again.connect().then(
        () => true,
        () => false,
      );
      await again.end().catch(() => undefined);
      return answers;
    });
  }

  async function killService(): Promise<void> {
    service.kill('SIGKILL');
    await service.ended;
    service = spawnService(settings);
    await service.listening();
  }

  /** Repeat work until a fault no longer interrupts it. */
  async function certainly(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const isDone = await work().then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await elapse(200);
    }
  }

  /** Move the rows of a supplier, after cleaning up shards that an interrupted move has left. */
  async function moveCertainly(supplier: string, mode: Parameters<typeof move>[2]): Promise<void> {
    await certainly(async () => {
      await sql('CALL citus_cleanup_orphaned_resources()');
      await move({ sql }, await placeOf({ sql }, supplier), mode);
    });
  }

  /** Import, undo and erase accounts of a new supplier until the end. @returns the number of accounts */
  async function undoAndErase(end: AbortSignal): Promise<number> {
    const of = new SupplierOperations(operators, await operators.given.supplier());
    let count = 0;
    for (; !end.aborted; count += 1) {
      const number = unique('account');
      await certainly(() => of.stage([number]));
      await certainly(() => of.import());
      const payload = { notes: [{ body: 'One' }, { body: 'Two' }] };
      await certainly(async () => {
        expect(await of.post('notes/create/', number, payload)).toBe(201);
      });
      await certainly(() => of.setStatus('paused'));
      await certainly(() => of.undo('--account', number));
      await certainly(() => of.setStatus('ongoing'));
      await certainly(async () => {
        expect(await of.post('notes/create/', number, payload)).toBe(201);
      });
      await certainly(() => of.erase(number));
    }
    const { supplierId } = await placeOf({ sql }, of.world.supplier);
    for (const table of ['account_import', 'imported_account', 'account_erasure', 'note', 'import_request']) {
      const left = await sql(`SELECT FROM ${table} t WHERE t.import_supplier_id = $1`, [supplierId]);
      expect({ table, left: left.length }).toEqual({ table, left: 0 });
    }
    return count;
  }

  it(
    'lose and double nothing, and agree in their totals (decision 11)',
    async () => {
      const loads = [
        await ImportLoad.start(origin, database, CALLERS_OF_EACH, { repeats: 'documented' }),
        await ImportLoad.start(origin, database, CALLERS_OF_EACH, { repeats: 'documented' }),
      ] as const;
      const end = new AbortController();
      const erased = undoAndErase(end.signal);
      const places = async () => placeOf({ sql }, loads[0].supplier);
      const coordinator = new URL(database.url).host;
      const faults: (() => Promise<void>)[] = [
        () => moveCertainly(loads[0].supplier, 'block_writes'),
        async () => crash((await places()).node),
        killService,
        () => moveCertainly(loads[0].supplier, 'force_logical'),
        () => crash(coordinator),
        async () => {
          await sql(`SELECT citus_rebalance_start(rebalance_strategy => 'by_shard_count')`).catch(
            () => undefined,
          );
          await sql('SELECT citus_rebalance_wait()').catch(() => undefined);
        },
      ];
      const endsAtMs = performance.now() + SOAK_SECONDS * 1_000;
      let rounds = 0;
      do {
        for (const fault of faults) {
          await Promise.all(loads.map((load) => load.more(20)));
          await fault();
        }
        rounds += 1;
      } while (performance.now() < endsAtMs);
      end.abort();
      const count = await erased;
      for (const load of loads) {
        const result = await load.stop({ url: database.url, sql });
        process.stdout.write(`${rounds} rounds, ${count} accounts erased: ${expectNothingLost(result)}\n`);
      }
    },
    SOAK_SECONDS * 1_000 + 300_000,
  );
});
