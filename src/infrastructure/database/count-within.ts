/** How many of the texts fit into this many bytes, with one byte after each; at least one. */
export function countWithin(bytesMax: number, texts: readonly string[]): number {
  let left = bytesMax;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 1) < 0);
  return end < 0 ? texts.length : Math.max(end, 1);
}
