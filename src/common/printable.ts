/** What somebody else sent, for a terminal: control characters, which could steer it, are shown as `\uFFFD`. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
