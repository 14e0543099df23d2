import type { Kind } from '../../../loader/src/kinds/kinds.js';

/** Where a record comes from. */
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
   * Position of the record in the stream of its kind, `[start, end)`. Consecutive records adjoin: blank lines, headers and
   * byte order marks belong to the record that follows them.
   */
  readonly start: number;
  readonly end: number;
  /** For a joined row: the place of the item that an error is about. @param attr path within the row */
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

/** Why a record cannot be sent, in the form of an error of the service. */
export interface RowError {
  readonly code: string;
  /** The field, or the empty text. */
  readonly attr: string;
  readonly detail: string;
  /** The unreadable values, as JSON strings. They are shown only beside the failed rows. */
  readonly seen?: string;
}

/** A record that cannot be sent: it is not JSON, has no account, or has a cell that cannot be read. */
export interface UnreadableRow extends RecordPlace {
  /** The account, if it could be read. */
  readonly account: string | undefined;
  readonly error: RowError;
}

export type ReadRow = Row | UnreadableRow;

/** The state of one file of a kind when it was hashed. */
export interface FileSummary {
  readonly name: string;
  /** Hash of the file as on disk, packed or not; hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Time of the last change in milliseconds. Reading rejects a file whose time or size has changed. */
  readonly modified: number;
  /** Unpacked size, in UTF-8. */
  readonly unpackedBytes: number;
  readonly rows: number;
  /** Which of several mappings it is read with; absent when there is only one. */
  readonly mapping?: string;
  /** Lines that the mapping leaves out, before the header or by their text. */
  readonly leftOut?: number;
  /** Whether its rows or items were joined with other files. */
  readonly isJoined?: true;
}

/**
 * The findings of one pass over the files of a kind. They can be stored as JSON.
 *
 * The *stream* of a kind is its unpacked files one after the other or, when the rows of an account are not together or are joined
 * from several files, a sorted copy of their records in the work folder. Positions are byte offsets in the stream. The copy is the
 * same whenever it is made from the same files and mapping, so positions of an earlier run stay valid.
 */
export interface Preparation {
  readonly kind: Kind;
  readonly files: readonly FileSummary[];
  /** Number of all records, including unreadable ones. For joined files, the number of rows. */
  readonly rows: number;
  /** Whether the rows of each account are together across all files in order. */
  readonly isGrouped: boolean;
}
