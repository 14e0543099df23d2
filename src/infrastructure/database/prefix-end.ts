/** Sorts after every number and id, which have at most 128 characters (choice T14). */
const AFTER_ALL = '\u{10ffff}'.repeat(129);
const [LAST, FIRST_SURROGATE, AFTER_SURROGATES] = [0x10ffff, 0xd800, 0xe000];

/**
 * The first text, in code point order, after all texts that begin with a prefix. UTF-8 keeps that order, so an index with the
 * collation "C" has it too, and a prefix is a range of the index.
 *
 * @param prefix not empty, well formed, at most 128 characters
 */
export function prefixEnd(prefix: string): string {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const codePoint = last.codePointAt(0) ?? LAST;
    if (codePoint === LAST) continue;
    const next = codePoint + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : codePoint + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return AFTER_ALL;
}
