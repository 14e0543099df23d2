import { isCalendarDay } from '../../common/dates.js';
import { PageNotFound } from '../common/page-errors.js';
import { readText } from '../common/parameters.js';
import type { AccountQuery, TransactionFilter } from './account.types.js';

/** The values of `type` of a transaction (choice X3). */
export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;

/**
 * Read the parameters of an account's page. Whatever they hold, they are no error: what is not understood is left out, and named
 * where somebody has written it.
 */
export function readAccountQuery(query: Readonly<Record<string, unknown>>): AccountQuery {
  const one = (name: string): string | undefined => readText(query[name]);
  const mistakes: string[] = [];
  const day = (name: 'from' | 'to'): string | undefined => {
    const text = one(name);
    if (text === undefined || isCalendarDay(text)) return text;
    mistakes.push(`“${text.slice(0, 40)}” is not a day of the form YYYY-MM-DD.`);
    return undefined;
  };
  const type = one('type');
  const isKnown = TRANSACTION_TYPES.some((known) => known === type);
  if (type !== undefined && !isKnown) mistakes.push(`There is no type “${type.slice(0, 40)}”.`);
  const filter = { type: isKnown ? type : undefined, from: day('from'), to: day('to'), id: one('id') };
  return {
    pinned: one('pinned'),
    transactions: one('transactions'),
    statements: one('statements'),
    instructions: one('instructions'),
    notes: one('notes'),
    history: one('history'),
    filter,
    mistakes,
  };
}

/** The parameters of an address that leads to the same page; the reverse of {@link readAccountQuery}. */
export function parametersOf({ filter, ...query }: AccountQuery): Record<string, string | undefined> {
  const { pinned, transactions, statements, instructions, notes, history } = query;
  return { ...filter, pinned, transactions, statements, instructions, notes, history };
}

export function isFiltered(filter: TransactionFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Which of the transactions with the same id; nothing in the address is the first one. @throws PageNotFound */
export function readOccurrence(value: unknown = '0'): string {
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) throw new PageNotFound();
  return value;
}
