import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DocumentStore, StorageError, type DocumentName, type StoredDocument } from './document-store.js';
import { systemReason } from '../infrastructure/config/system-reason.js';

/** System error codes that prove that no file exists under a name. */
const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** A file and the folder that must contain it, both with links resolved. */
interface Found {
  readonly folder: string;
  readonly path: string;
}

/**
 * Documents in a folder of this machine. A document is a regular file; a folder of the same name is not a document.
 *
 * This class never creates the folder. If the folder is gone, for example because a volume is not mounted, an empty folder would
 * make every document look missing.
 *
 * A document that is reached through a symbolic link out of the document root counts as missing: people who may store documents
 * there must not be able to find out which other files the machine and other suppliers have. Two other links are allowed: the path
 * of the folder may contain links, and a document root may be a link to another place inside the folder.
 *
 * Source: choice F4.
 */
export class FolderDocumentStore extends DocumentStore {
  constructor(private readonly folder: string) {
    super();
  }

  async exists(document: DocumentName): Promise<boolean> {
    if ((await this.unlessMissing(() => this.find(document))) !== undefined) return true;
    await this.expectFolder();
    return false;
  }

  async read(document: DocumentName, stop: AbortSignal): Promise<StoredDocument | undefined> {
    const file = await this.openFile(document);
    if (!file) {
      await this.expectFolder();
      return undefined;
    }
    const { size } = await file.stat();
    // A file that grows meanwhile is read up to this size.
    return { size, bytes: file.createReadStream({ signal: stop, end: Math.max(0, size - 1) }) };
  }

  /**
   * Open the file of a document. The path may be replaced after it was resolved, so the file is opened without following links or
   * waiting for the writer of a pipe.
   *
   * @param document with an empty root if the document may be anywhere in the folder
   * @returns undefined if there is no such document
   * @throws StorageError if that is not certain
   */
  openFile(document: DocumentName): Promise<FileHandle | undefined> {
    return this.unlessMissing(async () => {
      const found = await this.find(document);
      if (!found) return undefined;
      const file = await open(found.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const isDocument = (await file.stat()).isFile() && (await isInside(file, found.folder));
      if (isDocument) return file;
      await file.close();
      return undefined;
    });
  }

  /**
   * Check that the folder exists. Without it, nothing is known about any document.
   *
   * @throws StorageError if it does not exist
   */
  async expectFolder(): Promise<void> {
    const found = await stat(this.folder).catch((cause: unknown) => {
      throw this.failure(cause);
    });
    if (!found.isDirectory()) throw this.failure(new Error('it is not a folder'));
  }

  /**
   * Find the file of a document. Each part of the document root must resolve to a folder inside the previous one, and the path to a
   * file inside the last one, so no link leads out.
   */
  private async find({ root, path }: DocumentName): Promise<Found | undefined> {
    const found = { folder: '', path: await realpath(this.folder) };
    for (const part of root === '' ? [path] : [...root.split('/'), path]) {
      found.folder = found.path;
      found.path = await realpath(join(found.folder, part));
      if (!found.path.startsWith(prefixOf(found.folder))) return undefined;
    }
    return (await stat(found.path)).isFile() ? found : undefined;
  }

  private async unlessMissing<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await find();
    } catch (cause) {
      if (cause instanceof StorageError) throw cause;
      if (NOT_FOUND.has((cause as { code?: string }).code ?? '')) return undefined;
      throw this.failure(cause);
    }
  }

  private failure(cause: unknown): StorageError {
    return new StorageError(
      `The documents' folder ${this.folder} (DOCUMENT_STORE) cannot be read: ${systemReason(cause)}.`,
      { cause },
    );
  }
}

/**
 * Whether an open file is inside a folder: O_NOFOLLOW only covers the last part of a path. Only Linux tells the path of an open
 * file. On other systems the resolved path is trusted.
 */
async function isInside({ fd }: FileHandle, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await readlink(`/proc/self/fd/${fd}`)).startsWith(prefixOf(folder));
}

/** The prefix of every path inside a folder. The root folder already ends with the separator. */
function prefixOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
