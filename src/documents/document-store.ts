/**
 * The store did not say whether there is a document: it cannot be reached, is slow, refuses us, or is not set up. Never
 * to be taken for a missing document. The message is a sentence for an operator, without credentials.
 */
export class StorageError extends Error {}

/**
 * The production file storage that the suppliers' documents are put into (specification 2.9). The service only ever asks
 * whether a document is there.
 */
export abstract class DocumentStore {
  /**
   * Get ready to be asked, as the service does when it starts. Otherwise the first question does. A folder has nothing
   * to get ready; whether it is there is seen to earlier (open-document-store.ts).
   *
   * @throws StartError when the settings do not do
   */
  open(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Whether there is a document.
   *
   * @param key document root and path, joined with `/`; no segment is empty, `.` or `..`
   * @param stop when it fires the answer is not wanted any more
   * @throws StorageError whenever the answer is not certain
   */
  abstract exists(key: string, stop: AbortSignal): Promise<boolean>;
}
