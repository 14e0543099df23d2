import { IMPORT_KINDS, type ImportKind } from '../item-names/item-names.js';

/** The type that the feed gives to an import request of a kind. */
export type AddedType = `${ImportKind}.added`;

/** The types of changes that the feed shows (choice E2). */
export type ChangeType =
  | 'supplier.status_changed'
  | 'account.imported'
  | 'account.period_changed'
  | AddedType
  | 'import.undone'
  | 'account.erased';

export const ADDED_TYPES: readonly AddedType[] = IMPORT_KINDS.map(addedType);

/** The order in which one step numbers changes; within a group they are ordered by time (choice E3). */
const GROUPS: readonly (readonly ChangeType[])[] = [
  ['supplier.status_changed'],
  ['account.imported', 'account.period_changed'],
  ADDED_TYPES,
  ['import.undone'],
  ['account.erased'],
];

export const CHANGE_TYPES = GROUPS.flat();

export function addedType(kind: ImportKind): AddedType {
  return `${kind}.added`;
}

/** SQL for the rank of a type within a step. */
export function rankOf(type: string): string {
  const ranks = GROUPS.map(
    (types, rank) => `WHEN ${type} IN (${types.map((name) => `'${name}'`).join(', ')}) THEN ${rank}`,
  );
  return `CASE ${ranks.join(' ')} END`;
}
