/** The documents of a supplier that were not seen in the store. */
export interface DocumentCounts {
  /** Looked up, and not in the store. */
  readonly missing: number;
  /** Named since the last look-up of the whole supplier began. */
  readonly notLookedUp: number;
  /** When the first of these was named. */
  readonly notLookedUpSince: Date | null;
  /** When the last look-up of the whole supplier began. */
  readonly lookedUpAt: Date | null;
  /** The id before those of the requests that named documents since then. */
  readonly lookedUpBefore: string;
}
