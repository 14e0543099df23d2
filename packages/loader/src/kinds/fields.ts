import { ENVELOPE, OPERATIONS } from './contract.generated.js';
import { FACTS, type Kind } from './kinds.js';

/** How a cell or a mapped value becomes JSON. `paths`: a list of objects with a document path and nothing else. */
export type FieldType = 'text' | 'date' | 'date-time' | 'number' | 'boolean' | 'list' | 'paths';

/** The type of a field in the description of the interface, see {@link OPERATIONS}. */
type DescribedType = string | readonly string[] | { readonly [name: string]: DescribedType };

export const ACCOUNT: (typeof ENVELOPE)[number] = 'external_account_number';

/** It comes from the option `--supplier`; a row that named another one would be loaded for that one. */
export const SUPPLIER: (typeof ENVELOPE)[number] = 'import_supplier';

export const DOCUMENT_PATH = 'document_path';

/** What takes the items of a kind. */
export function operationOf(kind: Kind): {
  /** Its query parameters. */
  readonly parameters: readonly string[];
  /** The member of the body that lists the items; without it the body is the item. */
  readonly list?: string;
  /** The fields that every item must have. */
  readonly required: readonly string[];
  /** The fields of an item, without the account. */
  readonly fields: Readonly<Record<string, DescribedType>>;
  /** By field the values that it may have; the operator may have added some. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
} {
  return OPERATIONS[FACTS[kind].operation];
}

/** @returns the type of a field of the kind, the account included; undefined when there is no such field */
export function fieldType(kind: Kind, field: string): FieldType | undefined {
  if (field === ACCOUNT) return 'text';
  const { fields } = operationOf(kind);
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (typeof type !== 'object') return type as FieldType | undefined;
  return Object.keys(type).join() === DOCUMENT_PATH ? 'paths' : 'list';
}

/** The names of all fields of a row, the account first. */
export function fieldNames(kind: Kind): string[] {
  return [ACCOUNT, ...Object.keys(operationOf(kind).fields)];
}
