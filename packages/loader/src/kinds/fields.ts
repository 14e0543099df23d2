import { ACCOUNTS, DOCUMENT_PATH, type Fields, type FieldType, type RowFacts } from '@data-import/files';
import { ACCOUNT_LENGTH_MAX, ENVELOPE, OPERATIONS } from './contract.generated.js';
import { keyOf } from './keys.js';
import { FACTS, KINDS, type Kind } from './kinds.js';

/** The type of a field in the description of the interface, see {@link OPERATIONS}. */
type DescribedType = string | readonly string[] | { readonly [name: string]: DescribedType };

export const ACCOUNT: (typeof ENVELOPE)[number] = 'external_account_number';

/** The supplier comes from the option `--supplier`. A row with another supplier would be loaded for that one. */
export const SUPPLIER: (typeof ENVELOPE)[number] = 'import_supplier';

/** The operation of the service that accepts the items of a kind. */
export function operationOf(kind: Kind): {
  /** Its query parameters. */
  readonly parameters: readonly string[];
  /** The member of the body that lists the items; without it the body is the item. */
  readonly list?: string;
  /** The fields that every item must have. */
  readonly required: readonly string[];
  /** The fields of an item, without the account. */
  readonly fields: Readonly<Record<string, DescribedType>>;
  /** For each list of items, the fields that an item must have. */
  readonly requiredInLists: Readonly<Record<string, readonly string[]>>;
  /** The known values of a field; the operator may have added others. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
} {
  return OPERATIONS[FACTS[kind].operation];
}

/** The kinds that a mapping can name. Accounts are not loaded: the operator of the service stages them. */
export type MappedKind = Kind | typeof ACCOUNTS.name;

/** Anything with fields: the rows of a kind, the items of a list in them, such as `transactions.line_items`, or accounts. */
export type FieldOwner = MappedKind | `${Kind}.${string}`;

/** The fields of the rows of each kind, in the form in which files are read. */
export const FIELDS = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, fieldsOf(kind)])),
  accounts: ACCOUNTS,
} as Readonly<Record<MappedKind, Fields<MappedKind>>>;

const OWNERS: ReadonlyMap<string, Fields> = new Map(
  Object.values(FIELDS).flatMap((fields: Fields) =>
    [fields, ...fields.lists.values()].map((owner) => [owner.name, owner] as const),
  ),
);

export const FIELD_OWNERS = [...OWNERS.keys()] as readonly FieldOwner[];

function fieldsOf(kind: Kind): Fields<Kind> {
  const { fields, required, requiredInLists, choices } = operationOf(kind);
  const row: RowFacts = {
    account: ACCOUNT,
    accountLengthMax: ACCOUNT_LENGTH_MAX,
    refused: {
      field: SUPPLIER,
      error: {
        code: 'unexpected_field',
        attr: SUPPLIER,
        detail: 'Rows do not name the import supplier; it is an option of the command.',
      },
    },
    key: FACTS[kind].key,
    keyOf: (values) => keyOf(kind, values),
  };
  const lists = new Map(
    Object.entries(fields).flatMap(([list, type]) => {
      if (typeof type !== 'object' || Array.isArray(type)) return [];
      const types = new Map(typesOf(type as Readonly<Record<string, DescribedType>>));
      const name = `${kind}.${list}`;
      return [[list, { name, types, required: requiredInLists[list] ?? [], lists: new Map(), row }] as const];
    }),
  );
  const types = new Map<string, FieldType>([[ACCOUNT, 'text'], ...typesOf(fields)]);
  return {
    name: kind,
    types,
    required: [ACCOUNT, ...required],
    choices: new Map(Object.entries(choices)),
    lists,
    row,
  };
}

function typesOf(fields: Readonly<Record<string, DescribedType>>): (readonly [string, FieldType])[] {
  return Object.entries(fields).map(([name, type]) => {
    if (typeof type !== 'object') return [name, type as FieldType];
    return [name, Object.keys(type).join() === DOCUMENT_PATH ? 'paths' : 'list'];
  });
}

/** @returns the type of a field, which may be the account of a row; undefined if there is no such field */
export function fieldType(owner: FieldOwner, field: string): FieldType | undefined {
  return OWNERS.get(owner)?.types.get(field);
}

/** The names of all fields. For rows, the account is the first. */
export function fieldNames(owner: FieldOwner): string[] {
  return [...(OWNERS.get(owner)?.types.keys() ?? [])];
}

/** The names of the required fields. For rows, the account is the first. */
export function requiredFields(owner: FieldOwner): readonly string[] {
  return OWNERS.get(owner)?.required ?? [];
}

/** The kind of the rows to which an owner belongs. */
export function kindOfOwner(owner: FieldOwner): Kind {
  return owner.split('.')[0] as Kind;
}

export function isKind(owner: FieldOwner): owner is Kind {
  return Object.hasOwn(FACTS, owner);
}

/** The fields of a kind that are lists whose items have fields of their own. */
export function listsOf(kind: Kind): string[] {
  return [...FIELDS[kind].lists.keys()];
}
