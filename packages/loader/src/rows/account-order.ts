/** Code units that do not sort like the UTF-8 bytes of their characters: surrogates, and the code units after them. */
const OUT_OF_ORDER = /[\uD800-\uFFFF]/g;

/**
 * A text that compares (`<`) like the UTF-8 bytes of an account number. JavaScript compares UTF-16, which sorts characters beyond
 * U+FFFF before U+E000.
 *
 * Source: choice S5.
 */
export function byteOrderOf(account: string): string {
  return account.replace(OUT_OF_ORDER, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
