import { QueryFailedError } from 'typeorm';
import { sqlState } from '../errors/sql-state.js';
import { ITEM_TABLES } from '../item-names/item-names.js';

/** SQLSTATE of a serialization failure and of a deadlock: nothing was stored, and the same work may succeed now. */
const CONFLICT = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';

/**
 * The primary keys decide which of two requests stores an item first; on several nodes the number of the shard follows. A violation of
 * any other index is a defect.
 */
const KEYS = new RegExp(`^(${ITEM_TABLES.join('|')})_pkey(_\\d+)?$`);

/** Whether a query failed because one of its items is stored already, perhaps since it began. */
export function isItemThere(error: unknown): boolean {
  if (sqlState(error) !== UNIQUE_VIOLATION || !(error instanceof QueryFailedError)) return false;
  const { constraint = '' } = error.driverError as { constraint?: string };
  return KEYS.test(constraint);
}

/** Whether a query lost against another one at the same moment: nothing of it was stored, and it may succeed now. */
export function isLostRace(error: unknown): boolean {
  return CONFLICT.has(sqlState(error) ?? '') || isItemThere(error);
}
