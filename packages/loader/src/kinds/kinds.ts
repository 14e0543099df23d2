import { OPERATIONS, SECTIONS } from './contract.generated.js';

type Operation = keyof typeof OPERATIONS;

/** Facts about a kind that the description of the interface does not contain. */
interface Facts<Field extends string = string> {
  /** The section of an account's content with the rows of this kind (choice V1). */
  readonly section: (typeof SECTIONS)[number];
  /** The fields that identify an item within its account (choices N1, N4, X4, H3, P2). */
  readonly key: readonly Field[];
  /** The values, as JSON, that the service treats like an absent field (choice V3). */
  readonly absent?: Readonly<Partial<Record<Field, string>>>;
  /** The `status` of a result for a new item. Without it, known items are answered like new ones (H3, P2). */
  readonly added?: string;
  /** The service's code for an item with a known key and other content, if this is not "already there" (H3, P2). */
  readonly conflict?: string;
}

/** @param operation the operation that accepts the items. A field that it does not have does not compile */
function kind<Of extends Operation>(
  operation: Of,
  facts: Facts<keyof (typeof OPERATIONS)[Of]['fields'] & string>,
): Facts & { readonly operation: Operation } {
  return { operation, ...facts };
}

/** The kinds of files that a folder can contain, by file name, in the order in which they are loaded (choice L9). */
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
