/**
 * At most `max` characters of a text, with U+FFFD for what PostgreSQL does not store. A text that is cut is also copied,
 * because a slice would keep the whole text in memory.
 */
export function storable(text: string, max: number): string {
  if (text.length <= max && text.isWellFormed() && !text.includes('\0')) return text;
  const cut = Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');
  return Buffer.from(cut.replaceAll('\0', '\uFFFD')).toString();
}
