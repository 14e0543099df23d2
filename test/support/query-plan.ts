import type { DataSource } from 'typeorm';
import type { Query } from '../../src/infrastructure/database/query.js';

/** A node of a plan as `EXPLAIN (FORMAT JSON)` prints it; the parts that the tests need. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** The condition of an index; the heap scan of a bitmap repeats it. */
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** How a plan reads a table. */
export interface Scan {
  readonly table: string;
  /** `Seq Scan`, `Index Scan`, … */
  readonly kind: string;
  /** Its name, empty without one and for the rows that the indexes of a bitmap have found. */
  readonly index: string;
  /** The condition of the index, empty without an index. */
  readonly condition: string;
  /** Whether it stops as soon as a LIMIT above it has enough. */
  readonly isCutShort: boolean;
}

/** These read all rows of their input before they return the first one, so a LIMIT above them saves nothing. */
const TAKES_ALL_FIRST = new Set([
  'Sort',
  'Incremental Sort',
  'Aggregate',
  'Hash',
  'Bitmap Heap Scan',
  'ModifyTable',
]);

/** Every scan of a table in the plan that PostgreSQL makes for a query without knowing its parameters. */
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
  // The WITH parts and sub-selects of a node run on their own.
  const isApart = ['InitPlan', 'SubPlan'].includes(node['Parent Relationship'] ?? '');
  const isCutShort = kind === 'Limit' || (isBelowLimit && !isApart && !TAKES_ALL_FIRST.has(kind));
  // A Tid Scan reads the rows that another scan of the plan has found.
  if (table !== undefined && kind !== 'ModifyTable' && kind !== 'Tid Scan') {
    const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? '';
    yield { table, kind, index: node['Index Name'] ?? '', condition, isCutShort };
  }
  for (const child of node.Plans ?? []) yield* scansOf(child, isCutShort);
}
