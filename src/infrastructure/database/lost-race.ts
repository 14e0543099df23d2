import { QueryFailedError } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '../errors/sql-state.js';
import { ITEM_TABLES } from '../item-names/item-names.js';

/** SQLSTATEs of a serialization failure and a deadlock. Nothing was stored, and a retry may succeed. */
const CONFLICT = new Set(['40001', '40P01']);

/**
 * The primary keys decide which of two requests stores an item first. On several nodes, the number of the shard follows the name.
 * A violation of any other unique index is a defect.
 */
const KEYS = new RegExp(`^(${ITEM_TABLES.join('|')})_pkey(_\\d+)?$`);

/** Whether a query failed because one of its items is already stored, perhaps since the query began. */
export function isItemThere(error: unknown): boolean {
  if (sqlState(error) !== UNIQUE_VIOLATION || !(error instanceof QueryFailedError)) return false;
  const { constraint = '' } = error.driverError as { constraint?: string };
  return KEYS.test(constraint);
}

/** Whether a query lost a race against a concurrent one. Nothing of it was stored, and a retry may succeed. */
export function isLostRace(error: unknown): boolean {
  return CONFLICT.has(sqlState(error) ?? '') || isItemThere(error);
}
