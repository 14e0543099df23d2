import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableInput } from '../common/errors.js';
import { codeOf, whyOf } from '../common/system-error.js';
import { isPacked } from './file-names.js';

/** The unpacked bytes of a file, from its beginning to its end. */
export interface ByteSource {
  /**
   * Read into `target` from `offset` on.
   *
   * @returns the number of bytes read; 0 at the end
   * @throws UnreadableInput if the file cannot be read or unpacked
   */
  read(target: Buffer, offset: number): Promise<number>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 262_144;

/** @param hash updated with the bytes of an uncompressed file as they are read */
export async function openSource(path: string, hash?: Hash): Promise<ByteSource> {
  if (!isPacked(path)) return new PlainSource(await openFile(path), path, hash);
  return sourceOf(createReadStream(path, { highWaterMark: CHUNK_BYTES }), path);
}

/** @param chunks the bytes of the file; its name tells whether they are packed */
export function sourceOf(chunks: AsyncIterable<Buffer>, name: string): ByteSource {
  return new ChunkSource(isPacked(name) ? unpack(chunks, name) : chunks);
}

/** The SHA-256 of a file as it is on disk, hexadecimal. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
      hash.update(chunk as Buffer);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(path, error);
  }
  return hash.digest('hex');
}

export function unreadable(path: string, error: unknown): UnreadableInput {
  return new UnreadableInput(`${basename(path)} cannot be read: ${whyOf(error)}.`, { cause: error });
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** An uncompressed file. */
class PlainSource implements ByteSource {
  constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly hash?: Hash,
  ) {}

  async read(target: Buffer, offset: number): Promise<number> {
    try {
      // Read on from the current position, so that a pipe works too.
      const { bytesRead } = await this.file.read(target, offset, target.length - offset, null);
      if (bytesRead > 0) this.hash?.update(target.subarray(offset, offset + bytesRead));
      return bytesRead;
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** Messages by zlib error code. */
const NOT_UNPACKED: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'its end is missing',
  Z_DATA_ERROR: 'its content is damaged, or it is no gzip file',
};

/** Bytes that arrive in chunks. */
class ChunkSource implements ByteSource {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  async read(target: Buffer, offset: number): Promise<number> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) return 0;
      this.rest = next.value;
    }
    const count = this.rest.copy(target, offset);
    this.rest = this.rest.subarray(count);
    return count;
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}

/** The chunks of a gzip file with one or several members. */
async function* unpack(packed: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // An error of either stream is thrown where the chunks are read.
  pipeline(packed, unpacked, () => undefined);
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    const why = NOT_UNPACKED[codeOf(error) ?? ''] ?? whyOf(error);
    throw new UnreadableInput(`${basename(path)} cannot be unpacked: ${why}. Copy it again.`, {
      cause: error,
    });
  } finally {
    unpacked.destroy();
  }
}
