import type { RefusedField } from '../journal/events.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import type { Row } from '../rows/row.js';
import type { Relation } from './seen-rows.js';

/** What became of a row of a request that the service took. */
export type Outcome =
  | { readonly is: 'loaded' }
  | { readonly is: 'already' }
  | { readonly is: 'failed'; readonly errors: readonly RefusedField[] };

/**
 * For each row of a request whether the service says that it was new. Statements and instructions are answered alike when
 * they are known (choices H3, P2).
 *
 * @param body a list of results
 * @throws Error when the answer is not about these rows
 */
export function newRows(kind: Kind, rows: readonly Row[], body: unknown): readonly boolean[] {
  const { added } = FACTS[kind];
  if (added === undefined) return rows.map(() => true);
  if (!Array.isArray(body) || body.length !== rows.length) {
    throw new Error(`The service answered ${rows.length} ${kind} with another number of results.`);
  }
  return body.map(({ status }: { status: unknown }) => status === added);
}

/** @param relation to the earlier rows of the account in the folder */
export function outcomeOf(kind: Kind, isNew: boolean, relation: Relation, isDryRun: boolean): Outcome {
  const { conflict, added } = FACTS[kind];
  // The service knows nothing of the earlier row, which it has not stored.
  if (isDryRun && relation === 'other content' && conflict) return { is: 'failed', errors: [conflict] };
  const tellsNothing = added === undefined;
  if (isNew && !((isDryRun || tellsNothing) && relation !== 'new')) return { is: 'loaded' };
  return { is: 'already' };
}

/** Whether a row failed since its key is there with other content, and it is not known which fields differ. */
export function isConflict(kind: Kind, errors: readonly RefusedField[]): boolean {
  const { conflict, key } = FACTS[kind];
  return errors.some(({ code, attr }) => code === conflict?.code && key.includes(attr));
}
