import { ContradictoryAnswer } from '../common/errors.js';
import type { RefusedField } from '../journal/events.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import type { Row } from '../rows/row.js';

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
    throw new ContradictoryAnswer(
      `The service answered ${rows.length} ${kind} with another number of results. Please report this to its operator`,
    );
  }
  return body.map(({ status }: { status: unknown }) => status === added);
}

/**
 * Whether a row that the service took counts as loaded; otherwise it was there already.
 *
 * @param isRepeat of an earlier row of the account in the folder, of which the service knows nothing in a dry run
 */
export function isLoaded(kind: Kind, isNew: boolean, isRepeat: boolean, isDryRun: boolean): boolean {
  const tellsNothing = FACTS[kind].added === undefined;
  return isNew && !((isDryRun || tellsNothing) && isRepeat);
}

/** Whether a row failed since its key is there with other content, and it is not known which fields differ. */
export function isConflict(kind: Kind, errors: readonly RefusedField[]): boolean {
  const { conflict, key } = FACTS[kind];
  return errors.some(({ code, attr }) => code === conflict && key.includes(attr));
}
