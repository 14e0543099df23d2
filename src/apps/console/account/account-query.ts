import { isCalendarDay } from '../../../infrastructure/clock/dates.js';
import { TRANSACTION_TYPES } from '../../../transactions/transactions.dto.js';
import { PageNotFound } from '../common/page-errors.js';
import { readText, type SentQuery } from '../common/parameters.js';

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

/** Which transactions are listed; all when every member is null. */
export type TransactionFilter = Readonly<Record<'type' | 'from' | 'to' | 'id', string | null>>;

/** The parameters of an account's page. */
export interface AccountQuery {
  /** Where each list continues. */
  readonly after: Readonly<Record<ListName, string | undefined>>;
  readonly filter: TransactionFilter;
  /** Sentences that say what is wrong with the filter. */
  readonly mistakes: readonly string[];
}

/**
 * Read the parameters of an account's page. No value is an error: an invalid one is ignored, and mentioned if a person may
 * have typed it.
 */
export function readAccountQuery(query: SentQuery): AccountQuery {
  const mistakes: string[] = [];
  const day = (value: unknown): string | null => {
    const text = readText(value);
    if (text === undefined || isCalendarDay(text)) return text ?? null;
    mistakes.push(`“${text.slice(0, 40)}” is not a day of the form YYYY-MM-DD.`);
    return null;
  };
  const sent = readText(query.type);
  const type = TRANSACTION_TYPES.find((known) => known === sent);
  if (sent !== type) mistakes.push(`There is no type “${sent?.slice(0, 40) ?? ''}”.`);
  const filter = {
    ...{ type: type ?? null, from: day(query.from), to: day(query.to) },
    id: readText(query.id) ?? null,
  };
  const after = Object.fromEntries(LIST_NAMES.map((name) => [name, readText(query[name])]));
  return { after: after as AccountQuery['after'], filter, mistakes };
}

export function isFiltered(filter: TransactionFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

/** Which of the transactions with the same id; the first one by default. @throws PageNotFound */
export function readOccurrence(value: unknown = '0'): string {
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) throw new PageNotFound();
  return value;
}
