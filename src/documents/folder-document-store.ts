import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DocumentStore, StorageError } from './document-store.js';

/** System codes which mean for certain that no file exists under a name. */
const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * Documents in a folder of this machine. A document is a regular file; a folder of its name is not.
 *
 * The folder is never created here: if it is gone, because a volume is not mounted for example, an empty folder would make
 * every document a missing one.
 *
 * A symbolic link out of the folder counts as missing: people who may store documents here must not be able to find out
 * which other files the machine has. The folder itself may be reached through links.
 *
 * Source: choice F4.
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
   * Check that the folder exists; without it nothing is known of any document.
   *
   * @throws StorageError when it does not
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
      if (NOT_FOUND.has((cause as { code?: string }).code ?? '')) return false;
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

/** The prefix of every path inside a folder; that of the root ends with the separator already. */
function insideOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
