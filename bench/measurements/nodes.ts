import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contender } from '../contenders/contender.js';
import { ACCOUNTS, accountNumber, ORGANISATION, SUPPLIER, writeAccounts } from '../contenders/fixture.js';
import {
  createSupplier,
  importAccounts,
  stageAccounts,
  type ServiceDatabase,
} from '../contenders/service.js';
import { cpu, ratioOf, type Measurement } from '../load/measurement.js';
import { measureAll } from '../load/rounds.js';
import type { AccountPicker } from '../load/scenarios.js';
import { median } from '../load/statistics.js';
import { query } from '../processes/postgres.js';
import { micros, ratio, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { relativeRows } from './relative-rows.js';

/** The scenarios with requests of two suppliers at once, unless `--only` names fewer. */
const SCENARIOS_OF_NODES = [
  ...['transactions-1', 'transactions-20', 'transactions-500', 'supply-charges-20', 'already-added-20'],
  ...['notes-5', 'statements-12', 'status'],
];

/** At most this many suppliers are created until one is on a different node from the first. */
const SUPPLIERS_MAX = 40;

/**
 * Measure services whose databases are at given addresses, in alternating windows, each with requests of two suppliers at once.
 * On several nodes, the two suppliers are on different nodes. Only the folder of the run's own PostgreSQL is used.
 *
 * @param urls of empty databases, migrated and, if wanted, distributed; ratios are to the first
 */
export async function measureNodes(urls: readonly string[], run: BenchRun): Promise<Report> {
  const { options, postgres, log } = run;
  const second = new Map<Contender, string>();
  for (const [position, url] of urls.entries()) {
    const name = `service-${position + 1} (${await describeNodes(url)})`;
    log(`Filling the database of ${name} …`);
    const database = await run.createDatabase(`bench_nodes_${position + 1}`, { url });
    const other = await createSecondSupplier(database, join(postgres.folder, 'second.ndjson'));
    const service = await run.serve(name, database);
    second.set({ ...service, databasePids: await serverPids(url) }, other);
  }
  const contenders = [...second.keys()];
  const wanted = run.scenarios.filter(({ name }) => SCENARIOS_OF_NODES.includes(name));
  const results = await measureAll(wanted, contenders, {
    ...options,
    postgres,
    log,
    accounts: () => accountOfEither,
    suppliers: (contender) => (index) => (index % 2 === 0 ? SUPPLIER : (second.get(contender) ?? SUPPLIER)),
  });
  return {
    section: 'nodes',
    tables: [
      {
        head: [
          ...['Scenario', 'Database', 'Items/s', 'p50 ms', 'p99 ms'],
          ...['Service µs', 'PostgreSQL µs', 'Both ÷ first', 'Rate ÷ first'],
        ],
        rows: relativeRows(results, contenders, ({ name }) => /\((.*)\)/.exec(name)?.[1] ?? name, cpuCells),
        remarks: [
          'Medians of the rounds. µs are processor time a request; that of PostgreSQL is of each server, the coordinator first, then the workers.',
        ],
      },
    ],
  };
}

/** Even requests are for the first supplier, odd ones for the second, whose accounts follow those of the first. */
const accountOfEither: AccountPicker = (index) =>
  accountNumber((index % 2) * ACCOUNTS + (Math.floor(index / 2) % ACCOUNTS));

/** @returns the code of a supplier with imported accounts, on a different node from the first if there are several */
async function createSecondSupplier(database: ServiceDatabase, records: string): Promise<string> {
  await writeAccounts(records, ACCOUNTS, ACCOUNTS);
  const nodes = await workerCount(database.url);
  const [first] = await nodesOf(database.url, SUPPLIER);
  for (let number = 2; number < SUPPLIERS_MAX; number += 1) {
    const code = `${SUPPLIER}-${number}`;
    await createSupplier(database, code, ORGANISATION);
    const [node] = await nodesOf(database.url, code);
    if (nodes > 1 && node === first) continue;
    await stageAccounts(database, code, records, ACCOUNTS);
    await importAccounts(database, code, ACCOUNTS);
    await query(database.url, 'ANALYZE');
    return code;
  }
  throw new Error(`None of ${SUPPLIERS_MAX} suppliers is on another node than the first.`);
}

/** The number of nodes with shards; 0 when the database is not distributed. */
async function workerCount(url: string): Promise<number> {
  const [citus] = await query(url, `SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (citus === undefined) return 0;
  const text = `SELECT count(DISTINCT nodeport)::integer AS count FROM citus_shards WHERE table_name = 'account_import'::regclass`;
  const [{ count }] = (await query(url, text)) as [{ count: number }];
  return count;
}

/** The node of a supplier's rows; empty when the database is not distributed. */
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

/** Every running server has exactly one checkpointer process. */
const CHECKPOINTER = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`;

/** The server processes of a database, the coordinator first; empty when one of them is not on this machine. */
async function serverPids(url: string): Promise<number[]> {
  const isOnSeveralNodes = (await workerCount(url)) > 0;
  const text = isOnSeveralNodes
    ? `SELECT result AS pid FROM run_command_on_all_nodes($$${CHECKPOINTER}$$) ORDER BY nodeid`
    : CHECKPOINTER;
  const processes = (await query(url, text)) as { pid: string }[];
  const parents = await Promise.all(processes.map(({ pid }) => serverOf(Number(pid))));
  return parents.every((pid) => pid !== undefined) ? parents : [];
}

/** @returns the parent of a PostgreSQL process; undefined when the process is not on this machine */
async function serverOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^Name:\s+postgres$/m.test(status) ? /^PPid:\s+(\d+)$/m.exec(status)?.[1] : undefined;
  return parent === undefined ? undefined : Number(parent);
}

function cpuCells(measurement: Measurement, first: Measurement | undefined): string[] {
  const databases = measurement.cpuOfDatabases();
  const cells = [[median(measurement.cpu('server'))], databases.length > 0 ? databases : [NaN]].map((all) =>
    all.map(micros).join(' + '),
  );
  return [...cells, ratio(ratioOf(cpu('both'), measurement, first))];
}
