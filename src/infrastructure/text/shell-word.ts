/** Words that a shell does not interpret. */
const PLAIN = /^[\w./:=@%+,-]+$/;

/**
 * A word of a printed command, such as a supplier's code. If it contains spaces or other characters that a shell interprets, it
 * is quoted, so that the command can be pasted into a shell.
 */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
