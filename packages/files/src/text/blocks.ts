import type { ByteSource } from './byte-source.js';

/** Sizes that limit memory use. */
export interface Sizes {
  /** Bytes read at a time. */
  readonly block: number;
  /** Bytes sorted at a time. */
  readonly run: number;
  /** The number of sorted runs that are merged at a time. Each needs a buffer. */
  readonly merged: number;
}

export const SIZES: Sizes = { block: 262_144, run: 33_554_432, merged: 128 };

const LINE_FEED = 0x0a;

/** Reads a file in blocks. The caller decides where each block begins. */
export class BlockReader {
  bytes: Buffer = Buffer.alloc(0);
  /** Length of the block. Bytes after it in `bytes` are undefined. */
  length = 0;
  /** Whether the block reaches to the end of the file. */
  isLast = false;

  /**
   * @param isReused whether the memory of a block is reused for the next one; otherwise views of it stay valid
   * @param offset the offset of the block in the unpacked file
   */
  constructor(
    private readonly source: ByteSource,
    private readonly isReused: boolean,
    public offset = 0,
    private readonly blockBytes = SIZES.block,
  ) {}

  /** Advance to a longer block, which begins at index `from` of this one. */
  async advance(from: number): Promise<void> {
    const kept = this.length - from;
    const size = Math.max(this.blockBytes, kept * 2);
    const target = this.isReused && this.bytes.length >= size ? this.bytes : Buffer.allocUnsafeSlow(size);
    this.bytes.copy(target, 0, from, this.length);
    this.bytes = target;
    this.offset += from;
    this.length = kept;
    while (this.length < target.length) {
      const count = await this.source.read(target, this.length);
      if (count === 0) {
        this.isLast = true;
        return;
      }
      this.length += count;
    }
  }
}

/** The number of line feeds in `[from, to)`. */
export function countLineFeeds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  let at = bytes.indexOf(LINE_FEED, from);
  while (at !== -1 && at < to) {
    count += 1;
    at = bytes.indexOf(LINE_FEED, at + 1);
  }
  return count;
}

const QUOTE = 0x22;

/**
 * Counts the rows of a sheet in its CSV copy: line feeds outside quotes. The pieces passed to it are consecutive, and the first one
 * begins a row.
 */
export class SheetLines {
  private isQuoted = false;

  /** Line ends in `[from, to)`. */
  count(bytes: Buffer, from: number, to: number): number {
    let count = 0;
    for (let at = this.find(bytes, from, to); at !== -1; at = this.find(bytes, at + 1, to)) count += 1;
    return count;
  }

  /** @returns the index of the next line end in `[from, to)`; -1 when there is none */
  find(bytes: Buffer, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      else if (byte === LINE_FEED && !this.isQuoted) return at;
    }
    return -1;
  }
}
