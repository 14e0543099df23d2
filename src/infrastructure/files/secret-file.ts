import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { writeFileDurably } from './durable-files.js';
import { StartError } from '../config/env.js';
import { systemReason } from '../config/system-reason.js';

const SECRET = /^[0-9a-f]{64}$/;

/**
 * A secret in a file with mode 0600, created on first use. The file is created completely or not at all, and all processes that
 * create it at the same time get the same secret.
 *
 * @returns 64 hexadecimal characters
 * @throws StartError that names the file, if it cannot be created or read, or has other content
 */
export async function secretFile(path: string): Promise<string> {
  const secret = await readOrCreate(path).catch((cause: unknown) => {
    throw new StartError(`The file ${path} cannot be used: ${systemReason(cause)}.`, { cause });
  });
  if (SECRET.test(secret)) return secret;
  throw new StartError(
    `The file ${path} must hold 64 hexadecimal characters and does not: put it back from the backup, or remove it to have a new one made.`,
  );
}

async function readOrCreate(path: string): Promise<string> {
  if (!existsSync(path)) {
    // Flushed, so that after a power failure nothing that was made with the secret exists without it.
    const secret = randomBytes(32).toString('hex');
    await writeFileDurably(path, secret, { mode: 0o600, keepsExisting: true });
  }
  return (await readFile(path, 'utf8')).trim();
}
