/** Bits of a filter, 16 MiB: of ten million numbers, one in a thousand is wrongly taken as seen before. */
const BITS = 2 ** 27;
/** Bits that each number sets. */
const HASHES = 4;

/** A set of texts of constant size (a Bloom filter): it has every text that was added, and perhaps a few others. */
export class NumberFilter {
  /** Absent while nothing is added. */
  private words: Int32Array | undefined;

  get isEmpty(): boolean {
    return this.words === undefined;
  }

  /** @returns whether the filter had the text */
  add(text: string): boolean {
    this.words ??= new Int32Array(BITS / 32);
    return visit(this.words, text, true);
  }

  has(text: string): boolean {
    return this.words !== undefined && visit(this.words, text, false);
  }
}

const { imul } = Math;

/** @returns whether all bits of the text were set @param isAdded whether to set them */
function visit(words: Int32Array, text: string, isAdded: boolean): boolean {
  // Two hashes give the others.
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = imul(one ^ unit, 0x01000193);
    other = imul(other ^ unit, 0x5bd1e995);
    other ^= other >>> 15;
  }
  one = imul(one ^ (one >>> 16), 0x85ebca6b);
  one ^= one >>> 13;
  let hadAll = true;
  for (let hash = 0; hash < HASHES; hash += 1) {
    const bit = (one + imul(hash, other | 1)) & (BITS - 1);
    const word = words[bit >>> 5] ?? 0;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) continue;
    if (!isAdded) return false;
    hadAll = false;
    words[bit >>> 5] = word | mask;
  }
  return hadAll;
}
