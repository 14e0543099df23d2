import { CONTROL } from './printable.js';

const LENGTH_MAX = 128;

/** The sentence for a name that {@link isName} rejects. */
export const NAME_RULE = `A name has 1 to ${LENGTH_MAX} characters, no control characters, and no space at its ends.`;

/** The beginning of the recorded names of persons and keys. */
const RECORDED = /^(?:person|(?:api|platform)\s+key)\s/iu;

/** The sentence for a name that {@link isOperatorName} rejects. */
export const OPERATOR_RULE = `${NAME_RULE} An operator's does not begin with "person", "api key" or "platform key", as the recorded names of others do.`;

/** Whether an operator may be recorded by this name. Nobody else is recorded by it. Source: choices C1, O6. */
export function isOperatorName(text: string): boolean {
  return isName(text) && !RECORDED.test(text);
}

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
