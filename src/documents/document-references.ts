/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (contract F1). */
  readonly location: string;
}

/** Where a note or a statement stands among its kind; texts whose meaning only its own room knows. */
type ReferrerKey = readonly string[];

/** Something on an account, a note or a statement, with those of its documents that were never seen in the store. */
export interface UnseenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  readonly documents: readonly ReferredDocument[];
}

/** One of them after a look into the store, which had at least one of the documents. */
export interface SeenDocuments {
  readonly key: ReferrerKey;
  /** Paths of those that are still to be seen. */
  readonly unseenPaths: readonly string[];
}

/** What a room offers whose things refer to documents, so that `documents check` can go through them. */
export interface DocumentReferrer {
  /** How many documents are to be looked up. */
  readonly countDocumentsNotSeen: (importSupplierId: number) => Promise<number>;
  /**
   * The next of a supplier's things with documents that were not seen, in the order of their keys.
   *
   * @param after the key behind which to go on; nothing for the start
   */
  readonly documentsNotSeen: (
    importSupplierId: number,
    after: ReferrerKey | undefined,
    countMax: number,
  ) => Promise<UnseenDocuments[]>;
  /** Remember which documents are there. */
  readonly markDocumentsSeen: (importSupplierId: number, seen: readonly SeenDocuments[]) => Promise<void>;
}
