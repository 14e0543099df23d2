import { formatAmount } from '../common/money.js';
import type { NewTransaction } from './transactions.types.js';

/**
 * A transaction as answers carry it: the fields as they were sent, the amount as text with two decimals.
 *
 * Source: contract X9.
 */
export function toTransactionData({ submitted, amount }: NewTransaction): object {
  return { ...submitted, amount: formatAmount(amount) };
}
