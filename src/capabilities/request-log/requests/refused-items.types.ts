import type { FieldErrorCode } from '../../../infrastructure/errors/errors.js';

/** The items of a refused request, as the column `items` has them: at most 20. */
export interface RefusedItems {
  readonly at_fault?: readonly RefusedItem[];
  /** Ids of items without a fault that were refused with the others. */
  readonly others?: readonly string[];
}

/** An item at fault. */
export interface RefusedItem {
  /** Its place in the request, `transactions.20`; empty for errors that belong to no item. */
  readonly at: string;
  /** The id of a transaction or a statement, if it can be stored. */
  readonly id?: string | undefined;
  readonly errors: readonly RefusedField[];
}

/** A field error of an item, with the value that was sent as far as it may be kept (choice C9). */
export interface RefusedField {
  /** Its path within the item. */
  readonly attr: string;
  readonly code: FieldErrorCode;
  readonly value?: string;
  /** The type of a value that must not be kept. */
  readonly form?: 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null';
  /** UTF-16 units of a text, or elements of a list. */
  readonly length?: number;
}
