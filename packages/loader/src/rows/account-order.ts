/** Code units that do not sort as the bytes of their characters do: surrogates, and what UTF-16 has behind them. */
const OUT_OF_ORDER = /[\uD800-\uFFFF]/g;

/**
 * A text that compares (`<`) as the UTF-8 bytes of an account number do. JavaScript compares UTF-16, in which characters beyond
 * U+FFFF stand before U+E000.
 *
 * Source: choice S5.
 */
export function byteOrderOf(account: string): string {
  return account.replace(OUT_OF_ORDER, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
