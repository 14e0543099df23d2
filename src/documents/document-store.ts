import type { Readable } from 'node:stream';

/**
 * The store did not answer whether a document exists: it is unreachable, slow, denies access, or is not set up. This never
 * means a missing document. The message is a sentence for an operator, without credentials.
 */
export class StorageError extends Error {}

/** Which document. */
export interface DocumentName {
  /** The supplier's document root. */
  readonly root: string;
  /** Below it. No segment of either is empty, `.` or `..`. */
  readonly path: string;
}

/** The name of a document in a store: its root and path, joined with `/`. */
export function documentKey({ root, path }: DocumentName): string {
  return `${root}/${path}`;
}

/** A document that is being read. */
export interface StoredDocument {
  /** In bytes. */
  readonly size: number;
  /** Fetched from the store as fast as they are read. */
  readonly bytes: Readable;
}

/**
 * The production file storage of the suppliers' documents (specification 2.9). The service checks whether a document exists,
 * and passes its bytes on to whoever may see it.
 */
export abstract class DocumentStore {
  /**
   * Prepare the client when the service starts; otherwise the first look-up does. A folder needs no preparation; whether it
   * exists is checked earlier (open-document-store.ts).
   *
   * @throws StartError when the settings are incomplete
   */
  open(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Whether a document exists below its root.
   *
   * @param stop ends the look-up when it fires
   * @throws StorageError whenever the answer is not certain
   */
  abstract exists(document: DocumentName, stop: AbortSignal): Promise<boolean>;

  /**
   * Begin to read a document.
   *
   * @param stop ends the look-up when it fires, and afterwards the reading
   * @returns undefined when there is no such document; otherwise its bytes are to be read or destroyed
   * @throws StorageError whenever the answer is not certain
   */
  abstract read(document: DocumentName, stop: AbortSignal): Promise<StoredDocument | undefined>;
}
