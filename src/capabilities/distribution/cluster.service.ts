import { Injectable } from '@nestjs/common';
import { DistributionService } from './distribution.service.js';

/** A node of the cluster that may hold shards. */
export interface ClusterNode {
  /** `host:port`. */
  readonly node: string;
  readonly role: 'coordinator' | 'worker';
  readonly is_active: boolean;
  /** Shards of the distributed tables on this node. */
  readonly shards: number;
  /** Size of these shards with their indexes; null while the node does not answer. */
  readonly bytes: number | null;
  /** Codes of the suppliers whose rows are on this node. */
  readonly suppliers: readonly string[];
}

/** A platform account number that several accounts share. */
export interface RepeatedNumber {
  readonly service_account_number: string;
  readonly accounts: readonly { import_supplier: string; external_account_number: string }[];
}

/** Nodes without rows are listed too. */
const NODES = `
  SELECT n.nodename || ':' || n.nodeport AS node,
         CASE WHEN n.groupid = 0 THEN 'coordinator' ELSE 'worker' END AS role,
         n.isactive AS is_active,
         (SELECT count(*)::integer FROM placed p WHERE p.groupid = n.groupid) AS shards,
         (SELECT coalesce(array_agg(s.code ORDER BY s.code), '{}')
            FROM import_supplier s
            JOIN placed p ON p.shardid = get_shard_id_for_distribution_column('account_import', s.id)
           WHERE p.groupid = n.groupid) AS suppliers
    FROM pg_dist_node n
   WHERE n.noderole = 'primary'
   ORDER BY n.groupid`;

const PLACED = `
  WITH placed AS MATERIALIZED (
    SELECT p.shardid, p.groupid
      FROM pg_dist_placement p
      JOIN pg_dist_shard d ON d.shardid = p.shardid
      JOIN pg_dist_partition t ON t.logicalrelid = d.logicalrelid AND t.partmethod = 'h'
  )`;

/** Queries every node. */
const SIZES = `
  SELECT nodename || ':' || nodeport AS node, sum(shard_size)::float8 AS bytes
    FROM citus_shards
   WHERE citus_table_type = 'distributed'
   GROUP BY 1`;

/** Queries every node. On a single node a unique index prevents repeated numbers. */
const REPEATED_NUMBERS = `
  SELECT a.service_account_number,
         json_agg(json_build_object('import_supplier', s.code, 'external_account_number', a.external_account_number)
                  ORDER BY s.code, a.external_account_number) AS accounts
    FROM account_import a
    JOIN import_supplier s ON s.id = a.import_supplier_id
   WHERE a.service_account_number IN (
           SELECT service_account_number
             FROM account_import
            WHERE service_account_number IS NOT NULL
            GROUP BY service_account_number
           HAVING count(*) > 1)
   GROUP BY a.service_account_number
   ORDER BY a.service_account_number`;

/** Shows operators the nodes of a distributed database. */
@Injectable()
export class ClusterService {
  constructor(private readonly distribution: DistributionService) {}

  /**
   * The nodes, the coordinator first.
   *
   * @throws CommandError `database_not_distributed`
   */
  nodes(): Promise<ClusterNode[]> {
    return this.distribution.onSeveralNodes(async (sql) => {
      const nodes = await sql.query<Omit<ClusterNode, 'bytes'>>(`${PLACED}${NODES}`);
      const sizes = await sql.query<{ node: string; bytes: number | null }>(SIZES);
      const bytesOf = new Map(sizes.map(({ node, bytes }) => [node, bytes]));
      return nodes.map(({ suppliers, ...node }) => {
        const bytes = node.shards === 0 ? 0 : (bytesOf.get(node.node) ?? null);
        return { ...node, bytes, suppliers };
      });
    });
  }

  /**
   * Platform account numbers that several accounts share. No index can prevent this on several nodes: the numbers are
   * unique only because the coordinator draws each one once.
   *
   * @throws CommandError `database_not_distributed`
   */
  repeatedNumbers(): Promise<RepeatedNumber[]> {
    return this.distribution.onSeveralNodes((sql) => sql.query<RepeatedNumber>(REPEATED_NUMBERS));
  }
}
