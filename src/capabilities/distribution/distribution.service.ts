import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { databaseMessage } from '../../infrastructure/errors/sql-state.js';
import { CommandDatabase } from '../../infrastructure/database/command-database.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import {
  distribute,
  isDistributed,
  prepareDistribution,
  type DistributionProgress,
  type SqlRunner,
} from '../../infrastructure/database/citus/distribution.js';

/** The result of "database distribute". */
export interface DistributionReport {
  /** Tables that this run distributed; empty when all were distributed already. */
  readonly distributed: readonly string[];
  /** The nodes that hold shards, as `host:port`. */
  readonly nodes: readonly string[];
}

/** How long connections of commands and services that have just ended may linger. */
const LEAVING_MS = 2_000;
const POLL_MS = 50;

/** Distributes the tables of the database over the nodes of a Citus cluster. */
@Injectable()
export class DistributionService {
  constructor(
    private readonly database: CommandDatabase,
    private readonly audit: AuditService,
  ) {}

  /**
   * Distribute the tables that are not distributed yet, with their rows, in one transaction. A crash leaves the database
   * unchanged, and the command can be run again.
   *
   * @param shards shards of each table; applies to the first distribution only
   * @throws CommandError `database_is_embedded`, `database_not_migrated`, `citus_missing`, `no_worker_nodes`, or
   *   `database_in_use` while a service or another command is connected
   * Source: docs/scaling.md, "Several nodes".
   */
  async distribute(
    operator: string,
    shards: number,
    progress: DistributionProgress,
  ): Promise<DistributionReport> {
    const { url, environment, isEmbedded } = await this.database.open();
    if (isEmbedded) {
      throw new CommandError(
        'database_is_embedded',
        'The embedded PostgreSQL has one node only; set DATABASE_URL to the coordinator of a Citus cluster.',
      );
    }
    const { changeSchema, expectMigrated } = await import('../../infrastructure/database/open-database.js');
    return changeSchema(url, environment, async (tx, missing) => {
      expectMigrated(missing);
      const sql = tx as SqlRunner;
      await createExtension(sql);
      const nodes = await expectNodes(sql);
      for (const node of nodes) await expectUsable(tx, node);
      await expectNoOtherConnections(sql);
      await prepareDistribution(sql, shards);
      const distributed = await distribute(sql, progress);
      if (distributed.length > 0) {
        const change = { operator, action: 'database.distribute', subject: 'database' } as const;
        await this.audit.record(tx, { ...change, details: { shards, nodes } });
      }
      return { distributed, nodes };
    });
  }

  /**
   * Run work on a distributed database.
   *
   * @throws CommandError `database_not_distributed`
   */
  async onSeveralNodes<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> {
    const sql = (await this.database.dataSource()) as SqlRunner;
    if (await isDistributed(sql)) return work(sql);
    throw new CommandError(
      'database_not_distributed',
      'The database is on a single node; "data-import database distribute" distributes it.',
    );
  }
}

async function createExtension(sql: SqlRunner): Promise<void> {
  const [citus] = await sql.query<{ installed: string | null }>(
    `SELECT installed_version AS installed FROM pg_available_extensions WHERE name = 'citus'`,
  );
  if (!citus) {
    throw new CommandError(
      'citus_missing',
      'The PostgreSQL server does not have the extension citus: install it on every node (docs/scaling.md).',
    );
  }
  if (citus.installed !== null) return;
  await sql.query('CREATE EXTENSION citus').catch((cause: unknown) => {
    throw new CommandError(
      'citus_missing',
      `The extension citus cannot be created: ${databaseMessage(cause)}. Create it in this database on every node (docs/scaling.md).`,
      { cause },
    );
  });
}

/** @returns the nodes that hold shards */
async function expectNodes(sql: SqlRunner): Promise<string[]> {
  const nodes = await sql.query<{ name: string; is_coordinator: boolean; has_shards: boolean }>(
    `SELECT nodename || ':' || nodeport AS name, groupid = 0 AS is_coordinator, shouldhaveshards AS has_shards
       FROM pg_dist_node
      WHERE isactive AND noderole = 'primary'
      ORDER BY groupid`,
  );
  const workers = nodes.filter(({ has_shards }) => has_shards).map(({ name }) => name);
  if (workers.length > 0 && nodes.some(({ is_coordinator }) => is_coordinator)) return workers;
  throw new CommandError(
    'no_worker_nodes',
    'The cluster has no node for shards, or does not know its coordinator: run citus_set_coordinator_host and citus_add_node in this database (docs/scaling.md).',
  );
}

/**
 * The service sends a supplier's queries directly to its node. It must therefore reach every node under the name that the
 * cluster uses, as the role that will own the tables. When Citus moves a shard it copies what the node has written to its
 * write-ahead log, so a transaction that commits before its log is written would be lost.
 */
async function expectUsable(tx: Tx, node: string): Promise<void> {
  const { DataSource } = await import('typeorm');
  const { nodeOptions } = await import('../../infrastructure/database/citus/node-options.js');
  const { GENERIC_PLANS } = await import('../../infrastructure/database/connection-options.js');
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? [];
  const source = new DataSource(
    nodeOptions(tx.dataSource.options, { host, port: Number(port) }, GENERIC_PLANS),
  );
  let commits: string;
  try {
    await source.initialize();
    [{ commits }] = await source.query<[{ commits: string }]>(
      `SELECT current_setting('synchronous_commit') AS commits, 'lock_shard_metadata(integer, bigint[])'::regprocedure`,
    );
  } catch (cause) {
    throw new CommandError(
      'node_not_usable',
      `The node ${node} cannot be used under this name, as the service will: ${databaseMessage(cause)}.`,
      { cause },
    );
  } finally {
    if (source.isInitialized) await source.destroy();
  }
  if (commits !== 'off') return;
  throw new CommandError(
    'node_not_usable',
    `The node ${node} commits before its write-ahead log is written, and a move of a supplier then loses what was committed last: ALTER DATABASE … SET synchronous_commit = on, which Citus repeats on every node.`,
  );
}

async function expectNoOtherConnections(sql: SqlRunner): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const [others] = await sql.query<{ count: number }>(
      `SELECT count(*)::integer AS count
         FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = current_setting('application_name')
          AND pid <> pg_backend_pid()`,
    );
    const count = others?.count ?? 0;
    if (count === 0) return;
    if (waitedMs >= LEAVING_MS) {
      throw new CommandError(
        'database_in_use',
        `Services or commands have ${count} connections to the database; stop them first.`,
      );
    }
    await delay(POLL_MS);
  }
}
