/** A named reader of a supplier's feed (choice E6). */
export interface FeedReader {
  readonly name: string;
  /** The key that reads under this name. */
  readonly platformKeyId: string;
  /** Everything up to this number is done. */
  readonly sequence: number;
  /** The time of its last request. */
  readonly askedAt: Date;
  /** The number of changes after `sequence`. */
  readonly lagChanges: number;
  /** Age of the first of them, in seconds. */
  readonly lagSeconds: number;
}

/** The feed of a supplier, and its readers. */
export interface FeedState {
  /** The number of the newest change; 0 before the first. */
  readonly lastSequence: number;
  /** The number of the current epoch (choice E7). */
  readonly epoch: number;
  readonly epochBeganAt: Date;
  readonly epochReason: string;
  readonly readers: readonly FeedReader[];
}
