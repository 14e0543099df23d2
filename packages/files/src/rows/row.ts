import type { RowError } from '../fields/fields.js';

/** The file and line of a record. */
export interface Origin {
  /** Name of the file in the folder. */
  readonly file: string;
  /** First line of the record, counted from 1. */
  readonly line: number;
}

/** The members of every record, whether or not it can be sent. */
interface RecordPlace {
  readonly origin: Origin;
  /** The bytes of the record as in the file, without the line end. This is a view: code that keeps it must copy it. */
  readonly raw: Buffer;
  /**
   * The position of the record in the stream of its kind, `[start, end)`. Records adjoin each other: blank lines,
   * headers and byte order marks belong to the record that follows them.
   */
  readonly start: number;
  readonly end: number;
  /**
   * Returns the place of the item that an error of a joined row is about.
   *
   * @param attr the path of the error within the row
   */
  readonly placeOf?: (attr: string) => Origin | undefined;
}

/** A record that can be sent. */
export interface Row extends RecordPlace {
  /** `external_account_number`. */
  readonly account: string;
  /** JSON text of the item without `external_account_number`, numbers exactly as written. Built when it is read. */
  readonly item: string;
  /** The key of the item within its account, see keys.ts; undefined when the record has none. */
  readonly key: string | undefined;
  readonly error?: undefined;
}

/** A record that cannot be sent: it is not JSON, has no account, or has a cell that cannot be read. */
export interface UnreadableRow extends RecordPlace {
  /** The account, if it could be read. */
  readonly account: string | undefined;
  readonly error: RowError;
}

export type ReadRow = Row | UnreadableRow;
