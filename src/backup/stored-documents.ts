import { isUtf8 } from 'node:buffer';
import type { Dir } from 'node:fs';
import { opendir, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { to } from 'pg-copy-streams';
import { StorageError } from '../documents/document-store.js';
import { FolderDocumentStore } from '../documents/folder-document-store.js';
import { connectUntil } from './interruptible-connection.js';
import { systemReason } from '../config/system-reason.js';

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

const SLASH = Buffer.from('/');

const LOCATIONS = `
  COPY (
    SELECT unnest(document_locations) AS location FROM note WHERE cardinality(document_locations) > 0
     UNION
    SELECT document_location FROM statement WHERE document_location IS NOT NULL
     ORDER BY location
  ) TO STDOUT`;

/**
 * The document roots of all suppliers.
 *
 * @param url of a database with the table of these
 */
export async function documentRoots(url: string, stop: AbortSignal): Promise<readonly string[]> {
  const { client, close } = await connectUntil(stop, url);
  try {
    const { rows } = await client.query<{ root: string }>(
      'SELECT DISTINCT document_root AS root FROM import_supplier',
    );
    return rows.map(({ root }) => root);
  } finally {
    await close();
  }
}

/** Something in the folder of the documents. */
export type FolderEntry =
  /** @property key relative to the folder, with `/` */
  | { readonly kind: 'document'; readonly key: string; readonly file: FileHandle }
  /** A symbolic link that leads to no document: out of its document root, to a folder, or nowhere. */
  | { readonly kind: 'link'; readonly name: string }
  /** @property reason why it cannot be copied, as the end of a sentence */
  | { readonly kind: 'failure'; readonly name: string; readonly reason: string };

/**
 * Open every document of a folder, one after another, as the store does, so that no link leads out of a document root, whenever it
 * took the place of a document. Files of other sorts are left out, and so is what was removed meanwhile.
 *
 * @param roots of the suppliers. What is below none of them belongs to the uppermost folder that it is in
 */
export async function* documentsIn(folder: string, roots: readonly string[]): AsyncGenerator<FolderEntry> {
  const store = new FolderDocumentStore(folder);
  const innermostFirst = roots.toSorted((one, other) => other.length - one.length);
  for await (const found of filesBelow(Buffer.from(folder), [])) {
    const { name, isLink, failure } = found;
    if (failure !== undefined || !isUtf8(name)) {
      yield { kind: 'failure', name: shown(name), reason: failure ?? 'its name is not UTF-8' };
      continue;
    }
    const key = name.toString();
    const root = innermostFirst.find((one) => key.startsWith(`${one}/`)) ?? uppermost(key);
    try {
      const file = await store.openFile({ root, path: key.slice(root === '' ? 0 : root.length + 1) });
      if (file) yield { kind: 'document', key, file };
      else if (isLink) yield { kind: 'link', name: shown(name) };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      yield { kind: 'failure', name: shown(name), reason: (error.cause as Error).message };
    }
  }
}

interface FoundFile {
  /** Relative to the folder, with `/`: bytes, which need not be UTF-8. */
  readonly name: Buffer;
  readonly isLink: boolean;
  /** Why nothing below this folder was found. */
  readonly failure?: string;
}

/** @param under names of folders, one in the other */
async function* filesBelow(folder: Buffer, under: readonly Buffer[]): AsyncGenerator<FoundFile> {
  let directory: Dir;
  try {
    // The types do not know of this encoding.
    directory = await opendir(joined([folder, ...under]), { encoding: 'buffer' as BufferEncoding });
  } catch (error) {
    if (under.length === 0) throw error;
    const isGone = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isGone) yield { name: joined(under), isLink: false, failure: systemReason(error) };
    return;
  }
  for await (const entry of directory) {
    const names = [...under, entry.name as unknown as Buffer];
    if (entry.isDirectory()) yield* filesBelow(folder, names);
    else if (entry.isFile()) yield { name: joined(names), isLink: false };
    else if (entry.isSymbolicLink()) yield { name: joined(names), isLink: true };
  }
}

function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((name, index) => (index > 0 ? [SLASH, name] : [name])));
}

/** @returns the first folder of a name, or nothing for what is in none */
function uppermost(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}

/** For people: what is not UTF-8, and what could steer a terminal, as `\x` and two digits. */
function shown(name: Buffer): string {
  if (!isUtf8(name)) return name.toString('latin1').replace(/[^ -[\]-~]/g, escaped);
  return name.toString().replace(/[\p{Cc}\\]/gu, escaped);
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
