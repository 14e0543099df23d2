import type { Kind } from '../kinds/kinds.js';

/** Where a record comes from. */
export interface Origin {
  /** Name of the file in the folder. */
  readonly file: string;
  /** First line of the record, counted from 1. */
  readonly line: number;
}

/** What every record has, whether it can be sent or not. */
interface RecordPlace {
  readonly origin: Origin;
  /** The bytes of the record as they stand in the file, without the line end: a view, to be copied by whoever keeps it. */
  readonly raw: Buffer;
  /**
   * Position of the record in the stream of its kind, `[start, end)`. Consecutive records adjoin: blank lines, headers and
   * byte order marks belong to the record that follows them.
   */
  readonly start: number;
  readonly end: number;
  /** Of a row that was joined: where the item stands that an error is about. @param attr path within the row */
  readonly placeOf?: (attr: string) => Origin | undefined;
}

/** A record that can be sent. */
export interface Row extends RecordPlace {
  /** `external_account_number`. */
  readonly account: string;
  /** JSON text of the item without `external_account_number`, numbers exactly as written. Built when it is read. */
  readonly item: string;
  /** What identifies the item within its account, see keys.ts; undefined when the record does not have it. */
  readonly key: string | undefined;
  readonly error?: undefined;
}

/** Why a record cannot be sent, in the form of an error of the service. */
export interface RowError {
  readonly code: string;
  /** The field, or the empty text. */
  readonly attr: string;
  readonly detail: string;
  /** What cannot be read, as JSON strings. It is shown nowhere but beside the failed rows. */
  readonly seen?: string;
}

/** A record that cannot be sent: it is not JSON, has no account, or has a cell that cannot be read. */
export interface UnreadableRow extends RecordPlace {
  /** Where it could be read. */
  readonly account: string | undefined;
  readonly error: RowError;
}

export type ReadRow = Row | UnreadableRow;

/** One file of a kind, as it was when it was hashed. */
export interface FileSummary {
  readonly name: string;
  /** Of the file as it is on disk, packed or not; hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Time of the last change in milliseconds; reading refuses a file in which it or the size is another one. */
  readonly modified: number;
  /** In UTF-8. */
  readonly unpackedBytes: number;
  readonly rows: number;
  /** Which mapping of several it is read with; absent where there is one. */
  readonly mapping?: string;
  /** Lines that the mapping leaves out, before the header or by their text. */
  readonly leftOut?: number;
  /** Whether its rows, or the items that it has, were joined with those of other files. */
  readonly isJoined?: true;
}

/**
 * What one pass over the files of a kind has found. It can be kept as JSON.
 *
 * The *stream* of a kind is its unpacked files one after the other, or, where the rows of an account are not together or are
 * joined from several files, a sorted copy of their records in the work folder. Positions are byte offsets in the stream. The copy is the same each time
 * it is made from the same files and mapping, so positions of an earlier run hold.
 */
export interface Preparation {
  readonly kind: Kind;
  readonly files: readonly FileSummary[];
  /** All records, those that cannot be read included; of files that are joined all rows. */
  readonly rows: number;
  /** Whether the rows of each account stand together over all files in their order. */
  readonly isGrouped: boolean;
}
