import type { RuleCounts } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';

/** The state of one file of a kind when it was hashed. */
export interface FileSummary {
  readonly name: string;
  /** Hash of the file as on disk, packed or not; hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Time of the last change in milliseconds. Reading rejects a file whose time or size has changed. */
  readonly modified: number;
  /** The unpacked size, in bytes of UTF-8. */
  readonly unpackedBytes: number;
  readonly rows: number;
  /** The name of the mapping with which it is read; absent if there is only one. */
  readonly mapping?: string;
  /** The number of lines that the mapping leaves out, before the header or by their text. */
  readonly leftOut?: number;
  /** The number of lines that each rule leaves out. Rules that no line uses have 0. Absent if there are no rules. */
  readonly rules?: RuleCounts;
  /** The number of records that are read for other kinds. */
  readonly others?: number;
  /** Whether its rows or items were joined with other files. */
  readonly isJoined?: true;
  /** Whether its rows are lines of fixed width. */
  readonly isFixed?: true;
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
  /** The number of records, including unreadable ones. For joined files, the number of rows. */
  readonly rows: number;
  /** Whether the rows of each account are together across all files in order. */
  readonly isGrouped: boolean;
}
