import type { Hash } from 'node:crypto';
import { UnreadableInput } from '../common/errors.js';
import { BlockReader } from './blocks.js';
import { openSource, type ByteSource } from './byte-source.js';
import { DecodedSource, encodingOf, isEbcdic, type Encoding } from './encodings.js';

export interface TextOptions {
  /** The encoding that the mapping names. */
  readonly encoding?: Encoding | undefined;
  /** Updated with the bytes of a file that is not packed. */
  readonly hash?: Hash | undefined;
  /** Whether the memory of a block is reused, see {@link BlockReader}. */
  readonly isReused: boolean;
  readonly blockBytes?: number | undefined;
}

/** A file as UTF-8. */
export interface TextSource {
  readonly source: ByteSource;
  /** The blocks of the file; the first one has been read. */
  readonly blocks: BlockReader;
  /** The index at which the text begins, after a byte order mark. */
  readonly from: number;
}

/**
 * Open a file and detect its encoding.
 *
 * @param opened the path of the file, or the file itself
 * @param name the name in messages
 * @throws UnreadableInput
 */
export async function openText(
  from: string | ByteSource,
  name: string,
  options: TextOptions,
): Promise<TextSource> {
  const { encoding: named, hash, isReused, blockBytes } = options;
  let source = typeof from === 'string' ? await openSource(from, hash) : from;
  try {
    let blocks = new BlockReader(source, isReused, 0, blockBytes);
    await blocks.advance(0);
    const first = blocks.bytes.subarray(0, blocks.length);
    if (first[0] === 0x1f && first[1] === 0x8b)
      throw new UnreadableInput(`${name} is packed with gzip; add .gz to its name.`);
    if (isEbcdic(first))
      throw new UnreadableInput(
        `${name} is EBCDIC, as mainframes write text. Have it transferred as text, or convert it, for example with iconv -f IBM037 -t UTF-8; packed and binary numbers in it must be written as digits before.`,
      );
    const { encoding, mismatch } = encodingOf(first, named);
    if (mismatch !== undefined) throw new UnreadableInput(isNot(name, named, mismatch));
    if (encoding) {
      const isUtf8Already = (): Error => new UnreadableInput(isNot(name, named, 'UTF-8'));
      source = new DecodedSource(source, encoding, first, isUtf8Already);
      blocks = new BlockReader(source, isReused, 0, blockBytes);
      await blocks.advance(0);
    }
    const hasMark = blocks.bytes.subarray(0, blocks.length).indexOf('\uFEFF') === 0;
    return { source, blocks, from: hasMark ? 3 : 0 };
  } catch (error) {
    await source.close();
    throw error;
  }
}

function isNot(name: string, encoding: string | undefined, is: string): string {
  if (encoding === undefined)
    return `${name} is ${is}; name its "encoding" in the "form" of a mapping file, or save it as UTF-8.`;
  return `${name} is ${is}, and the mapping file says that it is ${encoding}.`;
}
