import { isCalendarDay } from '../../../infrastructure/clock/dates.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import type { ListFilter } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { PageNotFound } from '../common/page-errors.js';
import { readChoice, readText, type SentQuery } from '../common/parameters.js';

export const OUTCOMES = ['stored', 'refused'] as const;

/** The format that `datetime-local` sends. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/**
 * The parameters of the list of requests, by their names in the address. They include the code of a supplier, the id of an
 * API key, and where the list continues.
 */
export type RequestsQuery = Pick<ListFilter, 'outcome' | 'kind'> &
  Readonly<Record<'supplier' | 'code' | 'key' | 'run' | 'from' | 'until' | 'after', string | undefined>>;

/**
 * Read the parameters of the list of requests.
 *
 * @throws PageNotFound when a filter has an invalid value: without the filter, the list would have other requests
 * Source: choice C11.
 */
export function readRequestsQuery(query: SentQuery): RequestsQuery {
  const key = readText(query.key);
  return {
    supplier: readText(query.supplier),
    outcome: readChoice(OUTCOMES, query.outcome),
    kind: readChoice(IMPORT_KINDS, query.kind),
    code: readText(query.code),
    key: valid(key, isUuid),
    run: readText(query.run),
    from: readDateTime(query.from),
    until: readDateTime(query.until),
    after: readText(query.after),
  };
}

function readDateTime(value: unknown): string | undefined {
  return valid(readText(value), (text) => isCalendarDay(DATE_TIME.exec(text)?.[1] ?? ''));
}

function valid(text: string | undefined, isValid: (text: string) => boolean): string | undefined {
  if (text !== undefined && !isValid(text)) throw new PageNotFound();
  return text;
}
