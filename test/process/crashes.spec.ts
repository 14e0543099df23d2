import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import {
  postgresIn,
  spawnService,
  sqlIn,
  urlIn,
  workersOf,
  type ServiceProcess,
} from '../support/service-process.js';
import { clientOf, givenIn, TOKEN_SIGNING_KEY, unique, type AccountPair } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const ACCOUNTS = 6;
const CALLERS = 6;
/** Each caller sends so many loads, one after the other. */
const LOADS_EACH = 60;
/** First day of every account's open statement period: a transaction of an earlier day is moved there. */
const OPEN_FROM = '2026-01-01';

/** What a load is to leave behind, a line for each row. */
interface Load {
  readonly path: string;
  readonly payload: object;
  readonly rows: readonly string[];
}

function loadOf(ref: AccountPair, serial: number): Load {
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

/** Every row of the supplier, as {@link Load} writes it; not the notes that explain moved dates. */
const STORED = `
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

/** The product's promise (contract, section 4): whatever dies, sending again until there is an answer loads once. */
describe('what is sent again until it is answered', () => {
  let home: string;
  let dataDir: string;
  let service: ServiceProcess;
  let origin: string;
  let answered: number;

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

  /** Send a load until it is answered, as a caller does to whom no answer comes. */
  async function send(token: string, { path, payload }: Load): Promise<void> {
    await waitUntil('a load is answered', async () => {
      const reply = await clientOf(origin)
        .post(path, token, payload)
        .catch(() => undefined);
      if (reply !== undefined) expect([201, 503]).toContain(reply.status);
      return reply?.status === 201;
    });
    answered += 1;
  }

  /** PostgreSQL's process for one of the service's statements; its death makes all others start anew. */
  async function killStatement(): Promise<void> {
    const [row] = await sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        LIMIT 1`,
    );
    process.kill(row!.pid, 'SIGKILL');
  }

  const DEATHS: readonly (readonly [what: string, strike: () => Promise<void> | void])[] = [
    ['a worker', () => void process.kill(workersOf(service)[0]!, 'SIGKILL')],
    ['a statement', killStatement],
    [
      'the service',
      async () => {
        service.kill('SIGKILL');
        await start();
      },
    ],
    ['PostgreSQL', async () => void process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL')],
    [
      'nothing, for it is replaced in order',
      async () => {
        service.kill('SIGTERM');
        await service.ended;
        await start();
      },
    ],
  ];

  it('is stored once, whole and unchanged, whatever dies meanwhile', async () => {
    const given = givenIn({ url: await urlIn(dataDir), sql });
    const world = await given.supplier();
    const refs: AccountPair[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) {
      refs.push((await given.importedAccount({ world, from: OPEN_FROM })).ref);
    }
    const expected: string[] = [];
    answered = 0;
    let sends = 0;
    const caller = async (first: number): Promise<void> => {
      for (let serial = first; serial < first + LOADS_EACH; serial += 1) {
        const load = loadOf(refs[serial % ACCOUNTS]!, serial);
        expected.push(...load.rows);
        const copies = serial % 3 === 0 ? 2 : 1;
        sends += copies;
        await Promise.all(Array.from({ length: copies }, () => send(world.token, load)));
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, index) => caller(index * LOADS_EACH));
    const loading = Promise.all(callers);
    for (const [, strike] of DEATHS) {
      const enough = answered + (CALLERS * LOADS_EACH) / (2 * DEATHS.length);
      await Promise.race([loading, waitUntil('some more loads are answered', () => answered >= enough)]);
      await strike();
    }
    await loading;
    expect(answered).toBe(sends);
    await waitUntil('PostgreSQL is there', async () => (await postgresIn(dataDir)) !== undefined);
    const stored = await sql<{ line: string }>(STORED, [world.supplier]);
    expect(stored.map(({ line }) => line).sort()).toEqual(expected.sort());
    const explained = await sql(
      `SELECT import_request_id FROM transaction WHERE sent_date IS NOT NULL
       EXCEPT SELECT import_request_id FROM note WHERE is_pinned`,
    );
    expect(explained).toEqual([]);
  });
});
