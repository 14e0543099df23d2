import type { TestDatabase } from './database.js';

/** The shard of a supplier's rows on a Citus cluster, and its nodes. */
export interface Place {
  readonly supplierId: number;
  readonly shard: string;
  /** The hash range of the shard. */
  readonly low: number;
  readonly high: number;
  /** `host:port` of the shard's node; `others` are the other nodes that may have shards. */
  readonly node: string;
  readonly others: readonly string[];
}

/** @param code of the supplier */
export async function placeOf({ sql }: Pick<TestDatabase, 'sql'>, code: string): Promise<Place> {
  const [place] = await sql<{ [Name in keyof Place]: Place[Name] }>(
    `SELECT s.id AS "supplierId", d.shardid::text AS shard, d.shardminvalue::integer AS low, d.shardmaxvalue::integer AS high,
            n.nodename || ':' || n.nodeport AS node,
            ARRAY(SELECT o.nodename || ':' || o.nodeport FROM pg_dist_node o
                   WHERE o.shouldhaveshards AND o.groupid <> p.groupid ORDER BY 1) AS others
       FROM import_supplier s
       JOIN pg_dist_shard d ON d.shardid = get_shard_id_for_distribution_column('account_import', s.id)
       JOIN pg_dist_placement p ON p.shardid = d.shardid
       JOIN pg_dist_node n ON n.groupid = p.groupid
      WHERE s.code = $1`,
    [code],
  );
  return place!;
}

/** Move a shard, with the co-located shards of the other tables, to another node. */
export async function move(
  { sql }: Pick<TestDatabase, 'sql'>,
  { shard, node, others: [other] }: Place,
  mode: 'block_writes' | 'force_logical',
): Promise<void> {
  const [[host, port], [toHost, toPort]] = [node.split(':'), other!.split(':')];
  await sql(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, $6::citus.shard_transfer_mode)`, [
    ...[shard, host, port, toHost, toPort, mode],
  ]);
}
