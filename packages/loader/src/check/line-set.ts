const BITS = 8;

/**
 * A set of lines of files. It takes one bit for each line up to the last one that was added: 125,000 bytes for a million
 * rows.
 */
export class LineSet {
  private readonly files = new Map<number, Uint8Array>();
  /** Records of JSON documents that share their line with other records. */
  private readonly shared = new Set<string>();

  /**
   * @param file the index of the file
   * @param line counted from 1
   */
  add(file: number, line: number): void {
    if (!Number.isInteger(line)) {
      this.shared.add(`${file}:${line}`);
      return;
    }
    const at = Math.floor(line / BITS);
    let bits = this.files.get(file) ?? new Uint8Array(0);
    if (at >= bits.length) {
      const larger = new Uint8Array(2 * at + 1_024);
      larger.set(bits);
      this.files.set(file, (bits = larger));
    }
    bits[at] = (bits[at] ?? 0) | (1 << (line % BITS));
  }

  has(file: number, line: number): boolean {
    if (!Number.isInteger(line)) return this.shared.has(`${file}:${line}`);
    const bits = this.files.get(file)?.[Math.floor(line / BITS)] ?? 0;
    return ((bits >> (line % BITS)) & 1) === 1;
  }
}
