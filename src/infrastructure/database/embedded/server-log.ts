import { copyFile, rm, stat, truncate } from 'node:fs/promises';

const SIZE_MAX_BYTES = 10 * 2 ** 20;

/**
 * If the log of an embedded PostgreSQL is larger than 10 MiB, empty it and keep the old contents as `postgres.log.1`.
 *
 * The file cannot be renamed: the server opens it once and only appends to it, so it would continue to write under the new name.
 * Lines written during the copy are lost. All lines are lost if the disk has no space for the copy, because then the limit
 * matters most.
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
