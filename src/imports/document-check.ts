import { AppError } from '../common/errors.js';
import type { DocumentLookup } from '../documents/document-lookup.js';
import { StorageError } from '../documents/document-store.js';

/** Looking up the documents of one request takes this long at most. */
const LOOKUP_TIMEOUT_MS = 60_000;

/** A supplier's document root may be changed this often while one request waits for it. */
const ROUNDS_MAX = 3;

/** What a load's statement says of its documents; see DOCUMENT_DEMAND in account-door.ts. */
export interface DocumentDemand {
  /** Nothing was stored: the documents below this root must be looked up first. */
  readonly root_to_check: string | null;
}

/**
 * Run the statement of a load, and look its documents up in between when the supplier wants that. No database connection
 * is held meanwhile, and a supplier that does not want it costs no second trip.
 *
 * What the account has already is not looked up again: a load that is repeated is recognised, wherever its documents have
 * gone since.
 *
 * @param pathsOf every document path of what the account does not have, by what the statement says of that
 * @param attempt runs the statement; gets the root below which all documents were found, null at first
 * @returns the last answer of the statement, and the paths without a document: when there are any, nothing was stored
 * @throws AppError `service_unavailable` when the document store does not answer
 * Source: contract F3, R1.
 */
export async function withDocuments<Answer extends DocumentDemand>(
  lookup: DocumentLookup,
  pathsOf: (answer: Answer) => readonly string[],
  attempt: (checkedRoot: string | null) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly missing: ReadonlySet<string> }> {
  let answer = await attempt(null);
  for (let round = 1; answer.root_to_check !== null; round += 1) {
    if (round > ROUNDS_MAX) throw new AppError('service_unavailable');
    const root = answer.root_to_check;
    const missing = await missingBelow(lookup, root, pathsOf(answer));
    if (missing.size > 0) return { answer, missing };
    answer = await attempt(root);
  }
  return { answer, missing: new Set() };
}

async function missingBelow(
  lookup: DocumentLookup,
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const stop = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  try {
    const missing = await lookup.missing(
      paths.map((path) => `${root}/${path}`),
      stop,
    );
    return new Set(paths.filter((path) => missing.has(`${root}/${path}`)));
  } catch (cause) {
    if (cause instanceof StorageError || stop.aborted) throw new AppError('service_unavailable', { cause });
    throw cause;
  }
}
