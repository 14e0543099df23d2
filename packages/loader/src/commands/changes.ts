import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ChangedInput, hashFile, type UnreadableInput, type WrongUsage } from '@data-import/files';
import { findFiles } from '../rows/folder.js';
import type { Kind } from '../kinds/kinds.js';
import { countText } from '../report/progress.js';
import type { ReadSession } from './session.js';
import type { FileSummary } from '../rows/preparation.js';

/** A change to a folder while it was being loaded. */
export interface Change {
  /** A sentence such as `notes.csv has grown by 120 bytes`. */
  readonly text: string;
  /** The file's kind, if its rows are among those that are loaded. */
  readonly kind?: Kind;
}

/**
 * Find the changes of a folder since it was read. The content of a file is compared only if its size or time has
 * changed.
 *
 * Source: choice L8.
 */
export async function changesSince({ options, preparations, copies }: ReadSession): Promise<Change[]> {
  const { folder, folderOptions, kinds } = options;
  const changes: Change[] = [];
  for (const [kind, { files }] of preparations) {
    const states = new Map<string, FileState>();
    for (const file of files) {
      const path = join(folder, file.name);
      const state = copies.get(path)?.source ?? { ...file, path };
      states.set(state.path, state);
    }
    for (const state of states.values()) {
      const text = await changeOf(state);
      if (text !== undefined) changes.push({ text: `${basename(state.path)} ${text}`, kind });
    }
  }
  // When there is no file left to load, all of them have been named already.
  const now = await findFiles(folder, folderOptions).catch(() => undefined);
  for (const kind of kinds) {
    const known = new Set(preparations.get(kind)?.files.map(({ name }) => name));
    for (const name of now?.files.get(kind) ?? [])
      if (!known.has(name)) changes.push({ text: `${name} was added`, kind });
  }
  for (const { path, reason } of now?.others ?? []) changes.push({ text: `${path} was added: ${reason}` });
  return changes;
}

/**
 * Find the changes after a file could not be read, like {@link changesSince}. The check at the end reads the files too.
 *
 * @throws the error, unless a file has changed
 */
export async function changesBehind(
  error: UnreadableInput | WrongUsage,
  session: ReadSession,
): Promise<Change[]> {
  const changes = await changesSince(session);
  if (changes.length > 0) return changes;
  if (error instanceof ChangedInput) return [{ text: error.message }];
  throw error;
}

/** The state of a file when it was read or copied. */
type FileState = Pick<FileSummary, 'bytes' | 'modified' | 'sha256'> & { readonly path: string };

async function changeOf({ path, bytes, modified, sha256 }: FileState): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'cannot be read any more';
  const grown = found.size - bytes;
  if (grown === 0 && found.mtimeMs === modified) return undefined;
  if (grown > 0) return `has grown by ${countText(grown)} bytes`;
  if (grown < 0) return `has become shorter by ${countText(-grown)} bytes`;
  return (await hashFile(path)) === sha256 ? undefined : 'has other content';
}
