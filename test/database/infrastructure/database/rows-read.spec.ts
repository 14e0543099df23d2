import type pg from 'pg';
import { AccountHistoryService } from '../../../../src/capabilities/request-log/history/account-history.service.js';
import { ImportingService } from '../../../../src/accounts/importing/importing.service.js';
import { ImportProgressService } from '../../../../src/capabilities/totals/import-progress.service.js';
import type { ReadLines } from '../../../../src/accounts/files/line-reading.js';
import { CarryOverJob } from '../../../../src/capabilities/totals/carry-over.job.js';
import { StagingService } from '../../../../src/accounts/staging/staging.service.js';
import { run, query } from '../../../../src/infrastructure/database/query.js';
import { UnitOfWork } from '../../../../src/infrastructure/database/unit-of-work.js';
import { DocumentsService } from '../../../../src/ingest/documents/documents.service.js';
import { readLines } from '../../../support/account-rows.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { ACCOUNTS, fill, FULL, analyzeTables } from '../../../support/full-database.js';
import { startService, unique, type TestService, type World } from '../../../support/service.js';
import { growingTables } from '../../../support/tables.js';

/**
 * PostgreSQL counts the rows that it reads. Whatever the queries, their functions and their plans look like, real requests must not
 * read more rows than concern them.
 */

const MODES = ['prepared', 'plain'] as const;

/** Makes the connection report its statistics immediately. */
const REPORT_READ = query<never>(unique('tests.report-read'), 'SELECT pg_stat_force_next_flush()');

/** The subject of a request or command. */
interface Subject {
  readonly token: string;
  readonly supplier: string;
  readonly imported: string;
  readonly pending: string;
  /** Makes payloads different from all earlier ones. */
  readonly round: number;
}

interface Work {
  readonly what: string;
  /** Maximum number of rows that it may read in all growing tables. */
  readonly rowsMax: number;
  readonly perform: (service: TestService, subject: Subject) => Promise<unknown>;
}

/** Enough for twenty items, each with a look-up and one or two keys, and for finding the account several times. */
const A_FEW_ROWS = 150;

function importRequest(what: string, path: string, items: (subject: Subject) => object): Work {
  return {
    what,
    rowsMax: A_FEW_ROWS,
    perform: async ({ post }, subject) => {
      const ref = { import_supplier: subject.supplier, external_account_number: subject.imported };
      const reply = await post(path, subject.token, { ...ref, ...items(subject) });
      expect(reply).toMatchObject({ status: 201 });
    },
  };
}

function readRequest(what: string, path: (subject: Subject) => string): Work {
  return {
    what,
    rowsMax: A_FEW_ROWS,
    perform: async ({ get }, subject) => {
      expect(await get(path(subject), subject.token)).toMatchObject({ status: 200 });
    },
  };
}

const twenty = <T>(item: (n: number) => T): T[] => Array.from({ length: 20 }, (_, n) => item(n));

const notes = ({ round }: Subject): object => ({
  notes: twenty((n) => ({
    body: `note ${n} of ${round}`,
    ...(n % 2 === 0 && { created_at: '2026-02-03T04:05:06Z' }),
    ...(n % 5 === 0 && { document_paths: [{ document_path: `${n}.pdf` }] }),
  })),
});

/** The first transactions are already on the account. */
const transactions =
  (date: string) =>
  ({ round }: Subject): object => ({
    transactions: twenty((n) => ({
      transaction_id: n < 4 ? `t-${n}` : `${date} ${round} ${n}`,
      transaction_date: date,
      amount: 1.5,
      type: 'CHARGE',
    })),
  });

const historicalStatements = ({ round }: Subject): object => ({
  statements: twenty((n) => ({
    statement_id: `${round} ${n}`,
    bill_period_from_date: '2026-01-01',
    bill_period_to_date: '2026-01-31',
    statement_path: `${n}.pdf`,
  })),
});

const instruction = ({ round }: Subject): object => ({
  vendor: 'SANDBOX',
  reference: `ok_round_${round}`,
  type: 'CARD',
});

const IMPORT_REQUESTS: readonly Work[] = [
  importRequest('notes', 'notes/create/', notes),
  importRequest('notes again', 'notes/create/', notes),
  importRequest('notes, tried', 'notes/create/?dry_run=true', notes),
  importRequest('transactions', 'transactions/create/', transactions('2026-03-04')),
  importRequest('transactions again', 'transactions/create/', transactions('2026-03-04')),
  importRequest('transactions, tried', 'transactions/create/?dry_run=true', transactions('2026-03-05')),
  importRequest('transactions that are moved', 'transactions/create/', transactions('2020-01-01')),
  importRequest(
    'transactions that are not looked for',
    'transactions/create/?check_previously_added=false',
    transactions('2026-03-06'),
  ),
  importRequest('statements', 'historical-statements/create/', historicalStatements),
  importRequest('statements again', 'historical-statements/create/', historicalStatements),
  importRequest('a payment instruction', 'payment-instruction/create/', instruction),
  importRequest('a payment instruction again', 'payment-instruction/create/', instruction),
];

const READ_REQUESTS: readonly Work[] = [
  readRequest('the status', ({ supplier, imported }) => `account-transfer-status/${supplier}/${imported}/`),
  readRequest(
    'the status while pending',
    ({ supplier, pending }) => `account-transfer-status/${supplier}/${pending}/`,
  ),
  ...['all', 'pending', 'imported'].map((which) =>
    readRequest(
      `a page of the ${which} list`,
      ({ supplier, imported }) => `${which}-account-import-processes/${supplier}/?limit=50&after=${imported}`,
    ),
  ),
];

const NEVER = new AbortController().signal;

const KNOWN_OF_ACCOUNT: Work = {
  what: 'everything known of an account',
  rowsMax: A_FEW_ROWS,
  perform: ({ app }, { supplier, imported }) =>
    app
      .get(ImportProgressService, { strict: false })
      .account({ importSupplier: supplier, externalAccountNumber: imported }),
};

/** All except the first intentionally read everything of one supplier. */
const COMMANDS: readonly Work[] = [
  {
    what: 'staging accounts, one of them imported',
    rowsMax: A_FEW_ROWS,
    perform: async ({ app }, { supplier, imported, round }) => {
      const numbers = [imported, ...twenty((n) => `new ${round} ${n}`)];
      const accounts = numbers.map((number) => ({ external_account_number: number }));
      const read: ReadLines = (format) => readLines(accounts, format);
      const staging = app.get(StagingService, { strict: false });
      const { staged, skipped, badLines } = await staging.stage(supplier, read, {
        operator: 'test',
        interrupted: NEVER,
      });
      badLines.dispose();
      expect({ staged, skipped }).toEqual({ staged: 20, skipped: 1 });
    },
  },
  {
    what: 'importing twenty accounts, and counting what is left',
    rowsMax: 400,
    perform: async ({ app }, { supplier }) => {
      const options = {
        operator: 'test',
        limit: 20,
        concurrency: 1,
        interrupted: NEVER,
        onProgress: () => undefined,
      };
      const outcome = await app.get(ImportingService, { strict: false }).import(supplier, options);
      expect(outcome).toMatchObject({ imported: 20 });
    },
  },
  KNOWN_OF_ACCOUNT,
  {
    what: 'the history of an account',
    rowsMax: A_FEW_ROWS,
    perform: async ({ app }, { supplier, imported }) => {
      const account = { importSupplier: supplier, externalAccountNumber: imported };
      const history = await app.get(AccountHistoryService, { strict: false }).history(account);
      let staged = 0;
      for await (const { event } of history) staged += event === 'staged' ? 1 : 0;
      expect(staged).toBe(1);
    },
  },
  {
    what: 'the progress of a supplier',
    rowsMax: 10_000,
    perform: ({ app }, { supplier }) => app.get(ImportProgressService, { strict: false }).supplier(supplier),
  },
  {
    what: 'looking for documents',
    rowsMax: 2_000,
    perform: async ({ app }, { supplier }) => {
      const documents = app.get(DocumentsService, { strict: false });
      await documents.countNotSeen(supplier);
      await documents.check(supplier, {
        operator: 'operator',
        interrupted: NEVER,
        onProgress: () => undefined,
      });
    },
  },
];

/**
 * Take one of a service's two connections, so that all its work shares the plans of the other one, which can report the rows read.
 *
 * @returns a function that releases the connection
 */
async function takeConnection({ app }: TestService): Promise<() => Promise<void>> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let taken: Promise<void> = ended;
  await new Promise<void>((resolve, reject) => {
    taken = app.get(UnitOfWork, { strict: false }).write(() => {
      resolve();
      return ended;
    });
    taken.catch(reject);
  });
  return () => {
    end();
    return taken;
  };
}

/** The number of calls after which a function in the database keeps one plan for its query, plus one. */
const PLANS_SETTLED = 6;

/** A service in one of the modes, with its caller. */
interface Side {
  readonly service: TestService;
  readonly world: World;
  readonly release: () => Promise<void>;
}

interface Reading {
  readonly table: string;
  /** Number of sequential scans of the table. */
  readonly fullScans: number;
  /** Number of rows or index entries read. */
  readonly rows: number;
}

describe('on a full database', () => {
  let database: TestDatabase;
  let growing: string[];
  const sides = new Map<string, Side>();
  let round = 0;

  beforeAll(async () => {
    database = await createDatabase();
    growing = await growingTables(database);
    // Without new statistics PostgreSQL keeps the plans that it made for empty tables (test/support/global-setup.mjs).
    for (const mode of MODES) sides.set(mode, await withSettledPlans(mode));
    await fill(database);
    for (const { service, world } of sides.values()) {
      // Background carry-over is not part of any request.
      await service.app.get(CarryOverJob, { strict: false }).onApplicationShutdown();
      for (const supplier of [FULL.largestSupplier, FULL.smallSupplier, FULL.waitingSupplier]) {
        await service.given.grant(supplier, world.organisationId);
      }
    }
  });
  afterAll(async () => {
    for (const { service, release } of sides.values()) {
      await release();
      await service.stop();
    }
    await database.drop();
  });

  /** Start a service that has done everything several times with almost empty tables. */
  async function withSettledPlans(mode: string): Promise<Side> {
    const service = await startService({ DATABASE_POOL_MAX: '2', DATABASE_STATEMENTS: mode }, { database });
    const release = await takeConnection(service);
    const { given } = service;
    const world = await given.supplier();
    const imported = (await given.importedAccount({ world })).ref.external_account_number;
    for (let count = 0; count < PLANS_SETTLED; count += 1) {
      const pending = (await given.stagedAccount(world)).ref.external_account_number;
      round += 1;
      const subject = { token: world.token, supplier: world.supplier, imported, pending, round };
      for (const { perform } of [...IMPORT_REQUESTS, ...READ_REQUESTS, ...COMMANDS])
        await perform(service, subject);
    }
    return { service, world, release };
  }

  /** The reads of the growing tables so far. */
  async function readSoFar({ app }: TestService): Promise<Reading[]> {
    await app.get(UnitOfWork, { strict: false }).query((tx) => run(tx, REPORT_READ, {}));
    await database.sql(REPORT_READ.text);
    return database.sql<Reading & pg.QueryResultRow>(
      `SELECT t.relname AS table, t.seq_scan::float8 AS "fullScans",
              (t.seq_tup_read + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid))::float8
                AS rows
         FROM pg_stat_user_tables t
        WHERE t.relname = ANY ($1)
        ORDER BY t.relname`,
      [growing],
    );
  }

  /** The excessive reads of each piece of work. One that seems to read nothing was not measured. */
  async function faults(mode: string, works: readonly Work[], supplier: string): Promise<string[]> {
    const { service, world } = sides.get(mode)!;
    round += 1;
    const subject = { token: world.token, supplier, ...ACCOUNTS[supplier]!, round };
    const found: string[] = [];
    for (const { what, rowsMax, perform } of works) {
      const before = await readSoFar(service);
      await perform(service, subject);
      const read = difference(await readSoFar(service), before);
      const rows = read.reduce((sum, one) => sum + one.rows, 0);
      if (rows > rowsMax || rows === 0) found.push(`${what}: ${rows} rows`);
      for (const { table, fullScans } of read) if (fullScans > 0) found.push(`${what}: all of ${table}`);
    }
    return found;
  }

  // Plans made for empty tables are used until the tables are analyzed. Lists are excluded: they need new statistics, which staging
  // and importing collect.
  it.each(MODES)('an import request reads few rows with a plan made for empty tables (%s)', async (mode) => {
    expect(await faults(mode, [...IMPORT_REQUESTS, KNOWN_OF_ACCOUNT], FULL.largestSupplier)).toEqual([]);
  });

  describe('with new statistics', () => {
    beforeAll(() => analyzeTables(database));

    it.each(MODES)('a request reads only the rows that concern it (%s)', async (mode) => {
      expect(await faults(mode, [...IMPORT_REQUESTS, ...READ_REQUESTS], FULL.largestSupplier)).toEqual([]);
    });

    it.each(MODES)('a request finds the few imported accounts among many pending ones (%s)', async (mode) => {
      expect(await faults(mode, READ_REQUESTS, FULL.waitingSupplier)).toEqual([]);
    });

    it.each(MODES)('a command reads only the rows of one supplier (%s)', async (mode) => {
      expect(await faults(mode, COMMANDS, FULL.smallSupplier)).toEqual([]);
    });
  });
});

function difference(after: readonly Reading[], before: readonly Reading[]): Reading[] {
  return after.map(({ table, fullScans, rows }, index) => ({
    table,
    fullScans: fullScans - before[index]!.fullScans,
    rows: rows - before[index]!.rows,
  }));
}
