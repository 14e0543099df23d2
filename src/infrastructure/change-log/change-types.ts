import { IMPORT_KINDS, type ImportKind } from '../item-names/item-names.js';

/** What an import request of a kind is in the feed. */
export type AddedType = `${ImportKind}.added`;

/** The kinds of changes that readers of the feed hear of (choice E2). */
export type ChangeType =
  | 'supplier.status_changed'
  | 'account.imported'
  | 'account.period_changed'
  | AddedType
  | 'import.undone'
  | 'account.erased';

export const ADDED_TYPES: readonly AddedType[] = IMPORT_KINDS.map(addedType);

/** In the order in which one step numbers them; those of a group in the order of their time (choice E3). */
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

/** SQL for the place of a type in the order of a step. */
export function rankOf(type: string): string {
  const ranks = GROUPS.map(
    (types, rank) => `WHEN ${type} IN (${types.map((name) => `'${name}'`).join(', ')}) THEN ${rank}`,
  );
  return `CASE ${ranks.join(' ')} END`;
}
