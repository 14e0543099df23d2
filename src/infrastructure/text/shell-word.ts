/** What a shell reads as it is. */
const PLAIN = /^[\w./:=@%+,-]+$/;

/**
 * A word of a printed command, such as the code of a supplier, so that the command can be copied into a shell: a word with spaces or
 * other characters that a shell interprets is quoted.
 */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
