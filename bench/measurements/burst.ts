import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { accountNumber, BURST_SUPPLIER, writeAccounts } from '../contenders/fixture.js';
import {
  createOrganisation,
  createSupplier,
  importAccounts,
  obtainToken,
  stageAccounts,
  type ServiceDatabase,
} from '../contenders/service.js';
import { withConnections, type Call, type Connection } from '../load/driver.js';
import { roundOrder } from '../load/rounds.js';
import { median, percentile } from '../load/statistics.js';
import { HERE } from '../paths.js';
import { cleanEnvironment, startServer } from '../processes/child.js';
import { query } from '../processes/postgres.js';
import { grouped, latencies, type Report } from '../report.js';
import type { BenchRun, ContenderName } from '../run.js';
import type { BurstOrder, BurstOutcome } from './burst-sender.js';

/** How long the status requests are sent, and requests of the burst are repeated. */
const SECONDS = 10;
/** A status request is due every so often, whether or not the earlier ones have been answered. */
const STATUS_INTERVAL_MS = 10;
/** Connections of the status requests, opened before the burst. */
const STATUS_CONNECTIONS = 32;
/** Transactions of a request of the burst. */
const ITEMS = 500;

/** What is sent to a server, by whom. */
interface Target {
  readonly name: string;
  readonly origin: string;
  /** The tokens of the organisation that sends the burst, and of the one that asks for a status. */
  readonly tokens: { readonly burst: string; readonly status: string };
  readonly status: Call;
  /** Address of its database, where it has one. */
  readonly databaseUrl?: string;
}

interface Round extends BurstOutcome {
  readonly latenciesMs: readonly number[];
  /** Status requests that were not answered 200. */
  readonly statusFailed: number;
}

/**
 * Measure the status requests of one organisation while another sends many large imports at once, each on a connection of its
 * own. A request that is answered 503 is repeated after its `Retry-After`, and not sooner. A status request is due every
 * 10 ms, and its latency counts from when it was due.
 *
 * @param count imports in a burst
 * @throws Error when an answer is wrong, or the stored transactions are not those that were answered
 */
export async function measureBurst(count: number, run: BenchRun): Promise<Report> {
  const targets: Target[] = [];
  for (const build of run.builds) targets.push(await startService(build, run));
  targets.push(await startBare(run));
  const results = new Map<Target, Round[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < run.options.rounds; round += 1) {
    for (const target of roundOrder(round, targets)) {
      const result = await measureRound(target, count, round * count);
      results.get(target)?.push(result);
      run.log(`  ${target.name}: ${describe(result)}`);
    }
  }
  for (const [target, results_] of results) await compareDatabase(target, results_);
  return burstReport(count, results, run.options.rounds);
}

async function startService(name: ContenderName, run: BenchRun): Promise<Target> {
  const database = await run.createDatabase(`bench_burst_${name.replaceAll('-', '_')}`, {}, name);
  const apiKey = await createOtherOrganisation(database, join(run.postgres.folder, 'other.ndjson'));
  const { origin, token } = await run.serve(name, database);
  const path = `/v1/data-import/account-transfer-status/${BURST_SUPPLIER}/${accountNumber(0)}/`;
  return {
    name,
    origin,
    tokens: { burst: token, status: await obtainToken(origin, apiKey) },
    status: { method: 'GET', path },
    databaseUrl: database.url,
  };
}

/** An organisation with a supplier of its own and one imported account. @returns its API key */
async function createOtherOrganisation(database: ServiceDatabase, records: string): Promise<string> {
  const name = 'Other';
  const apiKey = await createOrganisation(database, name);
  await createSupplier(database, BURST_SUPPLIER, name);
  await writeAccounts(records, 1);
  await stageAccounts(database, BURST_SUPPLIER, records, 1);
  await importAccounts(database, BURST_SUPPLIER, 1);
  return apiKey;
}

async function startBare(run: BenchRun): Promise<Target> {
  const { folder } = run.postgres;
  const program = join(HERE, 'servers', 'bare.js');
  const server = await startServer({ program, settings: {}, folder, logFile: join(folder, 'bare.log') });
  const { origin } = run.stopAtEnd(server);
  return {
    name: 'bare node:http',
    origin,
    tokens: { burst: '-', status: '-' },
    status: { method: 'GET', path: '/' },
  };
}

function measureRound(
  { origin, tokens, status }: Target,
  requests: number,
  firstIndex: number,
): Promise<Round> {
  const order: BurstOrder = { origin, token: tokens.burst, requests, firstIndex, seconds: SECONDS };
  return withConnections(STATUS_CONNECTIONS, { origin, token: tokens.status }, async (connections) => {
    // Opens the connections, and lets the service compile and plan what it needs.
    for (let times = 0; times < 20; times += 1) {
      await Promise.all(connections.map((connection) => connection.send(status)));
    }
    const sender = fork(join(HERE, 'measurements', 'burst-sender.js'), [JSON.stringify(order)], {
      env: cleanEnvironment({}),
    });
    try {
      await once(sender, 'message');
      const [[outcome], statuses] = await Promise.all([
        once(sender, 'message') as Promise<[BurstOutcome]>,
        statusRequests(connections, status),
        new Promise((resolve) => sender.send('start', resolve)),
      ]);
      return { ...outcome, ...statuses };
    } finally {
      sender.kill();
    }
  });
}

/**
 * Send status requests at fixed times, each on any free connection.
 *
 * @returns latencies from when each was due, so that a request also counts the time that it waited for a connection
 */
async function statusRequests(
  connections: readonly Connection[],
  status: Call,
): Promise<Pick<Round, 'latenciesMs' | 'statusFailed'>> {
  const latenciesMs: number[] = [];
  let statusFailed = 0;
  const free = [...connections];
  const due: number[] = [];
  const answers: Promise<void>[] = [];
  const sendDue = (): void => {
    while (due.length > 0 && free.length > 0) {
      const answer = send(free.pop()!, due.shift()!);
      // The first failure is thrown at the end.
      answer.catch(() => undefined);
      answers.push(answer);
    }
  };
  const send = async (connection: Connection, dueAt: number): Promise<void> => {
    const answer = await connection.send(status);
    latenciesMs.push(performance.now() - dueAt);
    if (answer.status !== 200 || !answer.body.includes('COMPLETED')) statusFailed += 1;
    free.push(connection);
    sendDue();
  };
  const startedAt = performance.now();
  for (let dueMs = 0; dueMs < SECONDS * 1_000; dueMs += STATUS_INTERVAL_MS) {
    const waitMs = startedAt + dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    due.push(startedAt + dueMs);
    sendDue();
  }
  // The answer to one request sends the next that is due.
  for (const answer of answers) await answer;
  return { latenciesMs, statusFailed };
}

async function compareDatabase({ name, databaseUrl }: Target, rounds: readonly Round[]): Promise<void> {
  if (databaseUrl === undefined) return;
  const [{ count }] = (await query(databaseUrl, 'SELECT count(*)::integer AS count FROM transaction')) as [
    { count: number },
  ];
  const expected = rounds.reduce((sum, { stored }) => sum + stored * ITEMS, 0);
  if (count !== expected) throw new Error(`${name} stored ${count} transactions instead of ${expected}.`);
}

function describe({ latenciesMs, statusFailed, stored, refusals, failed, failure }: Round): string {
  const status = latencies(latenciesMs, 1, true);
  return `status p50 / p99 / longest ${status} ms, ${statusFailed} failed; ${stored} stored, ${refusals} answers 503, ${failed} failed ${failure ?? ''}`;
}

function burstReport(count: number, results: ReadonlyMap<Target, readonly Round[]>, times: number): Report {
  const rows = [...results].map(([{ name }, rounds]) => {
    const middle = (value: (round: Round) => number): string => grouped(median(rounds.map(value)));
    const all = (value: (round: Round) => number): string =>
      rounds.map((round) => grouped(value(round))).join(' / ');
    return [
      name,
      median(rounds.map(({ latenciesMs }) => percentile(latenciesMs, 0.5))).toFixed(1),
      all(({ latenciesMs }) => percentile(latenciesMs, 0.99)),
      all(({ latenciesMs }) => Math.max(...latenciesMs)),
      all(({ statusFailed }) => statusFailed),
      middle(({ stored }) => stored),
      middle(({ storedMs }) => storedMs),
      middle(({ refusals }) => refusals),
      all(({ failed }) => failed),
      middle(({ firstAnswersMs }) => firstAnswersMs),
    ];
  });
  return {
    section: 'burst',
    windows: `${times} interleaved rounds`,
    tables: [
      {
        head: [
          ...['Server', 'Status p50 ms', 'p99 ms of each round', 'Highest ms of each round', 'Status failed'],
          ...['Stored', 'Last stored after ms', 'Answers 503', 'Failed', 'All had an answer after ms'],
        ],
        rows,
        remarks: [
          `One organisation sends ${grouped(count)} requests with ${ITEMS} transactions at once, each on a new connection. What is answered 503 is sent again after its Retry-After, as long as ${SECONDS} s have not passed. Another organisation's status requests are due every ${STATUS_INTERVAL_MS} ms for ${SECONDS} s, and count from when they are due. Stored and the columns after it are about the burst. What is not listed for each round is the median of the rounds.`,
        ],
      },
    ],
  };
}
