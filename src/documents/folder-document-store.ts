import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DocumentStore, StorageError, type StoredDocument } from './document-store.js';

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
    if ((await this.find(key)) !== undefined) return true;
    await this.expectFolder();
    return false;
  }

  async read(key: string, stop: AbortSignal): Promise<StoredDocument | undefined> {
    const file = await this.openFile(key);
    if (!file) {
      await this.expectFolder();
      return undefined;
    }
    const { size } = await file.stat();
    // A file that grows meanwhile is read up to this size.
    return { size, bytes: file.createReadStream({ signal: stop, end: Math.max(0, size - 1) }) };
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

  /** @returns the real path of a regular file inside of the folder */
  private find(key: string): Promise<string | undefined> {
    return this.unlessMissing(async () => {
      const folder = await realpath(this.folder);
      const file = await realpath(join(folder, key));
      return file.startsWith(insideOf(folder)) && (await stat(file)).isFile() ? file : undefined;
    });
  }

  /** The path may be replaced after it was found, so it is opened without following links or waiting for the writer of a pipe. */
  private openFile(key: string): Promise<FileHandle | undefined> {
    return this.unlessMissing(async () => {
      const path = await this.find(key);
      if (path === undefined) return undefined;
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if ((await file.stat()).isFile() && (await this.isInside(file))) return file;
      await file.close();
      return undefined;
    });
  }

  /**
   * Whether an open file is inside of the folder: O_NOFOLLOW is about the last part of the path only. Only Linux tells the path of
   * an open file; elsewhere what was found is believed.
   */
  private async isInside({ fd }: FileHandle): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    const [folder, path] = await Promise.all([realpath(this.folder), readlink(`/proc/self/fd/${fd}`)]);
    return path.startsWith(insideOf(folder));
  }

  private async unlessMissing<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await look();
    } catch (cause) {
      if (cause instanceof StorageError) throw cause;
      if (NOT_FOUND.has((cause as { code?: string }).code ?? '')) return undefined;
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
