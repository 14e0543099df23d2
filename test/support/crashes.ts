import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { postgresIn, spawnService, sqlIn, urlIn, workersOf, type ServiceProcess } from './service-process.js';
import { clientOf, givenIn, TOKEN_SIGNING_KEY, unique, type AccountPair } from './service.js';
import { waitUntil } from './wait-until.js';

const ACCOUNTS = 6;
const CALLERS = 6;
/** First day of every account's open statement period: a transaction of an earlier day is moved there. */
export const OPEN_FROM = '2026-01-01';

/** An import request, and a line for each row that it stores. */
export interface ImportRequest {
  readonly path: string;
  readonly payload: object;
  readonly rows: readonly string[];
}

/** @param serial decides which endpoint, and how many rows */
export function requestOf(ref: AccountPair, serial: number): ImportRequest {
  const { external_account_number: account } = ref;
  const ids = Array.from({ length: (serial % 4) * 5 + 1 }, () => unique('row'));
  switch (serial % 5) {
    case 0:
      return {
        path: 'notes/create/',
        payload: { ...ref, notes: ids.map((body) => ({ body })) },
        rows: ids.map((body) => `note ${account} ${body}`),
      };
    case 1:
      return {
        path: 'historical-statements/create/',
        payload: { ...ref, statements: ids.map((id) => statement(id, serial)) },
        rows: ids.map((id) => `statement ${account} ${id} ${serial}.125`),
      };
    case 2: {
      const reference = `ok_${ids[0]}`;
      return {
        path: 'payment-instruction/create/',
        payload: { ...ref, vendor: 'SANDBOX', type: 'CARD', reference },
        rows: [`instruction ${account} ${reference}`],
      };
    }
    default:
      return {
        path: 'transactions/create/',
        payload: { ...ref, transactions: ids.map((id) => transaction(id, serial)) },
        rows: ids.map((id) => `transaction ${account} ${id} ${serial}.10 ${OPEN_FROM}`),
      };
  }
}

function statement(id: string, serial: number): object {
  const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
  return { statement_id: id, ...period, gross_amount: serial + 0.125 };
}

function transaction(id: string, serial: number): object {
  const sentFor = serial % 2 === 0 ? OPEN_FROM : '2025-12-31';
  const amount = Number(`${serial}.1`);
  return { transaction_id: id, transaction_date: sentFor, amount, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
}

/** Every row of the supplier, as {@link ImportRequest} writes it; not the notes that explain moved dates. */
export const STORED = `
  WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1)
  SELECT 'note ' || external_account_number || ' ' || body AS line
    FROM note JOIN supplier ON supplier.id = import_supplier_id WHERE NOT is_pinned
   UNION ALL
  SELECT 'statement ' || external_account_number || ' ' || statement_id || ' ' || gross_amount
    FROM statement JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT 'instruction ' || external_account_number || ' ' || reference
    FROM payment_instruction JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT 'transaction ' || external_account_number || ' ' || transaction_id || ' ' || amount || ' ' || transaction_date
    FROM transaction JOIN supplier ON supplier.id = import_supplier_id`;

/**
 * Defines the test of the product's promise (choices, section 4) that a request which is repeated until it is answered is
 * stored once, whatever process is killed meanwhile.
 *
 * @param requestsBetween answered requests between two kills
 * @param isOver called after each round of kills; further rounds follow until it holds
 */
export function testCrashes({
  requestsBetween,
  isOver,
  timeoutMs,
}: {
  requestsBetween: number;
  isOver: () => boolean;
  timeoutMs?: number;
}): void {
  let home: string;
  let dataDir: string;
  let service: ServiceProcess;
  let origin: string;
  let answered = 0;

  const start = async (): Promise<void> => {
    const settings = { DATA_DIR: dataDir, TOKEN_SIGNING_KEY, WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' };
    service = spawnService(settings);
    origin = await service.listening();
  };
  const sql = <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]): Promise<Row[]> =>
    sqlIn<Row>(dataDir, text, parameters);

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-import-crashes-'));
    dataDir = join(home, 'data');
    await start();
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await rm(home, { recursive: true, force: true });
  });

  /** Repeat a request until it is answered, like a client that gets no answer. */
  async function send(token: string, { path, payload }: ImportRequest): Promise<void> {
    await waitUntil('a request is answered', async () => {
      const reply = await clientOf(origin)
        .post(path, token, payload)
        .catch(() => undefined);
      if (reply !== undefined) expect([201, 503]).toContain(reply.status);
      return reply?.status === 201;
    });
    answered += 1;
  }

  /** Kill PostgreSQL's process of one connection; all other connections are reset by that. */
  async function killConnection(): Promise<void> {
    const [row] = await sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        LIMIT 1`,
    );
    process.kill(row!.pid, 'SIGKILL');
  }

  const restartAfter = (signal: NodeJS.Signals) => async (): Promise<void> => {
    service.kill(signal);
    await service.ended;
    await start();
  };

  const KILLS: readonly (() => Promise<void>)[] = [
    async () => {
      await waitUntil('a worker serves', () => workersOf(service).length > 0);
      process.kill(workersOf(service)[0]!, 'SIGKILL');
    },
    killConnection,
    restartAfter('SIGKILL'),
    async () => void process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL'),
    restartAfter('SIGTERM'),
  ];

  it(
    'is stored once, complete and unchanged, whichever process is killed meanwhile',
    async () => {
      const given = givenIn({ url: await urlIn(dataDir), sql });
      const world = await given.supplier();
      const refs: AccountPair[] = [];
      for (let account = 0; account < ACCOUNTS; account += 1) {
        refs.push((await given.importedAccount({ world, from: OPEN_FROM })).ref);
      }
      const expected: string[] = [];
      let serial = 0;
      let sends = 0;
      let isStopping = false;
      const call = async (): Promise<void> => {
        while (!isStopping) {
          serial += 1;
          const request = requestOf(refs[serial % ACCOUNTS]!, serial);
          expected.push(...request.rows);
          const copies = serial % 3 === 0 ? 2 : 1;
          sends += copies;
          await Promise.all(Array.from({ length: copies }, () => send(world.token, request)));
        }
      };
      const calls = Promise.all(Array.from({ length: CALLERS }, call));
      const someMore = async (): Promise<void> => {
        const enough = answered + requestsBetween;
        await Promise.race([calls, waitUntil('more requests are answered', () => answered >= enough)]);
      };
      do {
        for (const kill of KILLS) {
          await someMore();
          await kill();
        }
      } while (!isOver());
      await someMore();
      isStopping = true;
      await calls;
      expect(answered).toBe(sends);
      await waitUntil('PostgreSQL is there', async () => (await postgresIn(dataDir)) !== undefined);
      const stored = await sql<{ line: string }>(STORED, [world.supplier]);
      expect(stored.map(({ line }) => line).sort()).toEqual(expected.sort());
      const unexplained = await sql(
        `SELECT import_request_id FROM transaction WHERE sent_date IS NOT NULL
         EXCEPT SELECT import_request_id FROM note WHERE is_pinned`,
      );
      expect(unexplained).toEqual([]);
    },
    timeoutMs,
  );
}
