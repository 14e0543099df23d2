import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isUnreachable, sqlState } from '../../errors/sql-state.js';
import { NodeCircuitBreaker } from './node-circuit-breaker.js';
import type { NodeAddress } from './node-options.js';
import { CITUS_VERSION, NOT_PLACED, PLACED_TABLES, type Placement } from './placement.js';

/** Work that meets rows that were moved is tried this often in all; a move ends long before the last time. */
const TRIES_MAX = 5;
/** Before the next try, so that every node has heard of the move. */
const PAUSE_MS = 20;

/** So long a placement is used before it is looked up anew: a node may have another address after a fail-over. */
const PLACEMENT_AGE_MAX_MS = 5_000;

/** SQLSTATE of a table that is not there: a shard that was moved or split, and then removed. */
const UNDEFINED_TABLE = '42P01';

/** Any node answers it, from the copy of the metadata that it has. */
const FIND_PLACEMENT = `
  SELECT n.nodename AS host, n.nodeport AS port, p.shardid::text AS "shardId",
         coalesce((SELECT e.extversion FROM pg_extension e WHERE e.extname = 'citus'), '') AS version, (
           SELECT json_object_agg(c.relname, shard_name(c.oid, get_shard_id_for_distribution_column(c.oid, $1::integer)))
             FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($2)) AS shards
    FROM pg_dist_placement p
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE p.shardid = get_shard_id_for_distribution_column('account_import', $1::integer)`;

/** A node, and the units of work there. */
interface Node<Work> {
  readonly breaker: NodeCircuitBreaker;
  readonly dataSource: DataSource;
  /** Fails while no connection can be made. */
  readonly workAt: (placement: Placement) => Promise<Work>;
}

/** A placement with the version of the extension. */
interface FoundPlacement extends Placement {
  readonly version: string;
}

/** A placement that is known. */
interface Known {
  readonly placement: Placement;
  readonly foundAtMs: number;
}

/**
 * The nodes of a Citus cluster, and where each supplier is.
 *
 * The service sends the queries of a supplier to the node of its shards itself: the coordinator would plan them anew each time, and
 * each of their parts (decision 11). Where a supplier is comes from the metadata of Citus, which every node has; what guards a query
 * against a move is in placement.ts.
 */
export class Nodes<Work> {
  private readonly logger = new Logger('nodes');
  private isVersionSeen = false;
  private isClosed = false;
  private readonly known = new Map<number, Known>();
  private readonly looking = new Map<number, Promise<Placement>>();
  /** By shard, so that what was rendered for it is rendered once for all suppliers that it holds. */
  private readonly placements = new Map<string, Placement>();
  private readonly nodes = new Map<string, Node<Work>>();

  /** @param open makes the connections to a node */
  constructor(
    private readonly coordinator: DataSource,
    private readonly open: (node: NodeAddress) => DataSource,
    private readonly workOf: (node: DataSource) => (placement: Placement) => Work,
  ) {}

  /** Those to which there are connections. */
  get connected(): readonly DataSource[] {
    return [...this.nodes.values()].flatMap(({ dataSource }) =>
      dataSource.isInitialized ? [dataSource] : [],
    );
  }

  /** Run work at the node of a supplier, again where its rows were moved. Source: decision 11 (docs/decisions/). */
  async run<T>(importSupplierId: number, work: (at: Work) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const placement = await this.find(importSupplierId);
      const { breaker, workAt } = this.nodeOf(placement);
      try {
        return await breaker.run(async () => work(await workAt(placement)));
      } catch (error) {
        const isMoved = [NOT_PLACED, UNDEFINED_TABLE].includes(sqlState(error) ?? '');
        // The node may be another one by now.
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

  /** Nothing connects afterwards. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const dataSource of this.connected) await dataSource.destroy();
  }

  /** What is known is used until something newer is: without the coordinator and every other node, as long as it is right. */
  private async find(importSupplierId: number): Promise<Placement> {
    const known = this.known.get(importSupplierId);
    if (known && performance.now() - known.foundAtMs < PLACEMENT_AGE_MAX_MS) return known.placement;
    let looking = this.looking.get(importSupplierId);
    if (!looking) {
      looking = this.lookUp(importSupplierId).finally(() => this.looking.delete(importSupplierId));
      this.looking.set(importSupplierId, looking);
    }
    if (!known) return looking;
    looking.catch(() => undefined);
    return known.placement;
  }

  private async lookUp(importSupplierId: number): Promise<Placement> {
    const found = await this.ask(importSupplierId);
    const same = this.placements.get(found.shardId);
    const isSame = same?.host === found.host && same.port === found.port;
    const placement = isSame ? same : found;
    this.placements.set(placement.shardId, placement);
    this.known.set(importSupplierId, { placement, foundAtMs: performance.now() });
    return placement;
  }

  /** The coordinator, and while it is away whichever node answers. */
  private async ask(importSupplierId: number): Promise<Placement> {
    let failure: unknown;
    for (const source of [this.coordinator, ...this.connected]) {
      try {
        const [found] = await source.query<FoundPlacement[]>(FIND_PLACEMENT, [
          importSupplierId,
          PLACED_TABLES,
        ]);
        if (found) return this.knowing(found);
        throw new Error(`The cluster has no place for the supplier ${importSupplierId}.`);
      } catch (error) {
        failure ??= error;
        if (!isUnreachable(error)) throw error;
      }
    }
    throw failure;
  }

  /** What was found; once the log says when the version of Citus is another one than was tried. */
  private knowing({ version, ...placement }: FoundPlacement): Placement {
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
