/** Counts of a supplier's documents that have not been seen in the store. */
export interface DocumentCounts {
  /** Documents that were looked up and are not in the store. */
  readonly missing: number;
  /** Documents named since the last look-up of the whole supplier began. */
  readonly notLookedUp: number;
  /** When the first document that was not looked up was named. */
  readonly notLookedUpSince: Date | null;
  /** When the last look-up of the whole supplier began. */
  readonly lookedUpAt: Date | null;
  /** An id that precedes the ids of all requests that have named documents since then. */
  readonly lookedUpBefore: string;
}
