import type { RefusedField } from '../journal/events.js';
import type { Kind, Row } from '../rows/row.js';
import type { Relation } from './seen-rows.js';

/** What became of a row of a request that the service took. */
export type Outcome =
  | { readonly is: 'loaded' }
  /** `isOther`: there is a row with this key and other content. */
  | { readonly is: 'already'; readonly isOther: boolean }
  | { readonly is: 'failed'; readonly errors: readonly RefusedField[] };

/**
 * For each row of a request whether the service says that it was new. Statements and instructions are answered alike when
 * they are known (choices H3, P2).
 *
 * @param body a list of results
 * @throws Error when the answer is not about these rows
 */
export function newRows(kind: Kind, rows: readonly Row[], body: unknown): readonly boolean[] {
  if (kind === 'statements' || kind === 'payment-instructions') return rows.map(() => true);
  if (!Array.isArray(body) || body.length !== rows.length) {
    throw new Error(`The service answered ${rows.length} ${kind} with another number of results.`);
  }
  const added = kind === 'notes' ? 'NOTE_CREATION_SUCCESS' : 'TRANSACTION_ADDED_TO_ACCOUNT';
  return body.map(({ status }: { status: unknown }) => status === added);
}

/** @param relation to the earlier rows of the account in the folder */
export function outcomeOf(kind: Kind, isNew: boolean, relation: Relation, isDryRun: boolean): Outcome {
  const isOther = relation === 'other content';
  if (isDryRun && isOther) {
    // The service knows nothing of the earlier row, which it has not stored.
    const conflict = CONFLICTS[kind];
    if (conflict) return { is: 'failed', errors: [conflict] };
  }
  const tellsNothing = kind === 'statements' || kind === 'payment-instructions';
  if (isNew && !((isDryRun || tellsNothing) && relation !== 'new')) return { is: 'loaded' };
  return { is: 'already', isOther };
}

/** What the service answers for a row with a known key and other content, where it is not "already there" (H3, P2). */
const CONFLICTS: Partial<Record<Kind, RefusedField>> = {
  statements: {
    code: 'historical_statement_already_exists',
    attr: 'statement_id',
    detail: 'The account has a statement with this statement_id and different content.',
  },
  'payment-instructions': {
    code: 'payment_instruction_already_exists',
    attr: 'type',
    detail:
      'The account has the instruction of this vendor and reference with another type; nothing was changed.',
  },
};
