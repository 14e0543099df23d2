import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';

const SIZE_MAX_BYTES = 10 * 2 ** 20;

/** The log file of an embedded PostgreSQL. The server opens it once and only appends to it. */
export class ServerLog {
  private capping: Promise<void> | undefined;

  constructor(readonly path: string) {}

  /** Create it when there is none. */
  async create(): Promise<void> {
    await writeFile(this.path, '', { flag: 'a', mode: 0o600 });
  }

  /** @returns bytes; 0 when there is no file */
  async size(): Promise<number> {
    return stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** What was appended after the file had so many bytes. */
  async since(size: number): Promise<string> {
    return (await readFile(this.path)).subarray(size).toString();
  }

  /**
   * Empty the file when it has more than 10 MiB, and keep what it had as `postgres.log.1`.
   *
   * It cannot be renamed, because the server would go on writing to it under its new name. Lines that are written during
   * the copy are lost. So are all of them when the disk has no space for the copy: the limit is then needed most.
   *
   * A call while another one works waits for that one: a second copy would replace the first with the emptied file.
   */
  cap(): Promise<void> {
    this.capping ??= this.shorten().finally(() => {
      this.capping = undefined;
    });
    return this.capping;
  }

  private async shorten(): Promise<void> {
    if ((await this.size()) <= SIZE_MAX_BYTES) return;
    const kept = `${this.path}.1`;
    try {
      await copyFile(this.path, kept);
    } catch {
      await rm(kept, { force: true });
    } finally {
      await truncate(this.path);
    }
  }
}
