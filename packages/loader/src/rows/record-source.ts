import type { ReadRow } from '@data-import/files';

/** The records of a kind in the order of its stream. */
export interface RecordSource {
  /** Skip to a position at which a record ends. */
  skipTo(position: number): Promise<void>;
  /**
   * @param limit the position at which no further record is read
   * @returns the next records, which may be none; undefined if there are no more
   */
  read(limit: number): Promise<ReadRow[] | undefined>;
  close(): Promise<void>;
}
