import type { DataSource } from 'typeorm';

/** Whether the tables are on several nodes, for the few queries that differ (docs/scaling.md, "Promises"). */
export function isOnSeveralNodes({ dataSource }: { readonly dataSource: DataSource }): boolean {
  const { extra } = dataSource.options as { extra?: { isDistributed?: boolean } };
  return extra?.isDistributed === true;
}
