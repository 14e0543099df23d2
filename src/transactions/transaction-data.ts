import { formatAmount } from '../infrastructure/text/money.js';
import type { NewTransaction } from './transactions.types.js';

/**
 * A transaction as answers carry it: the fields as they were sent, the amount as text with two decimals.
 *
 * Source: choice X9.
 */
export function toTransactionData({ sent, amount }: NewTransaction): object {
  // A spread with further members takes five times as long, which is noticeable with 500 transactions.
  const { ...data } = sent;
  return Object.assign(data, { amount: formatAmount(amount) });
}
