import { randomUUID } from 'node:crypto';
import { closeSync, openSync, read, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const readAt = promisify(read);

const CHUNK_LENGTH = 65_536;

/**
 * An unnamed file in the temporary folder, of which nothing is left when the process ends, even if it is killed. Writing is
 * synchronous, so that the callers that append need not be async; no stream offers that.
 *
 * @throws the error of the file system
 */
export class TemporaryFile {
  private readonly descriptor = openNameless();
  private written = 0;

  /** Length in bytes. */
  get length(): number {
    return this.written;
  }

  append(bytes: Buffer): void {
    let done = 0;
    // One write may store only a part of the bytes.
    while (done < bytes.length) done += writeSync(this.descriptor, bytes, done);
    this.written += bytes.length;
  }

  /** @returns bytes that were written before */
  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await readAt(this.descriptor, bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error('The temporary file is shorter than what was written to it.');
      done += bytesRead;
    }
    return bytes;
  }

  /** All bytes that were written, in chunks. */
  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    for (let offset = 0; offset < this.written; offset += CHUNK_LENGTH) {
      yield await this.read(offset, Math.min(CHUNK_LENGTH, this.written - offset));
    }
  }

  /** Remove the file. It must not be used afterwards. */
  close(): void {
    closeSync(this.descriptor);
  }
}

function openNameless(): number {
  const path = join(tmpdir(), `data-import-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return descriptor;
}
