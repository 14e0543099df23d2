import type { Readable } from 'node:stream';

/**
 * The store did not answer whether a document exists: it is unreachable, slow, denies access, or is not set up. This never means
 * that the document is missing. The message is a sentence for operators, without credentials.
 */
export class StorageError extends Error {}

/** The name of a document in two parts. */
export interface DocumentName {
  /** The supplier's document root. */
  readonly root: string;
  /** The path below the root. No segment of either is empty, `.` or `..`. */
  readonly path: string;
}

/** The full name of a document in a store: its root and path, joined with `/`. */
export function documentKey({ root, path }: DocumentName): string {
  return `${root}/${path}`;
}

/** A document that is being read. */
export interface StoredDocument {
  /** In bytes. */
  readonly size: number;
  /** Fetched from the store only as fast as they are read. */
  readonly bytes: Readable;
}

/**
 * The production file storage with the suppliers' documents (specification 2.9). The service checks whether a document exists,
 * and passes its bytes on to users who may see it.
 */
export abstract class DocumentStore {
  /**
   * Prepare the client. The service calls this when it starts; without it, the first look-up prepares the client. A folder needs no
   * preparation: open-document-store.ts has already checked that it exists.
   *
   * @throws StartError if the settings are incomplete
   */
  open(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Whether a document exists below its root.
   *
   * @param stop ends the look-up when it fires
   * @throws StorageError if the answer is not certain
   */
  abstract exists(document: DocumentName, stop: AbortSignal): Promise<boolean>;

  /**
   * Start to read a document.
   *
   * @param stop ends the look-up and then the reading when it fires
   * @returns undefined if there is no such document; otherwise the caller must read or destroy its bytes
   * @throws StorageError if the answer is not certain
   */
  abstract read(document: DocumentName, stop: AbortSignal): Promise<StoredDocument | undefined>;
}
