import { OPERATIONS, SECTIONS } from './contract.generated.js';

type Operation = keyof typeof OPERATIONS;

/** What the description of the interface does not say of a kind. */
interface Facts<Field extends string = string> {
  /** Where the content of an account has its rows (choice V1). */
  readonly section: (typeof SECTIONS)[number];
  /** The fields that identify an item within its account (choices N1, N4, X4, H3, P2). */
  readonly key: readonly Field[];
  /** Values, as JSON, which the service takes for a field that is not there (choice V3). */
  readonly absent?: Readonly<Partial<Record<Field, string>>>;
  /** The `status` of a result that says that an item was new. Without it a known item is answered like a new one (H3, P2). */
  readonly added?: string;
  /** The code of the service for an item with a known key and other content, where that is not "already there" (H3, P2). */
  readonly conflict?: string;
}

/** @param operation that takes the items; a field that it does not have does not compile */
function kind<Of extends Operation>(
  operation: Of,
  facts: Facts<keyof (typeof OPERATIONS)[Of]['fields'] & string>,
): Facts & { readonly operation: Operation } {
  return { operation, ...facts };
}

/** What a folder can hold, by the name of its files, in the order in which it is loaded (choice L9). */
export const FACTS = {
  notes: kind('createNotes', {
    section: 'notes',
    key: ['body', 'document_paths', 'created_at'],
    absent: { body: '""', document_paths: '[]', is_pinned: 'false' },
    added: 'NOTE_CREATION_SUCCESS',
  }),
  statements: kind('createHistoricalStatements', {
    section: 'historical_statements',
    key: ['statement_id'],
    conflict: 'historical_statement_already_exists',
  }),
  'payment-instructions': kind('createPaymentInstruction', {
    section: 'payment_instructions',
    key: ['vendor', 'reference'],
    conflict: 'payment_instruction_already_exists',
  }),
  transactions: kind('createTransactions', {
    section: 'transactions',
    key: ['transaction_id'],
    added: 'TRANSACTION_ADDED_TO_ACCOUNT',
  }),
};

export type Kind = keyof typeof FACTS;

export const KINDS = Object.keys(FACTS) as readonly Kind[];
