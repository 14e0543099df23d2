/** Characters that steer a terminal, or the order in which it shows others. */
export const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;

/** Text from outside, for a terminal: {@link CONTROL} characters are shown as `\uFFFD`. */
export function printable(text: string): string {
  return text.replace(new RegExp(CONTROL, 'gu'), '\uFFFD');
}

/** JSON with {@link CONTROL} characters as escapes, which JSON itself wants of some of them only. */
export function printableJson(json: string): string {
  return json.replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Lines with text from outside. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
