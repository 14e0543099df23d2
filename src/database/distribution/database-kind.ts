import type { Tx } from '../unit-of-work.js';

/** Whether the tables are on several nodes, for the few queries that differ (docs/scaling.md, "Promises"). */
export function isOnSeveralNodes({ dataSource }: Tx): boolean {
  const { extra } = dataSource.options as { extra?: { isDistributed?: boolean } };
  return extra?.isDistributed === true;
}
