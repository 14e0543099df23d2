import { didYouMean } from '../../infrastructure/text/near-matches.js';

/**
 * A hint with the commands that an unknown one may have been meant to be: those with the same last word, such as `migration status` for
 * `status`, otherwise those with a similar one.
 *
 * @param words of the command line; the first one or the second one is unknown
 * @param commands all commands, for example `supplier show`
 * @returns ` Did you mean A or B?`, or an empty text
 */
export function commandsMeant([first = '', second]: readonly string[], commands: readonly string[]): string {
  const own = commands.filter((command) => command.startsWith(`${first} `));
  const word = own.length > 0 ? (second ?? '') : first;
  const endingWith = (last: string): string =>
    commands.filter((command) => command.endsWith(` ${last}`)).join(' or ');
  const same = endingWith(word);
  if (same !== '') return ` Did you mean ${same}?`;
  const similarTo = own.length > 0 ? own.map((command) => command.slice(first.length + 1)) : commands;
  const words = new Set(similarTo.flatMap((command) => command.split(' ')));
  return didYouMean(word, words, (near) => (own.length > 0 ? `${first} ${near}` : endingWith(near) || near));
}
