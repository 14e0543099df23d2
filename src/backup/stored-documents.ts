import type { Dirent } from 'node:fs';
import { open, opendir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { to } from 'pg-copy-streams';
import { connectUntil } from './interruptible-connection.js';

/**
 * The location of every document that notes and statements name, each once and in order, as lines of COPY's text format.
 *
 * @param url of a database with the tables of these
 */
export async function* documentLocations(url: string, stop: AbortSignal): AsyncGenerator<Buffer> {
  const { client, close } = await connectUntil(stop, url);
  try {
    const lines: Readable = client.query(to(LOCATIONS));
    for await (const piece of lines) yield piece as Buffer;
  } finally {
    await close();
  }
}

const LOCATIONS = `
  COPY (
    SELECT unnest(document_locations) AS location FROM note WHERE cardinality(document_locations) > 0
     UNION
    SELECT document_location FROM statement WHERE document_location IS NOT NULL
     ORDER BY location
  ) TO STDOUT`;

/** A document in a folder of this machine. */
export interface DocumentFile {
  /** Relative to the folder of the documents, with `/`. */
  readonly key: string;
  readonly file: FileHandle;
}

/**
 * Open every document of a folder, one after another. What the store does not count as a document (`FolderDocumentStore`) is
 * left out: links out of the folder, and files of other sorts.
 *
 * @param onSkipped called with each symbolic link that is left out
 */
export async function* documentsIn(
  folder: string,
  onSkipped: (key: string) => void,
  under = '',
): AsyncGenerator<DocumentFile> {
  const root = await realpath(folder);
  for await (const entry of await opendir(join(root, under))) {
    const key = posix.join(under, entry.name);
    if (entry.isDirectory()) yield* documentsIn(root, onSkipped, key);
    else if (await isDocument(root, key, entry)) {
      const file = await openIfThere(join(root, key));
      if (file) yield { key, file };
    } else if (entry.isSymbolicLink()) onSkipped(key);
  }
}

async function isDocument(root: string, key: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const target = await realpath(join(root, key)).catch(() => undefined);
  return target !== undefined && target.startsWith(root + sep) && (await stat(target)).isFile();
}

/** A document may be removed while the others are copied. */
async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  });
}
