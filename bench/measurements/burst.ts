import { fork, type ChildProcess } from 'node:child_process';
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
import { DATA_IMPORT } from '../load/answers.js';
import { withConnections, type Connection } from '../load/driver.js';
import { roundOrder } from '../load/rounds.js';
import { median, percentile } from '../load/statistics.js';
import { HERE } from '../paths.js';
import { cleanEnvironment } from '../processes/child.js';
import { query } from '../processes/postgres.js';
import { measureUsage, residentMemoryBytes } from '../processes/process-usage.js';
import { grouped, megabytes, type Report } from '../report.js';
import type { BenchRun, ContenderName } from '../run.js';
import type { BurstOrder } from './burst-sender.js';
import { refusals, signIn } from './screens.js';

/** Enough for a list of 20 MB. */
const ACCOUNTS = 170_000;
const REFUSALS = 50_000;
/** Length of each phase, and the interval between notes, whether or not the earlier ones have been answered. */
const SECONDS = 10;
const INTERVAL_MS = 10;
/** Connections for the notes, opened before the burst. */
const CONNECTIONS = 32;

interface Prepared {
  readonly name: ContenderName;
  readonly database: ServiceDatabase;
  /** The key of the organisation that sends notes. */
  readonly apiKey: string;
}

/** For each phase, the latencies of the notes and the number not answered 201; memory before the burst and at its peak. */
interface Round {
  readonly phases: readonly { readonly latenciesMs: readonly number[]; readonly failed: number }[];
  readonly quietBytes: number;
  readonly peakBytes: number;
}

/**
 * Measure the notes of one organisation while another organisation and an operator send as many requests as they can. A note's
 * latency counts from when it was due. Each round starts a new service process.
 */
export async function measureBurst(run: BenchRun): Promise<Report> {
  const builds: Prepared[] = [];
  for (const name of run.builds) builds.push(await prepare(name, run));
  const results = new Map<Prepared, Round[]>(builds.map((build) => [build, []]));
  for (let round = 0; round < run.options.rounds; round += 1) {
    for (const build of roundOrder(round, builds)) {
      const result = await measureRound(build, run);
      results.get(build)?.push(result);
      run.log(`  ${build.name}: p99 ${result.phases.map(p99).join(' / ')} ms`);
    }
  }
  return burstReport(results, run.options.rounds);
}

async function prepare(name: ContenderName, run: BenchRun): Promise<Prepared> {
  const options = { accounts: ACCOUNTS };
  const created = await run.createDatabase(`bench_burst_${name.replaceAll('-', '_')}`, options, name);
  const database = { ...created, settings: { ...created.settings, CONSOLE: 'on' } };
  await query(database.url, refusals(REFUSALS));
  const other = 'Other';
  const apiKey = await createOrganisation(database, other);
  await createSupplier(database, BURST_SUPPLIER, other);
  const records = join(run.postgres.folder, 'other.ndjson');
  await writeAccounts(records, 1);
  await stageAccounts(database, BURST_SUPPLIER, records, 1);
  await importAccounts(database, BURST_SUPPLIER, 1);
  await query(database.url, 'VACUUM ANALYZE');
  return { name, database, apiKey };
}

async function measureRound({ name, database, apiKey }: Prepared, run: BenchRun): Promise<Round> {
  const service = await run.serve(name, database);
  const { origin, token, pid } = service;
  const cookie = await signIn(database, service);
  const order: BurstOrder = { origin, token, cookie };
  const sender = fork(join(HERE, 'measurements', 'burst-sender.js'), [JSON.stringify(order)], {
    env: cleanEnvironment({}),
  });
  try {
    const other = { origin, token: await obtainToken(origin, apiKey) };
    return await withConnections(CONNECTIONS, other, async (connections) => {
      // Warm up: code is compiled and queries are planned.
      await sendNotes(connections);
      const quiet = await sendNotes(connections);
      const quietBytes = await residentMemoryBytes(pid);
      const { result, usage } = await measureUsage(pid, () => beside(sender, connections));
      return { phases: [quiet, ...result], quietBytes, peakBytes: usage.peakBytes };
    });
  } finally {
    sender.kill('SIGKILL');
    await service.stop();
  }
}

/** Send notes with the unread answers pending, and then alongside pages and imports too. */
async function beside(
  sender: ChildProcess,
  connections: readonly Connection[],
): Promise<Round['phases'][number][]> {
  const phases = [];
  for (const step of ['unread', 'pages']) {
    const begun = once(sender, 'message');
    sender.send(step);
    await begun;
    phases.push(await sendNotes(connections));
  }
  return phases;
}

/** Send notes at fixed times, each on a free connection. */
async function sendNotes(connections: readonly Connection[]): Promise<Round['phases'][number]> {
  const latenciesMs: number[] = [];
  let failed = 0;
  const free = [...connections];
  const due: number[] = [];
  const answers: Promise<void>[] = [];
  const sendDue = (): void => {
    while (due.length > 0 && free.length > 0) answers.push(send(free.pop()!, due.shift()!));
  };
  const send = async (connection: Connection, dueAt: number): Promise<void> => {
    const body = JSON.stringify({
      import_supplier: BURST_SUPPLIER,
      external_account_number: accountNumber(0),
      notes: [{ body: `A note of ${dueAt}` }],
    });
    const answer = await connection
      .send({ method: 'POST', path: `${DATA_IMPORT}/notes/create/`, body })
      .catch(() => undefined);
    latenciesMs.push(performance.now() - dueAt);
    if (answer?.status !== 201) failed += 1;
    free.push(connection);
    sendDue();
  };
  const startedAt = performance.now();
  for (let dueMs = 0; dueMs < SECONDS * 1_000; dueMs += INTERVAL_MS) {
    const waitMs = startedAt + dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    due.push(startedAt + dueMs);
    sendDue();
  }
  // The array grows meanwhile: each answer sends the next note that is due.
  for (const answer of answers) await answer;
  return { latenciesMs, failed };
}

function p99({ latenciesMs }: Round['phases'][number]): string {
  return percentile(latenciesMs, 0.99).toFixed(0);
}

function burstReport(results: ReadonlyMap<Prepared, readonly Round[]>, times: number): Report {
  const rows = [...results].map(([{ name }, rounds]) => {
    const memory = (bytes: (round: Round) => number): string => megabytes(median(rounds.map(bytes)));
    const phases = [0, 1, 2].map((phase) =>
      median(rounds.map(({ phases }) => percentile(phases[phase]!.latenciesMs, 0.99))).toFixed(0),
    );
    const failed = rounds.flatMap((round) => round.phases).reduce((sum, phase) => sum + phase.failed, 0);
    return [
      ...[name, ...phases, grouped(failed)],
      ...[memory(({ quietBytes }) => quietBytes), memory(({ peakBytes }) => peakBytes)],
    ];
  });
  return {
    section: 'burst',
    windows: `medians of ${times} interleaved rounds`,
    tables: [
      {
        head: [
          ...[
            'Build',
            'Notes p99 ms, quiet',
            'after the arrival',
            'beside pages and imports',
            'Notes failed',
          ],
          ...['Memory before, MB', 'Most MB'],
        ],
        rows,
        remarks: [
          `One organisation asks 1,000 times for a list of ${grouped(ACCOUNTS)} accounts and 1,000 times for a status, and reads no answer; then it sends 64 imports of 500 transactions at once, again and again, while an operator asks for 64 pages of ${grouped(REFUSALS)} refusals, in the same way. A note of another organisation is due every ${INTERVAL_MS} ms for ${SECONDS} s in each phase, and counts from when it is due.`,
        ],
      },
    ],
  };
}
