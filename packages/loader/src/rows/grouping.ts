/**
 * The most accounts that are remembered. Beyond that number, memory would run short, so the files are sorted without
 * knowing whether this is necessary.
 */
const ACCOUNTS_MAX = 6_000_000;

const SLOTS_AT_FIRST = 65_536;

/**
 * Decides in constant memory whether the rows of each account are together: it remembers a 52-bit hash of each account whose rows
 * have ended. A hash collision only causes an unnecessary sort.
 */
export class Grouping {
  isGrouped = true;
  private current: string | undefined;
  private slots = new Float64Array(SLOTS_AT_FIRST);
  private count = 0;

  /** @param account the account of the next row */
  add(account: string): void {
    if (account === this.current || !this.isGrouped) return;
    const hash = hashOf(account);
    if (this.current !== undefined && !this.remember(hash)) {
      this.isGrouped = false;
      // Free the memory.
      this.slots = new Float64Array(0);
    }
    if (this.current === undefined) this.remember(hash);
    this.current = account;
  }

  /** @returns whether the hash is new */
  private remember(hash: number): boolean {
    if (this.count * 4 >= this.slots.length * 3) this.grow();
    const { slots } = this;
    const mask = slots.length - 1;
    let at = hash % slots.length;
    while (slots[at] !== 0) {
      if (slots[at] === hash) return false;
      at = (at + 1) & mask;
    }
    slots[at] = hash;
    this.count += 1;
    return this.count <= ACCOUNTS_MAX;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Float64Array(before.length * 2);
    this.count = 0;
    for (const hash of before) if (hash !== 0) this.remember(hash);
  }
}

/** A 52-bit hash, never 0, from two 32-bit hashes with different seeds (FNV-1a with final mixing). */
function hashOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return (mixed(one) >>> 0) * 0x100000 + (mixed(other) >>> 12) || 1;
}

function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
