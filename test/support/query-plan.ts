import type { DataSource } from 'typeorm';
import type { Query } from '../../src/infrastructure/database/query.js';

/** A plan node as `EXPLAIN (FORMAT JSON)` prints it, as far as the tests need it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** The index condition. A bitmap heap scan repeats it as its recheck condition. */
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** How a plan reads a table. */
export interface Scan {
  readonly table: string;
  /** `Seq Scan`, `Index Scan`, … */
  readonly kind: string;
  /** Name of the index; empty without one and for bitmap heap scans. */
  readonly index: string;
  /** The index condition; empty without an index. */
  readonly condition: string;
  /** Whether the scan stops as soon as a LIMIT above it has enough rows. */
  readonly isCutShort: boolean;
}

/** Nodes that read their whole input before they return the first row, so a LIMIT above them saves nothing. */
const READS_ALL_INPUT = new Set([
  'Sort',
  'Incremental Sort',
  'Aggregate',
  'Hash',
  'Bitmap Heap Scan',
  'ModifyTable',
]);

/** Every table scan in PostgreSQL's generic plan for a query. */
export async function plannedScans(
  connection: Pick<DataSource, 'query'>,
  { text }: Query<unknown>,
): Promise<Scan[]> {
  const [row] = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  return [...scansOf(row!['QUERY PLAN'][0].Plan, false)];
}

function* scansOf(node: PlanNode, isBelowLimit: boolean): Generator<Scan> {
  const kind = node['Node Type'];
  const table = node['Relation Name'];
  // CTEs and subqueries of a node run independently of its LIMIT.
  const isApart = ['InitPlan', 'SubPlan'].includes(node['Parent Relationship'] ?? '');
  const isCutShort = kind === 'Limit' || (isBelowLimit && !isApart && !READS_ALL_INPUT.has(kind));
  // A Tid Scan reads only rows that another scan of the plan has found.
  if (table !== undefined && kind !== 'ModifyTable' && kind !== 'Tid Scan') {
    const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? '';
    yield { table, kind, index: node['Index Name'] ?? '', condition, isCutShort };
  }
  for (const child of node.Plans ?? []) yield* scansOf(child, isCutShort);
}
