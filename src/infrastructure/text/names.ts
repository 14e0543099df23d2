import { CONTROL } from './printable.js';

const LENGTH_MAX = 128;

/** The sentence for a name that {@link isName} rejects. */
export const NAME_RULE = `A name has 1 to ${LENGTH_MAX} characters, and no control characters.`;

/**
 * Whether an operator, an organisation, a key or a supplier may have this name. Terminals, logs and pages show it.
 *
 * Source: choice T14.
 */
export function isName(text: string, lengthMax = LENGTH_MAX): boolean {
  const isText = text.trim() !== '' && text.isWellFormed() && !CONTROL.test(text);
  return isText && Array.from(text).length <= lengthMax;
}
