import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renameDurably } from '../common/durable-files.js';
import { CHECKSUMS } from './backup.types.js';
import { checksumLine } from './checksums.js';
import { syncTree } from './sync-tree.js';

/** A backup that is being written: under another name until it is complete, with mode 0700 and files of 0600. */
export class BackupWriter {
  /** Bytes of the files so far. */
  bytes = 0;
  files = 0;

  private constructor(
    private readonly folder: string,
    private readonly draft: string,
    private readonly checksums: FileHandle,
  ) {}

  /** @param folder path of the complete backup */
  static async for(folder: string): Promise<BackupWriter> {
    const draft = `${folder}.partial-${randomUUID()}`;
    await mkdir(draft, { recursive: true, mode: 0o700 });
    return new BackupWriter(folder, draft, await open(join(draft, CHECKSUMS), 'wx', 0o600));
  }

  /**
   * Write a file, and its checksum.
   *
   * @param name relative to the folder, with `/`; its folders are created
   * @param onBytes called with the size of each piece that was written
   */
  async add(
    name: string,
    content: Readable | Iterable<string>,
    onBytes?: (bytes: number) => void,
  ): Promise<void> {
    const path = join(this.draft, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    const count = (piece: Buffer): Buffer => {
      hash.update(piece);
      this.bytes += piece.length;
      onBytes?.(piece.length);
      return piece;
    };
    await pipeline(
      content,
      async function* (pieces: AsyncIterable<Buffer | string> | Iterable<Buffer | string>) {
        for await (const piece of pieces) yield count(typeof piece === 'string' ? Buffer.from(piece) : piece);
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
    this.files += 1;
    await this.checksums.write(checksumLine({ name, sha256: hash.digest('hex') }));
  }

  /** Give the backup its name, when all of it is on the disk. */
  async publish(): Promise<void> {
    await this.checksums.close();
    await syncTree(this.draft);
    // An empty folder of that name is replaced; of any other the rename fails.
    await rmdir(this.folder).catch(() => undefined);
    await renameDurably(this.draft, this.folder);
  }

  /** Remove what was written. */
  async discard(): Promise<void> {
    await this.checksums.close();
    await rm(this.draft, { recursive: true, force: true });
  }
}
