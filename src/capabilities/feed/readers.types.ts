/** Somebody who reads the feed of a supplier under a name (choice E6). */
export interface FeedReader {
  readonly name: string;
  /** The key whose name it is. */
  readonly platformKeyId: string;
  /** Everything up to this number is done. */
  readonly sequence: number;
  /** When it has asked last. */
  readonly askedAt: Date;
  /** How many changes are numbered after that. */
  readonly lagChanges: number;
  /** Age of the first of them, in seconds. */
  readonly lagSeconds: number;
}

/** The feed of a supplier, and who reads it. */
export interface FeedState {
  /** The number of the newest change; 0 before the first. */
  readonly lastSequence: number;
  /** The number of the present epoch (choice E7). */
  readonly epoch: number;
  readonly epochBeganAt: Date;
  readonly epochReason: string;
  readonly readers: readonly FeedReader[];
}
