import type { DataSource } from 'typeorm';

/** The server that a data source is connected to: a single server, or the coordinator or a node of a Citus cluster. */
export type DatabaseKind = 'single' | 'coordinator' | 'node';

/** @param dataSource made with connection-options.ts, which keeps the kind in its options */
export function databaseKind(dataSource: DataSource): DatabaseKind {
  const { extra } = dataSource.options as { extra?: { kind?: DatabaseKind } };
  return extra?.kind ?? 'single';
}

/** Whether the tables are distributed over several nodes, for the few queries that differ (docs/scaling.md, "Promises"). */
export function isOnSeveralNodes({ dataSource }: { readonly dataSource: DataSource }): boolean {
  return databaseKind(dataSource) !== 'single';
}
