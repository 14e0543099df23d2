/**
 * Count the texts, from the first on, that fit into `bytesMax` bytes together. Each text takes one more byte, for a separator. The
 * first text always counts, even if it is too long.
 */
export function countWithin(bytesMax: number, texts: readonly string[]): number {
  let left = bytesMax;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 1) < 0);
  return end < 0 ? texts.length : Math.max(end, 1);
}
