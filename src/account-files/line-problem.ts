import type { FieldError } from '../common/errors.js';
import type { LineProblem } from './line-reading.js';

/** What is wrong with a line: the code of its first error, and a sentence for each. @returns nothing without an error */
export function problemOf([first, ...rest]: readonly FieldError[]): LineProblem | undefined {
  if (!first) return undefined;
  const sentences = [first, ...rest].map(({ attr, detail }) => (attr === '' ? detail : `${attr}: ${detail}`));
  return { code: first.code, detail: sentences.join(' ') };
}
