import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createServiceDatabase,
  operatorCommand,
  serve,
  type Contender,
  type ServiceDatabase,
} from './contenders.js';
import {
  ACCOUNTS,
  accountNumber,
  OPEN_STATEMENT_FROM,
  ORGANISATION,
  SUPPLIER,
  writeLines,
} from './fixture.js';
import { query } from './postgres.js';
import { grouped, rateRatio, ratio, type Report } from './report.js';
import { measure, type Measurement, type ScenarioResult } from './rounds.js';
import type { ScenarioRun } from './run.js';
import type { AccountPicker } from './scenarios.js';

/** What the requests of two suppliers at once are made of, unless `--only` names fewer. */
const SCENARIOS_OF_NODES = ['transactions-20', 'transactions-500', 'notes-5', 'status'];

/** Suppliers that are created until one is on another node than the first. */
const SUPPLIERS_MAX = 40;

/**
 * Measure services whose databases are at given addresses, in alternating windows, each with the requests of two suppliers at
 * once; on several nodes those of two suppliers on different nodes.
 *
 * @param urls of databases without rows, which are migrated, and distributed where they are to be; ratios are to the first. Of
 *   the PostgreSQL of the run only the folder is used
 */
export async function measureNodes(
  urls: readonly string[],
  { options, scenarios, postgres, cleanUp, log }: ScenarioRun,
): Promise<Report> {
  const second = new Map<Contender, string>();
  for (const [position, url] of urls.entries()) {
    const name = `service-${position + 1} (${await describeNodes(url)})`;
    log(`Filling the database of ${name} …`);
    const folder = { ...postgres, createDatabase: () => Promise.resolve(url) };
    const database = await createServiceDatabase(folder, `bench_nodes_${position + 1}`, ACCOUNTS);
    const other = await createSecondSupplier(database, join(postgres.folder, 'second.ndjson'));
    const contender = {
      ...(await serve(postgres, name, database)),
      databasePids: await serverPids(url),
    };
    cleanUp.defer(contender.stop);
    second.set(contender, other);
  }
  const contenders = [...second.keys()];
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios.filter(({ name }) => SCENARIOS_OF_NODES.includes(name))) {
    log(`${scenario.name}: ${scenario.title}`);
    results.push(
      await measure(scenario, contenders, postgres, {
        ...options,
        log,
        accounts: () => accountOfEither,
        suppliers: (contender) => (index) =>
          index % 2 === 0 ? SUPPLIER : (second.get(contender) ?? SUPPLIER),
      }),
    );
  }
  return nodesReport(results, contenders);
}

/** Even requests are about the first supplier, odd ones about the second, whose accounts follow those of the first. */
const accountOfEither: AccountPicker = (index) =>
  accountNumber((index % 2) * ACCOUNTS + (Math.floor(index / 2) % ACCOUNTS));

/** @returns the code of a supplier with imported accounts, on another node than the first where there is one */
async function createSecondSupplier(database: ServiceDatabase, records: string): Promise<string> {
  const operate = (...words: string[]): Promise<unknown> => operatorCommand(database, words, ACCOUNTS);
  await writeLines(records, ACCOUNTS, (position) =>
    JSON.stringify({
      external_account_number: accountNumber(ACCOUNTS + position),
      open_statement_from: OPEN_STATEMENT_FROM,
    }),
  );
  const nodes = await workerCount(database.url);
  const [first] = await nodesOf(database.url, SUPPLIER);
  for (let number = 2; number < SUPPLIERS_MAX; number += 1) {
    const code = `${SUPPLIER}-${number}`;
    await operate('supplier', 'create', code, '--name', code, '--organisation', ORGANISATION);
    const [node] = await nodesOf(database.url, code);
    if (nodes > 1 && node === first) continue;
    await operate('accounts', 'stage', code, records);
    await operate('accounts', 'import', code, '--concurrency', '1');
    await query(database.url, 'ANALYZE');
    return code;
  }
  throw new Error(`None of ${SUPPLIERS_MAX} suppliers is on another node than the first.`);
}

/** Nodes with shards of a database; 0 when it is not distributed. */
async function workerCount(url: string): Promise<number> {
  const [citus] = await query(url, `SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (citus === undefined) return 0;
  const text = `SELECT count(DISTINCT nodeport)::integer AS count FROM citus_shards WHERE table_name = 'account_import'::regclass`;
  const [{ count }] = (await query(url, text)) as [{ count: number }];
  return count;
}

/** The node of a supplier's rows; none when the database is not distributed. */
async function nodesOf(url: string, code: string): Promise<string[]> {
  if ((await workerCount(url)) === 0) return [];
  const rows = await query(
    url,
    `SELECT c.nodename || ':' || c.nodeport AS node
       FROM import_supplier s
       JOIN citus_shards c ON c.shardid = get_shard_id_for_distribution_column('account_import', s.id)
      WHERE s.code = $1`,
    [code],
  );
  return (rows as { node: string }[]).map(({ node }) => node);
}

async function describeNodes(url: string): Promise<string> {
  const workers = await workerCount(url);
  return workers === 0 ? 'PostgreSQL' : `Citus, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
}

/** A process that every server has while it runs. */
const CHECKPOINTER = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`;

/** The servers of a database, the coordinator first; none when one of them is not on this machine. */
async function serverPids(url: string): Promise<number[]> {
  const isOnSeveralNodes = (await workerCount(url)) > 0;
  const text = isOnSeveralNodes
    ? `SELECT result AS pid FROM run_command_on_all_nodes($$${CHECKPOINTER}$$) ORDER BY nodeid`
    : CHECKPOINTER;
  const processes = (await query(url, text)) as { pid: string }[];
  const parents = await Promise.all(processes.map(({ pid }) => serverOf(Number(pid))));
  return parents.every((pid) => pid !== undefined) ? parents : [];
}

/** @returns the parent of a process of PostgreSQL; undefined when it is none of this machine */
async function serverOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^Name:\s+postgres$/m.test(status) ? /^PPid:\s+(\d+)$/m.exec(status)?.[1] : undefined;
  return parent === undefined ? undefined : Number(parent);
}

function nodesReport(results: readonly ScenarioResult[], contenders: readonly Contender[]): Report {
  const rows = results.flatMap(({ scenario, measurements }) => {
    const [first] = contenders.map(({ name }) => measurements.get(name));
    return contenders.flatMap(({ name }) => {
      const measurement = measurements.get(name);
      if (!measurement) return [];
      const { itemsPerSecond, p50Ms, p99Ms } = measurement;
      return [
        [
          ...[
            scenario.title,
            /\((.*)\)/.exec(name)?.[1] ?? name,
            grouped(itemsPerSecond),
            p50Ms.toFixed(2),
            p99Ms.toFixed(2),
          ],
          ...cpuCells(measurement),
          ratio(rateRatio(measurement, first)),
        ],
      ];
    });
  });
  return {
    section: 'nodes',
    tables: [
      {
        head: [
          'Scenario',
          'Database',
          'Items/s',
          'p50 ms',
          'p99 ms',
          'Service CPU',
          'PostgreSQL CPU',
          'Rate ÷ first',
        ],
        rows,
        remarks: [
          'Medians of the rounds. CPU is processor time in seconds per 1,000 items; that of PostgreSQL is of each server, the coordinator first, then the workers.',
        ],
      },
    ],
  };
}

function cpuCells({ serverCpuPerThousand, databaseCpusPerThousand }: Measurement): string[] {
  const all = [[serverCpuPerThousand ?? NaN], databaseCpusPerThousand ?? []];
  return all.map((seconds) =>
    seconds.some(Number.isNaN) ? '–' : seconds.map((cpu) => cpu.toFixed(4)).join(' + '),
  );
}
