import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { StartError } from '../config/env.js';
import { DocumentStore, StorageError } from './document-store.js';

/** System codes that say for certain that no file can be reached under a name. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * Documents in a folder of this machine. A document is a regular file; a folder of its name is none.
 *
 * A symbolic link that leads out of the folder leads to nothing: whoever may put documents here must not learn by asking
 * which other files the machine has. The folder itself may be reached through links.
 *
 * Source: contract F4.
 */
export class FolderDocumentStore extends DocumentStore {
  private constructor(private readonly folder: string) {
    super();
  }

  /**
   * Open the folder; create it when it is not there yet.
   *
   * @throws StartError when it can be neither
   */
  static async open(folder: string): Promise<FolderDocumentStore> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new StartError(
        `The documents' folder ${folder} (DOCUMENT_STORE) cannot be used: ${(cause as Error).message}.`,
        { cause },
      );
    }
    return new FolderDocumentStore(folder);
  }

  async exists(key: string): Promise<boolean> {
    // Without the folder itself, a volume that is not mounted for example, nothing can be said of any document.
    const folder = await realpath(this.folder).catch((cause: unknown) => {
      throw this.failure(cause);
    });
    try {
      const file = await realpath(join(folder, key));
      return file.startsWith(folder + sep) && (await stat(file)).isFile();
    } catch (cause) {
      if (NOT_THERE.has((cause as { code?: string }).code ?? '')) return false;
      throw this.failure(cause);
    }
  }

  private failure(cause: unknown): StorageError {
    return new StorageError(
      `The documents' folder ${this.folder} cannot be read: ${(cause as Error).message}.`,
      { cause },
    );
  }
}
