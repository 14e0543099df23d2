import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DocumentStore, StorageError } from './document-store.js';

/** System codes that say for certain that no file can be reached under a name. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * Documents in a folder of this machine. A document is a regular file; a folder of its name is none.
 *
 * The folder is never made here: when it is gone, a volume that is not mounted for example, an empty one in its place
 * would make every document a missing one.
 *
 * A symbolic link that leads out of the folder leads to nothing: whoever may put documents here must not learn by asking
 * which other files the machine has. The folder itself may be reached through links.
 *
 * Source: contract F4.
 */
export class FolderDocumentStore extends DocumentStore {
  constructor(private readonly folder: string) {
    super();
  }

  async exists(key: string): Promise<boolean> {
    if (await this.hasFile(key)) return true;
    await this.expectFolder();
    return false;
  }

  /**
   * The folder has to be there; without it nothing can be said of any document.
   *
   * @throws StorageError
   */
  async expectFolder(): Promise<void> {
    const found = await stat(this.folder).catch((cause: unknown) => {
      throw this.failure(cause);
    });
    if (!found.isDirectory()) throw this.failure(new Error('it is not a folder'));
  }

  private async hasFile(key: string): Promise<boolean> {
    try {
      const folder = await realpath(this.folder);
      const file = await realpath(join(folder, key));
      return file.startsWith(insideOf(folder)) && (await stat(file)).isFile();
    } catch (cause) {
      if (NOT_THERE.has((cause as { code?: string }).code ?? '')) return false;
      throw this.failure(cause);
    }
  }

  private failure(cause: unknown): StorageError {
    return new StorageError(
      `The documents' folder ${this.folder} (DOCUMENT_STORE) cannot be read: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

/** How the name of everything inside of a folder begins; that of the root has its separator already. */
function insideOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
