import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ConnectionCounts, Pool } from './pool.js';

/** The pool of a connected data source (connection-options.ts). This file loads no modules, so that commands start fast. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}

/** @returns undefined if the data source is not or no longer connected */
export function connectionsOf(dataSource: DataSource | undefined): ConnectionCounts | undefined {
  return (dataSource && (poolOf(dataSource) as Pool | undefined))?.counts;
}
