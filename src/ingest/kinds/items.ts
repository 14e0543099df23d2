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

/** The kinds of items, by the name under which they are counted, in the order of {@link ITEM_KINDS}. */
export const ITEMS = {
  notes: NOTE,
  transactions: TRANSACTION,
  statements: STATEMENT,
  payment_instructions: PAYMENT_INSTRUCTION,
} as const satisfies Readonly<Record<ItemName, ItemKind>>;

/** The description of a kind, with its own fields and flags. */
export type KindOf<Name extends ItemName> = (typeof ITEMS)[Name];

type AnyKind = KindOf<ItemName>;

/** The kinds that may name documents. */
export type NameWithDocuments = {
  [Name in ItemName]: KindOf<Name> extends { documents: string } ? Name : never;
}[ItemName];

/** The parts of what an account holds (choice V1). */
export type Section = AnyKind['section'];

/** The sections of an account, in the order in which its digest names them (choice V4). */
export const SECTIONS: readonly Section[] = Object.values(ITEMS).map(({ section }) => section);

/** A value for each section of an account. */
export function forEachSection<Value>(valueOf: (section: Section) => Value): Record<Section, Value> {
  return Object.fromEntries(SECTIONS.map((section) => [section, valueOf(section)])) as Record<Section, Value>;
}

/** What the items of an import request are counted as. */
export function countedAs(kind: ImportKind): ItemName {
  return ITEM_NAMES.find((name) => ITEMS[name].request === kind) ?? unknownKind(kind);
}

/** The items of an import request. */
export function itemOf(kind: ImportKind): AnyKind {
  return ITEMS[countedAs(kind)];
}

/** How many items there are of each kind, as rows of a table. */
export function countRows(counts: ItemCounts): [label: string, count: number][] {
  return ITEM_NAMES.map((name) => [ITEMS[name].label, counts[name]]);
}

/** How many items there are of all kinds. */
export function countOf(counts: ItemCounts): number {
  return ITEM_NAMES.reduce((sum, name) => sum + counts[name], 0);
}

export function sumOfCounts(one: ItemCounts, other: ItemCounts): ItemCounts {
  return forEachItem((name) => one[name] + other[name]);
}

function unknownKind(kind: string): never {
  throw new Error(`No item is imported by ${kind}.`);
}
