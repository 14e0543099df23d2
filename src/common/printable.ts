/** Text from outside, for a terminal: control characters, which could steer the terminal, are shown as `\uFFFD`. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
