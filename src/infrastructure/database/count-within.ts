/** How many of some texts have room for so many bytes, with one byte behind each: one at least. */
export function countWithin(bytesMax: number, texts: readonly string[]): number {
  let left = bytesMax;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 1) < 0);
  return end < 0 ? texts.length : Math.max(end, 1);
}
