import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isUnreachable, sqlState } from '../../errors/sql-state.js';
import { NodeCircuitBreaker } from './node-circuit-breaker.js';
import type { NodeAddress } from './node-options.js';
import { CITUS_VERSION, NOT_PLACED, PLACED_TABLES, type Placement } from './placement.js';

/** Maximum number of tries for work whose rows were moved. A move ends long before the last one. */
const TRIES_MAX = 5;
/** Delay before the next try, so that every node learns of the move. */
const PAUSE_MS = 20;

/** A placement older than this is looked up again: after a fail-over, a node may have another address. */
const PLACEMENT_AGE_MAX_MS = 5_000;

/** SQLSTATE of a table that does not exist: a shard that was moved or split, and then removed. */
const UNDEFINED_TABLE = '42P01';

/** Any node can answer this from its copy of the metadata. */
const FIND_PLACEMENT = `
  SELECT n.nodename AS host, n.nodeport AS port, p.shardid::text AS "shardId",
         coalesce((SELECT e.extversion FROM pg_extension e WHERE e.extname = 'citus'), '') AS version, (
           SELECT json_object_agg(c.relname, shard_name(c.oid, get_shard_id_for_distribution_column(c.oid, $1::integer)))
             FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($2)) AS shards
    FROM pg_dist_placement p
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE p.shardid = get_shard_id_for_distribution_column('account_import', $1::integer)`;

/** A node, and how to work on it. */
interface Node<Work> {
  readonly breaker: NodeCircuitBreaker;
  readonly dataSource: DataSource;
  /** Fails while no connection can be made. */
  readonly workAt: (placement: Placement) => Promise<Work>;
}

/** A placement with the version of the Citus extension. */
interface FoundPlacement extends Placement {
  readonly version: string;
}

/** A cached placement. */
interface Known {
  readonly placement: Placement;
  readonly foundAtMs: number;
}

/**
 * The nodes of a Citus cluster, and where each supplier is.
 *
 * The service sends a supplier's queries directly to the node of its shards: the coordinator would plan them, and each of their
 * parts, every time (decision 11). The location of a supplier comes from the metadata of Citus, which every node has.
 * placement.ts explains what protects a query during a move.
 */
export class Nodes<Work> {
  private readonly logger = new Logger('nodes');
  private isVersionSeen = false;
  private isClosed = false;
  private readonly known = new Map<number, Known>();
  private readonly lookups = new Map<number, Promise<Placement>>();
  /** By shard, so that query text is rendered once for all suppliers in the shard. */
  private readonly placements = new Map<string, Placement>();
  private readonly nodes = new Map<string, Node<Work>>();

  /** @param open creates the connections to a node */
  constructor(
    private readonly coordinator: DataSource,
    private readonly open: (node: NodeAddress) => DataSource,
    private readonly workOf: (node: DataSource) => (placement: Placement) => Work,
  ) {}

  /** Nodes with open connections. */
  get connected(): readonly DataSource[] {
    return [...this.nodes.values()].flatMap(({ dataSource }) =>
      dataSource.isInitialized ? [dataSource] : [],
    );
  }

  /** Run work on the node of a supplier, and retry it if its rows were moved. Source: decision 11 (docs/decisions/). */
  async run<T>(importSupplierId: number, work: (node: Work) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const placement = await this.find(importSupplierId);
      const { breaker, workAt } = this.nodeOf(placement);
      try {
        return await breaker.run(async () => work(await workAt(placement)));
      } catch (error) {
        const isMoved = [NOT_PLACED, UNDEFINED_TABLE].includes(sqlState(error) ?? '');
        // The supplier may be on another node by now.
        if (isMoved || isUnreachable(error)) this.known.delete(importSupplierId);
        if (!isMoved || tries === TRIES_MAX) throw error;
        this.placements.delete(placement.shardId);
        await delay(PAUSE_MS * tries);
      }
    }
  }

  /** Run work that reaches the node of a supplier through the coordinator. */
  async through<T>(importSupplierId: number, work: () => Promise<T>): Promise<T> {
    return this.nodeOf(await this.find(importSupplierId)).breaker.run(work);
  }

  /** After this, no connection is opened. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const dataSource of this.connected) await dataSource.destroy();
  }

  /**
   * Returns a known placement even when it is old, and refreshes it in the background. So a placement that is still right keeps
   * working without the coordinator and the other nodes.
   */
  private async find(importSupplierId: number): Promise<Placement> {
    const known = this.known.get(importSupplierId);
    if (known && performance.now() - known.foundAtMs < PLACEMENT_AGE_MAX_MS) return known.placement;
    let lookup = this.lookups.get(importSupplierId);
    if (!lookup) {
      lookup = this.lookUp(importSupplierId).finally(() => this.lookups.delete(importSupplierId));
      this.lookups.set(importSupplierId, lookup);
    }
    if (!known) return lookup;
    lookup.catch(() => undefined);
    return known.placement;
  }

  private async lookUp(importSupplierId: number): Promise<Placement> {
    const found = await this.queryPlacement(importSupplierId);
    const same = this.placements.get(found.shardId);
    const isSame = same?.host === found.host && same.port === found.port;
    const placement = isSame ? same : found;
    this.placements.set(placement.shardId, placement);
    this.known.set(importSupplierId, { placement, foundAtMs: performance.now() });
    return placement;
  }

  /** Asks the coordinator, or any other node while the coordinator is unavailable. */
  private async queryPlacement(importSupplierId: number): Promise<Placement> {
    let failure: unknown;
    for (const source of [this.coordinator, ...this.connected]) {
      try {
        const [found] = await source.query<FoundPlacement[]>(FIND_PLACEMENT, [
          importSupplierId,
          PLACED_TABLES,
        ]);
        if (found) return this.checkVersion(found);
        throw new Error(`The cluster has no place for the supplier ${importSupplierId}.`);
      } catch (error) {
        failure ??= error;
        if (!isUnreachable(error)) throw error;
      }
    }
    throw failure;
  }

  /** The placement without the version. Warns once if the version of Citus is not the tested one. */
  private checkVersion({ version, ...placement }: FoundPlacement): Placement {
    if (!this.isVersionSeen && !version.startsWith(`${CITUS_VERSION}-`)) {
      this.logger.warn({
        msg: 'another version of Citus than the one with which moves of suppliers were tried',
        version,
        tried: CITUS_VERSION,
      });
    }
    this.isVersionSeen = true;
    return placement;
  }

  private nodeOf({ host, port }: Placement): Node<Work> {
    const address = `${host}:${port}`;
    const known = this.nodes.get(address);
    if (known) return known;
    const dataSource = this.open({ host, port });
    const work = this.workOf(dataSource);
    let connecting: Promise<unknown> | undefined;
    const node: Node<Work> = {
      breaker: new NodeCircuitBreaker(),
      dataSource,
      workAt: async (placement) => {
        if (!dataSource.isInitialized) {
          if (this.isClosed) throw new Error('The connections to the nodes are closed.');
          connecting ??= dataSource.initialize().finally(() => (connecting = undefined));
          await connecting;
        }
        return work(placement);
      },
    };
    this.nodes.set(address, node);
    return node;
  }
}
