import {
  forEachItem,
  ITEM_NAMES,
  type ImportKind,
  type ItemCounts,
  type ItemName,
} from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';
import { NOTE } from './note.item.js';
import { PAYMENT_INSTRUCTION } from './payment-instruction.item.js';
import { STATEMENT } from './statement.item.js';
import { TRANSACTION } from './transaction.item.js';

/** The kinds of items by the name used for their counts, in the order of {@link ITEM_KINDS}. */
export const ITEMS = {
  notes: NOTE,
  transactions: TRANSACTION,
  statements: STATEMENT,
  payment_instructions: PAYMENT_INSTRUCTION,
} as const satisfies Readonly<Record<ItemName, ItemKind>>;

/** The description of one kind, with its own fields and flags. */
export type KindOf<Name extends ItemName> = (typeof ITEMS)[Name];

type AnyKind = KindOf<ItemName>;

/** The kinds that may name documents. */
export type NameWithDocuments = {
  [Name in ItemName]: KindOf<Name> extends { documents: string } ? Name : never;
}[ItemName];

/** The sections of an account's content (choice V1). */
export type Section = AnyKind['section'];

/** The sections of an account, in the order that its digest uses (choice V4). */
export const SECTIONS: readonly Section[] = Object.values(ITEMS).map(({ section }) => section);

/** Compute a value for each section of an account. */
export function forEachSection<Value>(valueOf: (section: Section) => Value): Record<Section, Value> {
  return Object.fromEntries(SECTIONS.map((section) => [section, valueOf(section)])) as Record<Section, Value>;
}

/** The name under which an import request's items are counted. */
export function countedAs(kind: ImportKind): ItemName {
  return ITEM_NAMES.find((name) => ITEMS[name].request === kind) ?? unknownKind(kind);
}

/** The kind of item that an import request contains. */
export function itemOf(kind: ImportKind): AnyKind {
  return ITEMS[countedAs(kind)];
}

/** The number of items of each kind, as table rows. */
export function countRows(counts: ItemCounts): [label: string, count: number][] {
  return ITEM_NAMES.map((name) => [ITEMS[name].label, counts[name]]);
}

/** The number of items of all kinds together. */
export function countOf(counts: ItemCounts): number {
  return ITEM_NAMES.reduce((sum, name) => sum + counts[name], 0);
}

export function sumOfCounts(one: ItemCounts, other: ItemCounts): ItemCounts {
  return forEachItem((name) => one[name] + other[name]);
}

function unknownKind(kind: string): never {
  throw new Error(`No item is imported by ${kind}.`);
}
