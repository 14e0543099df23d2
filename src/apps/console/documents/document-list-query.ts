import { DOCUMENT_REFERRERS } from '../../../ingest/documents/document-referrers.js';
import { decodeCursor, encodeCursor } from '../common/cursor.js';
import { PageNotFound } from '../common/page-errors.js';
import type { SentQuery } from '../common/parameters.js';
import type { DocumentState } from '../progress/progress.types.js';
import type { DocumentCursor } from './document-list.types.js';

/**
 * Which documents an address requests; the missing ones by default.
 *
 * @throws PageNotFound for an unknown state
 */
export function documentStateOf({ state = 'missing' }: SentQuery): DocumentState {
  if (state !== 'missing' && state !== 'not_looked_up') throw new PageNotFound();
  return state;
}

/** @returns undefined, for the first page, when the address has no valid position in the list */
export function documentCursorOf({ kind, after }: SentQuery): DocumentCursor | undefined {
  const referrer = DOCUMENT_REFERRERS.find((one) => one.kind === kind);
  const key = referrer && typeof after === 'string' ? decodeCursor(referrer.keyTypes, after) : undefined;
  return referrer && key && { kind: referrer.kind, key };
}

/** The parameters of an address for a cursor. */
export function cursorParameters({ kind, key }: DocumentCursor): Readonly<Record<'kind' | 'after', string>> {
  return { kind, after: encodeCursor(key) };
}
