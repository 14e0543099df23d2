import type { Move, NewTransaction, OpenPeriod } from './transactions.types.js';

/** The maximum number of ids that the pinned note lists; of the rest it only gives the count. */
const NAMED_IDS_MAX = 50;

/**
 * Move a transaction that lies outside the open statement period to the nearest day inside it.
 *
 * Source: choice X7.
 */
export function moveToOpenPeriod({ first_day, last_day }: OpenPeriod, { date, sent }: NewTransaction): Move {
  const to = date < first_day ? first_day : last_day;
  const sentence = `The transaction date was changed from ${date} to ${to}, which lies in the open statement period.`;
  const note = sent.note as string | undefined;
  return { to, note: note ? `${note} ${sentence}` : sentence };
}

/**
 * The text of the note that lists the moved transactions of a request. It names the request, so that two requests with the same
 * transactions in the same second create two notes.
 *
 * @param ids in the order of the payload
 * @returns undefined when no transaction was moved
 * Source: choice X7.
 */
export function noteOnMoves(
  ids: readonly string[],
  { first_day, last_day }: OpenPeriod,
  importRequestId: string,
): string | undefined {
  if (ids.length === 0) return undefined;
  const named = ids.slice(0, NAMED_IDS_MAX).join(', ');
  const rest = ids.length > NAMED_IDS_MAX ? ` and ${ids.length - NAMED_IDS_MAX} more` : '';
  return `${ids.length} of the imported transactions lay outside the open statement period from ${first_day} to ${last_day}; the date was changed: ${named}${rest}. Import request ${importRequestId}.`;
}
