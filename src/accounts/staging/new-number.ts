import type { AccountRecord, LineProblem } from '../files/line-reading.js';

/** The name of the number's column, in any letter case and whatever surrounds it. */
const HEADER_NAME = /^[\s\p{DI}"']*external_account_number[\s\p{DI}"']*$/iu;

/** Most numbers; no rule concerns them. */
const PLAIN = /^[A-Za-z0-9-]*$/;

/** Rules for a number that is not stored yet, each with its sentence. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^[\s\p{White_Space}]|[\s\p{White_Space}]$/u, 'The number has a space at its beginning or end.'],
  [/\p{DI}/u, 'The number has a character that is not visible.'],
  [
    /^=\s*"|^['‘’]/,
    'The number has a mark of a spreadsheet; export the column as text, without = or apostrophe.',
  ],
  [/^[-+]?\d+[.,]\d*E\+\d+$/i, 'A spreadsheet has rounded the number; export the column as text.'],
];

/** Whether a cell is the name of the number's column. */
export function isHeaderName(cell: string): boolean {
  return HEADER_NAME.test(cell);
}

/**
 * Check the number of a new account. Numbers that are already stored need no check: their accounts can always be staged again.
 *
 * @returns undefined if the number is good
 * Source: choice S7.
 */
export function newNumberProblem({
  externalAccountNumber,
  isHeader,
}: AccountRecord): LineProblem | undefined {
  if (isHeader !== true && PLAIN.test(externalAccountNumber)) return undefined;
  if (isHeader === true || isHeaderName(externalAccountNumber)) {
    return { code: 'invalid', detail: 'The line repeats the header.' };
  }
  const [, sentence] = RULES.find(([rule]) => rule.test(externalAccountNumber)) ?? [];
  return sentence === undefined
    ? undefined
    : { code: 'invalid', detail: `external_account_number: ${sentence}` };
}
