import type { Fields, FieldType } from './fields.js';

const TOTALS = [
  'notes',
  'transactions.count',
  'transactions.amount',
  'historical_statements',
  'payment_instructions',
];

const TYPES = new Map<string, FieldType>([
  ['external_account_number', 'text'],
  ['open_statement_from', 'date'],
  ['open_statement_to', 'date'],
  ['account', 'list'],
  ...TOTALS.map((name) => [`control.${name}`, 'number'] as const),
]);

/**
 * The fields of accounts, which the operator of the service stages. The loader passes over files of this kind, and proposes mappings
 * for them.
 *
 * Source: choices S7, S9, V6.
 */
export const ACCOUNTS: Fields<'accounts'> = {
  name: 'accounts',
  types: TYPES,
  required: ['external_account_number'],
  lists: new Map(),
  rest: { field: 'account', problemOf },
  row: { account: 'external_account_number', accountLengthMax: 128, key: [], keyOf: () => undefined },
};

/**
 * Reject other columns. Otherwise a misspelt column would become a member of the account, and the period or the totals
 * would be lost.
 */
function problemOf(name: string): string | undefined {
  if (name === '') return 'It has no name.';
  const plain = name.trim().toLowerCase();
  if (TYPES.has(plain) && plain !== 'account') return `It must be written ${plain}.`;
  if (plain !== 'control' && !plain.startsWith('control.')) return undefined;
  const columns = [...TYPES.keys()].filter((field) => field.startsWith('control.'));
  return `Control totals are in the columns ${columns.join(', ')}.`;
}
