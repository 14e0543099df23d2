import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../config/env.js';
import { flushFolder } from './durable-files.js';

const SECRET = /^[0-9a-f]{64}$/;

/**
 * A secret in a file of mode 0600, created on first use: completely or not at all, and the same for all processes that
 * create it at the same time.
 *
 * @returns 64 hexadecimal characters
 * @throws StartError naming the file, when it cannot be created or read, or has other content
 */
export async function secretFile(path: string): Promise<string> {
  const secret = await readOrCreate(path).catch((cause: unknown) => {
    throw new StartError(`The file ${path} cannot be used: ${(cause as Error).message}.`, { cause });
  });
  if (SECRET.test(secret)) return secret;
  throw new StartError(
    `The file ${path} must hold 64 hexadecimal characters and does not: put it back from the backup, or remove it to have a new one made.`,
  );
}

async function readOrCreate(path: string): Promise<string> {
  if (!existsSync(path)) await create(path);
  return (await readFile(path, 'utf8')).trim();
}

/** Written under another name and linked when it is complete. A link, unlike a rename, never replaces a file. */
async function create(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    // Another process was faster.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // After a power failure nothing that was made with the secret may exist without it.
  await flushFolder(dirname(path));
}
