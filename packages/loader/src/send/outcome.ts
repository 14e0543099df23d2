import type { Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { ContradictoryAnswer } from '../common/contradictory-answer.js';

/**
 * For each row of a request, whether the service says that it was new. The answer for statements and instructions is the same for
 * new and known items (choices H3, P2).
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
 * Whether an accepted row counts as loaded. Otherwise the service already had it.
 *
 * @param isRepeat whether it repeats an earlier row of the account in the folder, which the service does not know in a dry run
 */
export function isLoaded(kind: Kind, isNew: boolean, isRepeat: boolean, isDryRun: boolean): boolean {
  const tellsNothing = FACTS[kind].added === undefined;
  return isNew && !((isDryRun || tellsNothing) && isRepeat);
}

/** Whether a row failed because the service has its key with other content, without knowing which fields differ. */
export function isConflict(kind: Kind, errors: readonly RefusedField[]): boolean {
  const { conflict, key } = FACTS[kind];
  return errors.some(({ code, attr }) => code === conflict && key.includes(attr));
}
