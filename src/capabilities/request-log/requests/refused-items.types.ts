import type { FieldErrorCode } from '../../../infrastructure/errors/errors.js';

/** What a refused request was about, by the members of the column `items`: 20 items at most. */
export interface RefusedItems {
  readonly at_fault?: readonly RefusedItem[];
  /** Ids of items that were refused with them. */
  readonly others?: readonly string[];
}

/** An item at fault. */
export interface RefusedItem {
  /** Its place in the request, `transactions.20`; empty for what belongs to no item. */
  readonly at: string;
  /** Of a transaction or a statement, if it could be stored. */
  readonly id?: string | undefined;
  readonly errors: readonly RefusedField[];
}

/** A field error of an item, with what was sent as far as it may be kept (choice C9). */
export interface RefusedField {
  /** Its path within the item. */
  readonly attr: string;
  readonly code: FieldErrorCode;
  readonly value?: string;
  /** Of a value that must not be kept. */
  readonly form?: 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null';
  /** UTF-16 units of a text, elements of a list. */
  readonly length?: number;
}
