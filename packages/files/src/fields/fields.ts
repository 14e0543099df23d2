/**
 * The type that decides how a cell or a mapped value becomes JSON. `paths` is a list of objects that contain only a
 * document path.
 */
export type FieldType = 'text' | 'date' | 'date-time' | 'number' | 'boolean' | 'list' | 'paths';

/** The only member of the objects in a list of the type `paths`. */
export const DOCUMENT_PATH = 'document_path';

/** The fields of rows, or of the items of a list in the rows. Each caller describes the fields of its own rows. */
export interface Fields<Name extends string = string> {
  /** The `kind` in a mapping file, such as `transactions`. For items it includes the list: `transactions.line_items`. */
  readonly name: Name;
  /** The type of each field, in the order in which messages name the fields. For rows, the account is the first field. */
  readonly types: ReadonlyMap<string, FieldType>;
  readonly required: readonly string[];
  /** The known values of each field that has only a few. The service may accept more. */
  readonly choices?: ReadonlyMap<string, readonly string[]>;
  /** The lists of rows whose items have fields of their own. */
  readonly lists: ReadonlyMap<string, Fields>;
  /** The field that collects columns and members which are neither fields nor mapped nor ignored. Without it they are refused. */
  readonly rest?: Rest;
  /** The facts about the rows of the kind. Items of a list have those of their rows. */
  readonly row: RowFacts;
}

/** A field whose value is an object with a member for each column that has no other use. */
export interface Rest {
  readonly field: string;
  /** @returns why a column cannot be one of its members, as a sentence */
  readonly problemOf: (name: string) => string | undefined;
}

/** The fields and the key by which the rows of a kind are recognised. */
export interface RowFacts {
  /** The field with the account of a row. Every row has one. */
  readonly account: string;
  readonly accountLengthMax: number;
  /** A field that no row may have, and the error for a row that has it. */
  readonly refused?: { readonly field: string; readonly error: RowError };
  /** The fields that identify a row within its account. */
  readonly key: readonly string[];
  /**
   * @param values the values of the key's fields, in order; undefined for a field that the row lacks
   * @returns undefined if the row has no key
   */
  readonly keyOf: (values: readonly unknown[]) => string | undefined;
}

/** Whether these are the fields of rows, not of the items of a list. */
export function isOfRows({ types, row }: Fields): boolean {
  return types.has(row.account);
}

/** The reason why a record is not a row, in the form of an error of the service. */
export interface RowError {
  readonly code: string;
  /** The name of the field; empty if the error is not about one field. */
  readonly attr: string;
  readonly detail: string;
  /** The unreadable values, as JSON strings. They are shown only together with the failed rows. */
  readonly seen?: string;
}
