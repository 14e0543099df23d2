/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (contract F1). */
  readonly location: string;
}

/** Something on an account, a note or a statement, of whose documents at least one was never seen in the store. */
export interface UnseenDocuments {
  /** Where it stands among its kind; texts whose meaning only its own room knows. */
  readonly key: readonly string[];
  readonly externalAccountNumber: string;
  readonly documents: readonly ReferredDocument[];
}

/** What a room offers whose things refer to documents, so that `documents check` can go through them. */
export interface DocumentReferrer {
  /** How many documents are to be looked up. */
  readonly countDocumentsNotSeen: (importSupplierId: number) => Promise<number>;
  /**
   * The next of a supplier's things whose documents were not seen, in the order of their keys.
   *
   * @param after the key behind which to go on; nothing for the start
   */
  readonly documentsNotSeen: (
    importSupplierId: number,
    after: readonly string[] | undefined,
    countMax: number,
  ) => Promise<UnseenDocuments[]>;
  /** Remember that all documents of these things are there. */
  readonly markDocumentsSeen: (
    importSupplierId: number,
    keys: readonly (readonly string[])[],
  ) => Promise<void>;
}
