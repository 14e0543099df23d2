import { isCalendarDay } from '../../../infrastructure/clock/dates.js';
import { TRANSACTION_TYPES } from '../../../transactions/transactions.dto.js';
import { PageNotFound } from '../common/page-errors.js';
import { readChoice, readText, type SentQuery } from '../common/parameters.js';

/** The lists of an account's page. A name is also the parameter that says where its list continues, and the id of its section. */
export const LIST_NAMES = [
  'pinned',
  'transactions',
  'statements',
  'instructions',
  'notes',
  'history',
] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** The filter of the transactions; all are listed when every member is null. */
export type TransactionFilter = Readonly<Record<'type' | 'from' | 'to' | 'id', string | null>>;

/** The parameters of an account's page. */
export interface AccountQuery {
  /** Where each list continues. */
  readonly after: Readonly<Record<ListName, string | undefined>>;
  readonly filter: TransactionFilter;
}

/** Read the parameters of an account's page. @throws PageNotFound when a filter has an invalid value */
export function readAccountQuery({ type, from, to, id, ...places }: SentQuery): AccountQuery {
  const after = Object.fromEntries(LIST_NAMES.map((name) => [name, readText(places[name])]));
  return {
    after: after as AccountQuery['after'],
    filter: {
      type: readChoice(TRANSACTION_TYPES, type) ?? null,
      ...{ from: readDay(from), to: readDay(to), id: readText(id) ?? null },
    },
  };
}

/** @throws PageNotFound when it is neither empty nor a day */
function readDay(value: unknown): string | null {
  const day = readText(value) ?? null;
  if (day !== null && !isCalendarDay(day)) throw new PageNotFound();
  return day;
}

/** The place among the transactions with the same id, the first one by default. @throws PageNotFound */
export function readOccurrence(value: unknown = '0'): string {
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) throw new PageNotFound();
  return value;
}
