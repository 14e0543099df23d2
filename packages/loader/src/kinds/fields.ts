import { ENVELOPE, OPERATIONS } from './contract.generated.js';
import { FACTS, KINDS, type Kind } from './kinds.js';

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
  /** By list of items the fields that these must have. */
  readonly requiredInLists: Readonly<Record<string, readonly string[]>>;
  /** By field the values that it may have; the operator may have added some. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
} {
  return OPERATIONS[FACTS[kind].operation];
}

/** What has fields: the rows of a kind, or the items of a list that they have, such as `transactions.line_items`. */
export type FieldOwner = Kind | `${Kind}.${string}`;

function fieldsOf(owner: FieldOwner): Readonly<Record<string, DescribedType>> {
  if (isKind(owner)) return operationOf(owner).fields;
  const [kind, list] = owner.split('.') as [Kind, string];
  return operationOf(kind).fields[list] as Readonly<Record<string, DescribedType>>;
}

/** @returns the type of a field, that of the account of a row included; undefined when there is no such field */
export function fieldType(owner: FieldOwner, field: string): FieldType | undefined {
  if (field === ACCOUNT && isKind(owner)) return 'text';
  const fields = fieldsOf(owner);
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (typeof type !== 'object') return type as FieldType | undefined;
  return Object.keys(type).join() === DOCUMENT_PATH ? 'paths' : 'list';
}

/** The names of all fields, of a row the account first. */
export function fieldNames(owner: FieldOwner): string[] {
  return [...(isKind(owner) ? [ACCOUNT] : []), ...Object.keys(fieldsOf(owner))];
}

/** The names of the fields that must be there, of a row the account first. */
export function requiredFields(owner: FieldOwner): readonly string[] {
  if (isKind(owner)) return [ACCOUNT, ...operationOf(owner).required];
  const [kind, list] = owner.split('.') as [Kind, string];
  return operationOf(kind).requiredInLists[list] ?? [];
}

/** The kind of the rows that an owner is or is a part of. */
export function kindOfOwner(owner: FieldOwner): Kind {
  return owner.split('.')[0] as Kind;
}

export function isKind(owner: FieldOwner): owner is Kind {
  return Object.hasOwn(FACTS, owner);
}

/** The fields of the rows of a kind that are lists of items with fields of their own. */
export function listsOf(kind: Kind): string[] {
  return Object.entries(operationOf(kind).fields).flatMap(([name, type]) =>
    typeof type === 'object' && !Array.isArray(type) ? [name] : [],
  );
}

export const FIELD_OWNERS: readonly FieldOwner[] = KINDS.flatMap((kind): FieldOwner[] => [
  kind,
  ...listsOf(kind).map((list) => `${kind}.${list}` as const),
]);
