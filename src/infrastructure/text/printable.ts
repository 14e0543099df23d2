/** Characters that control a terminal, or the order in which it shows other characters. */
export const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;

/** External text for a terminal: {@link CONTROL} characters are replaced by `\uFFFD`. */
export function printable(text: string): string {
  return text.replace(new RegExp(CONTROL, 'gu'), '\uFFFD');
}

/** JSON with {@link CONTROL} characters as escapes. JSON itself only requires that for some of them. */
export function printableJson(json: string): string {
  return json.replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** External text of several lines for a terminal. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
