import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../config/env.js';

const SECRET = /^[0-9a-f]{64}$/;

/**
 * A secret kept in a file of mode 0600, made on first use: all of it or nothing, and the same for everybody who makes it
 * at the same moment.
 *
 * @returns 64 hexadecimal characters
 * @throws StartError naming the file, when it cannot be made or read, or holds something else
 */
export async function secretFile(path: string): Promise<string> {
  const secret = await readOrMake(path).catch((cause: unknown) => {
    throw new StartError(`The file ${path} cannot be used: ${(cause as Error).message}.`, { cause });
  });
  if (SECRET.test(secret)) return secret;
  throw new StartError(
    `The file ${path} must hold 64 hexadecimal characters and does not: put it back from the backup, or remove it to have a new one made.`,
  );
}

async function readOrMake(path: string): Promise<string> {
  if (!existsSync(path)) await make(path);
  return (await readFile(path, 'utf8')).trim();
}

/** Written beside its place and put there when it is whole. One that is there already is never replaced. */
async function make(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    // Somebody was faster.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dirname(path));
}

/** What is made with the secret must not outlive it when the power fails. Windows opens no folders. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
