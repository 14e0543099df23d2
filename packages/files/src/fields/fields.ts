/** How a cell or a mapped value becomes JSON. `paths`: a list of objects with a document path and nothing else. */
export type FieldType = 'text' | 'date' | 'date-time' | 'number' | 'boolean' | 'list' | 'paths';

/** The only member of the objects in a list of the type `paths`. */
export const DOCUMENT_PATH = 'document_path';

/** The fields of rows, or of the items of a list that rows have. Whoever reads files describes the fields of its own rows. */
export interface Fields<Name extends string = string> {
  /** The `kind` in a mapping file, such as `transactions`; of items also the list: `transactions.line_items`. */
  readonly name: Name;
  /** By name, in the order in which messages name them; of rows the account first. */
  readonly types: ReadonlyMap<string, FieldType>;
  readonly required: readonly string[];
  /** By field the values that it may have, where there are few; there may be more. */
  readonly choices?: ReadonlyMap<string, readonly string[]>;
  /** The lists of rows whose items have fields of their own. */
  readonly lists: ReadonlyMap<string, Fields>;
  /** Where columns and members go that are neither fields nor mapped nor ignored. Without it they are refused. */
  readonly rest?: Rest;
  /** The rows of the kind, for items of a list as well. */
  readonly row: RowFacts;
}

/** A field whose value is an object with a member for each column that has no other use. */
export interface Rest {
  readonly field: string;
  /** @returns why a column cannot be one of its members, as a sentence */
  readonly problemOf: (name: string) => string | undefined;
}

/** How the rows of a kind are recognised. */
export interface RowFacts {
  /** The field with the account that a row belongs to. Every row has one. */
  readonly account: string;
  readonly accountLengthMax: number;
  /** A field that no row may have, with the error of one that has it. */
  readonly refused?: { readonly field: string; readonly error: RowError };
  /** The fields that identify a row within its account. */
  readonly key: readonly string[];
  /**
   * @param values of the key's fields, in their order; undefined for a field that the row lacks
   * @returns undefined when the row has no key
   */
  readonly keyOf: (values: readonly unknown[]) => string | undefined;
}

/** Whether these are fields of rows, and not of items of a list. */
export function isOfRows({ types, row }: Fields): boolean {
  return types.has(row.account);
}

/** Why a record is no row, in the form of an error of the service. */
export interface RowError {
  readonly code: string;
  /** The field, or the empty text. */
  readonly attr: string;
  readonly detail: string;
  /** The unreadable values, as JSON strings. They are shown only beside the failed rows. */
  readonly seen?: string;
}
