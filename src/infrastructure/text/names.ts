import { CONTROL } from './printable.js';

const LENGTH_MAX = 128;

/** The sentence for a name that {@link isName} rejects. */
export const NAME_RULE = `A name has 1 to ${LENGTH_MAX} characters, no control characters, and no space at its ends.`;

/**
 * Whether an operator, an organisation, a key or a supplier may be given this name. Terminals, logs and pages show it, and commands repeat
 * it. What is stored under an earlier rule keeps its name.
 *
 * Source: choice T14.
 */
export function isName(text: string, lengthMax = LENGTH_MAX): boolean {
  const isText = text !== '' && text === text.trim() && text.isWellFormed() && !CONTROL.test(text);
  return isText && Array.from(text).length <= lengthMax;
}
