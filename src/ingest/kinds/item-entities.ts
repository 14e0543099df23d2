import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { COMMON_COLUMNS, hashSql, type ItemColumn, type ItemKind } from './item-kind.js';
import { ITEMS } from './items.js';

/** The TypeORM entities of the item tables. They are derived from the descriptions, where each column is defined once. */
export const ITEM_ENTITIES = Object.values<ItemKind>(ITEMS).map(
  (kind) => new EntitySchema<Record<string, unknown>>({ name: kind.table, columns: columnsOf(kind) }),
);

function columnsOf(kind: ItemKind): Record<string, EntitySchemaColumnOptions> {
  const { fields, excludedColumns, key, primaryKey = key, hash } = kind;
  const columns: Record<string, ItemColumn> = { ...COMMON_COLUMNS, ...fields, ...excludedColumns };
  const primary = ['import_supplier_id', 'external_account_number', ...primaryKey];
  const generated = { generatedType: 'STORED', asExpression: hash && hashSql(kind) } as const;
  const optionsOf = (name: string, { type, nullable, array }: ItemColumn): EntitySchemaColumnOptions => ({
    type: type === 'paths' ? 'text' : type,
    array: array === true || type === 'paths',
    nullable: nullable === true,
    primary: primary.includes(name),
    ...(name === hash?.column && generated),
  });
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, optionsOf(name, column)]));
}
