import { copyFile, rm, stat, truncate } from 'node:fs/promises';

const SIZE_MAX_BYTES = 10 * 2 ** 20;

/**
 * Empty the log of an embedded PostgreSQL when it has more than 10 MiB, and keep what it had as `postgres.log.1`.
 *
 * It cannot be renamed, because the server, which opens it once and only appends to it, would go on writing to it under its new
 * name. Lines that are written during the copy are lost. So are all of them when the disk has no space for the copy: the limit
 * is then needed most.
 */
export async function capLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size <= SIZE_MAX_BYTES) return;
  const kept = `${path}.1`;
  try {
    await copyFile(path, kept);
  } catch {
    await rm(kept, { force: true });
  } finally {
    await truncate(path);
  }
}
