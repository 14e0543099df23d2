import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pgCopy from 'pg-copy-streams';
import type { Contender } from '../contenders/contender.js';
import {
  BULK_SUPPLIER,
  OPEN_STATEMENT_FROM,
  ORGANISATION,
  accountNumber,
  writeAccounts,
  writeLines,
} from '../contenders/fixture.js';
import { createSupplier, operatorCommand } from '../contenders/service.js';
import type { CommandResult, ServiceDatabase } from '../contenders/service.js';
import { NO_NUMBERS } from '../load/answers.js';
import { after, drive, withConnections, type Connection, type Load } from '../load/driver.js';
import { scenarioOf, sequential } from '../load/scenarios.js';
import { query, withClient } from '../processes/postgres.js';
import { measureUsage } from '../processes/process-usage.js';
import { grouped, latencies, megabytes, ratio, type Report } from '../report.js';
import type { BenchRun } from '../run.js';

/** A step and its duration; its rate is divided by that of `reference`. */
interface Step {
  readonly what: string;
  readonly seconds: number;
  readonly reference?: Step;
}

/** Number of requests for the whole list; the worst result is reported. */
const LIST_REPEATS = 3;

/** Other requests during a list: the number of connections, and the pause of each after an answer. */
const OTHER_CONNECTIONS = 4;
const OTHER_PAUSE_MS = 10;
const OTHER_SECONDS = 5;

/**
 * Measure staging, importing and listing many accounts and, for reference, PostgreSQL alone with the same rows.
 *
 * @param count number of accounts
 * @throws Error when a command fails, or its output or the stored rows are wrong
 */
export async function measureBulk(count: number, context: BenchRun): Promise<Report> {
  const database = await context.createDatabase('bench_bulk');
  await createSupplier(database, BULK_SUPPLIER, ORGANISATION);
  const bulk = new Bulk(count, database, context);
  const startSeconds = await bulk.commandStart();
  const steps = [...(await bulk.stage()), ...(await bulk.import())];
  const list = await bulk.list();
  return {
    section: 'bulk',
    windows: 'one run',
    tables: [
      {
        head: ['Step', 'Seconds', 'Accounts/s', '÷ reference'],
        rows: steps.map(({ what, seconds, reference }) => [
          what,
          seconds.toFixed(2),
          grouped(count / seconds),
          reference ? ratio(reference.seconds / seconds) : '1',
        ]),
        remarks: [
          `${grouped(count)} accounts. The seconds of a command include its start; a command that only shows one supplier takes ${startSeconds.toFixed(2)} s.`,
        ],
      },
      list,
    ],
  };
}

class Bulk {
  constructor(
    private readonly count: number,
    private readonly database: ServiceDatabase,
    private readonly context: BenchRun,
  ) {}

  /** Measure the start-up time of a command. @returns seconds */
  commandStart(): Promise<number> {
    return this.command(['supplier', 'show', BULK_SUPPLIER], ({ code }) => {
      if (code !== BULK_SUPPLIER) throw new Error(`supplier show answered ${String(code)}.`);
    });
  }

  /** Measure `accounts stage`, and COPY into a table without and with the constraints of the real one. */
  async stage(): Promise<Step[]> {
    const { log, postgres } = this.context;
    log(`Writing ${grouped(this.count)} records …`);
    const files = {
      copy: join(postgres.folder, 'accounts.copy'),
      records: join(postgres.folder, 'accounts.ndjson'),
    };
    await writeLines(files.copy, this.count, (position) => {
      const account = JSON.stringify(accountData(position));
      return `1\t${accountNumber(position)}\t${OPEN_STATEMENT_FROM}\t${account}`;
    });
    await writeAccounts(files.records, this.count, 0, (position) => ({ account: accountData(position) }));

    log('COPY alone …');
    const bare: Step = {
      what: 'COPY alone, without index and constraint',
      seconds: await this.copyInto('copy_bare', '', files.copy),
    };
    const alike: Step = {
      what: 'COPY alone, with the indexes and constraints of the table',
      seconds: await this.copyInto('copy_alike', 'INCLUDING ALL', files.copy),
      reference: bare,
    };
    log('accounts stage …');
    const seconds = await this.command(['accounts', 'stage', BULK_SUPPLIER, files.records], (answer) => {
      this.expectCount(answer.staged, 'staged');
    });
    await Promise.all(Object.values(files).map((file) => rm(file)));
    await this.expectRows('pending');
    return [bare, alike, { what: 'accounts stage', seconds, reference: bare }];
  }

  /** Measure `accounts import`, and one INSERT … SELECT that creates the same rows. */
  async import(): Promise<Step[]> {
    const { log } = this.context;
    log('INSERT … SELECT alone …');
    const alone: Step = { what: 'a single INSERT … SELECT', seconds: await this.insertSelect() };
    log('accounts import …');
    const seconds = await this.command(['accounts', 'import', BULK_SUPPLIER], (answer) => {
      this.expectCount(answer.imported, 'imported');
    });
    await this.expectRows('imported');
    return [alone, { what: 'accounts import', seconds, reference: alone }];
  }

  /** Measure the whole list and its effect on other requests. */
  async list(): Promise<Report['tables'][number]> {
    const { log } = this.context;
    await query(this.database.url, 'VACUUM ANALYZE account_import');
    const service = await this.context.serve('service', this.database);
    return withConnections(1, service, ([listing]) =>
      withConnections(OTHER_CONNECTIONS, service, async (others) => {
        log('Other requests, without a list …');
        const otherRequests = backgroundRequests(others);
        await otherRequests(after(OTHER_SECONDS));
        const undisturbed = await otherRequests(after(OTHER_SECONDS));
        log('The list …');
        const lists = await this.lists(listing!, service);
        log('The list and other requests at the same time …');
        let isListing = true;
        const [, disturbed] = await Promise.all([
          this.lists(listing!, service).finally(() => {
            isListing = false;
          }),
          otherRequests(() => !isListing),
        ]);
        return listTable(lists, undisturbed, disturbed);
      }),
    );
  }

  private async lists(connection: Connection, { pid }: Contender): Promise<ListCost[]> {
    const costs: ListCost[] = [];
    for (let repeat = 0; repeat < LIST_REPEATS; repeat += 1) {
      const { result, usage } = await measureUsage(pid, () => this.wholeList(connection));
      costs.push({ ...result, growthBytes: usage.growthBytes });
    }
    return costs;
  }

  private async wholeList(connection: Connection): Promise<Omit<ListCost, 'growthBytes'>> {
    let objects = 0;
    let bytes = 0;
    const path = `/v1/data-import/all-account-import-processes/${BULK_SUPPLIER}/`;
    const { status, firstByteMs, totalMs } = await connection.send({ method: 'GET', path }, (chunk) => {
      bytes += chunk.length;
      // Each element is one object without nested objects.
      for (const byte of chunk) if (byte === OPENING_BRACE) objects += 1;
    });
    if (status !== 200) throw new Error(`The list answered status ${status}.`);
    this.expectCount(objects, 'listed');
    return { firstByteMs, totalMs, bytes };
  }

  /** @param like LIKE options that the table copies from the real one. @returns seconds */
  private copyInto(table: string, like: string, file: string): Promise<number> {
    return withClient(this.database.url, async (client) => {
      await client.query(`CREATE TABLE ${table} (LIKE account_import ${like})`);
      if (like === '') {
        await client.query(`ALTER TABLE ${table} ALTER status DROP NOT NULL, ALTER staged_at DROP NOT NULL`);
      }
      const columns = 'import_supplier_id, external_account_number, open_statement_from, account';
      const startedAt = performance.now();
      await pipeline(
        createReadStream(file),
        client.query(pgCopy.from(`COPY ${table} (${columns}) FROM STDIN`)),
      );
      const seconds = secondsSince(startedAt);
      await client.query(`DROP TABLE ${table}`);
      await client.query('CHECKPOINT');
      return seconds;
    });
  }

  private insertSelect(): Promise<number> {
    return withClient(this.database.url, async (client) => {
      await client.query('CREATE TABLE insert_alike (LIKE account_import INCLUDING ALL)');
      const startedAt = performance.now();
      await client.query(
        `INSERT INTO insert_alike (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from, open_statement_to, account)
         SELECT a.import_supplier_id, a.external_account_number, 'imported', next_service_account_number(), now(),
                a.open_statement_from, a.open_statement_to, a.account
           FROM account_import a
           JOIN import_supplier s ON s.id = a.import_supplier_id
          WHERE s.code = '${BULK_SUPPLIER}'`,
      );
      const seconds = secondsSince(startedAt);
      await client.query('DROP TABLE insert_alike');
      await client.query('CHECKPOINT');
      return seconds;
    });
  }

  /** Run an operator command. @returns seconds */
  private async command(
    words: readonly string[],
    check: (answer: CommandResult['answer']) => void,
  ): Promise<number> {
    const { answer, seconds } = await operatorCommand(this.database, words, this.count);
    check(answer);
    return seconds;
  }

  private async expectRows(status: string): Promise<void> {
    const [{ count }] = (await query(
      this.database.url,
      `SELECT count(*)::integer AS count
         FROM account_import a
         JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = '${BULK_SUPPLIER}' AND a.status = $1`,
      [status],
    )) as [{ count: number }];
    this.expectCount(count, status);
  }

  private expectCount(actual: unknown, what: string): void {
    if (actual !== this.count)
      throw new Error(`Expected ${this.count} accounts ${what}, got ${String(actual)}.`);
  }
}

const OPENING_BRACE = '{'.charCodeAt(0);

/** The cost of one answer with the whole list. */
interface ListCost {
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly bytes: number;
  /** Growth of the service's resident memory. */
  readonly growthBytes: number;
}

function accountData(position: number): object {
  return {
    name: `Customer ${position}`,
    address: { street: `Main street ${position % 200}`, postcode: String(10_000 + (position % 90_000)) },
    tariff: 'STANDARD',
    balance: (position % 10_000) / 100,
  };
}

/** Requests with 20 transactions, with pauses so that they leave processor time to the list. */
function backgroundRequests(connections: readonly Connection[]): (isOver: () => boolean) => Promise<Load> {
  const scenario = scenarioOf('transactions-20');
  let index = 0;
  const next = (): ReturnType<typeof scenario.exchange> => scenario.exchange(index++, sequential, NO_NUMBERS);
  return (isOver) => drive(connections, next, isOver, OTHER_PAUSE_MS);
}

function listTable(lists: readonly ListCost[], undisturbed: Load, disturbed: Load): Report['tables'][number] {
  const worst = (value: (cost: ListCost) => number): number => Math.max(...lists.map(value));
  return {
    head: ['The whole list', 'Measured'],
    rows: [
      ['Seconds', (worst(({ totalMs }) => totalMs) / 1_000).toFixed(2)],
      ['Size, MB', megabytes(worst(({ bytes }) => bytes))],
      ['First byte, ms', worst(({ firstByteMs }) => firstByteMs).toFixed(0)],
      ['Growth of the service’s memory, MB', megabytes(worst(({ growthBytes }) => growthBytes))],
      ['Other requests without it, p50 / p99 ms', latencies(undisturbed.latenciesMs, 2)],
      ['Other requests during it, p50 / p99 ms', latencies(disturbed.latenciesMs, 2)],
    ],
    remarks: [
      `The list was requested ${LIST_REPEATS} times alone, of which the worst values are shown, and ${LIST_REPEATS} times during the other requests: 20 transactions each, on ${OTHER_CONNECTIONS} connections that pause ${OTHER_PAUSE_MS} ms after every answer.`,
    ],
  };
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
