import { ACCOUNT } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';

/** A row that is rejected, with its code. */
export interface BadRow {
  readonly kind: Kind;
  /** The one code for which the loader or the service rejects it. */
  readonly code: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Good rows, except that a note has no body and an instruction no reference. */
const GOOD: Readonly<Record<Kind, (id: string) => Fields>> = {
  notes: () => ({ created_at: '2025-11-03T10:00:00Z' }),
  statements: (id) => ({
    statement_id: `BAD-${id}`,
    bill_period_from_date: '2025-07-01',
    bill_period_to_date: '2025-09-30',
  }),
  'payment-instructions': () => ({ vendor: 'SANDBOX', type: 'CUSTOM' }),
  transactions: (id) => ({
    transaction_id: `BAD-${id}`,
    transaction_date: '2025-11-03',
    amount: 12.5,
    type: 'CHARGE',
  }),
};

/** The code of a row whose JSON is cut off. */
const CUT = 'parse_error';

/** The code for a missing document. Only a service that checks documents answers with it. */
const NO_DOCUMENT = 'path_does_not_exist_in_file_store';

/** The faults that make a row bad, one for each code. They are used in this order. */
const FAULTS: readonly (readonly [kind: Kind, code: string, fault: (id: string) => Fields])[] = [
  ['transactions', CUT, () => ({})],
  ['transactions', 'invalid_choice', () => ({ type: 'CHARG' })],
  ['transactions', 'account_not_found', (id) => ({ [ACCOUNT]: `NOT-STAGED-${id}` })],
  ['transactions', 'max_decimal_places', () => ({ amount: 12.345 })],
  ['notes', 'note_body_or_document_path_not_found', () => ({})],
  ['statements', 'start_date_later_than_end_date', () => ({ bill_period_from_date: '2025-12-01' })],
  ['payment-instructions', 'payment_instruction_not_found', (id) => ({ reference: `unknown_${id}` })],
  ['statements', NO_DOCUMENT, (id) => ({ statement_path: `statements/missing/${id}.pdf` })],
  ['transactions', 'invalid', () => ({ transaction_date: '2026-02-30' })],
  ['transactions', 'unexpected_field', () => ({ colour: 'green' })],
  ['transactions', 'required', () => ({ transaction_date: undefined })],
  ['transactions', 'null', () => ({ reference: null })],
  ['transactions', 'min_length', () => ({ type: 'SUPPLY_CHARGE', product_code: 'GAS', line_items: [] })],
  ['transactions', 'max_digits', () => ({ amount: 1_234_567_890_123 })],
  ['transactions', 'blank', () => ({ reference: '' })],
  ['transactions', 'max_length', () => ({ reference: 'R'.repeat(513) })],
  [
    'notes',
    'note_unpin_at_earlier_than_creation_date',
    (id) => ({ body: `Pinned for a day (${id}).`, is_pinned: true, unpin_at: '2025-11-02T10:00:00Z' }),
  ],
  ['statements', 'invalid_document_path', (id) => ({ statement_path: `../${id}.pdf` })],
  ['payment-instructions', 'payment_vendor_rejected', (id) => ({ reference: `rejected_${id}` })],
];

function faults(hasDocuments: boolean): typeof FAULTS {
  return FAULTS.filter(([, code]) => hasDocuments || code !== NO_DOCUMENT);
}

/**
 * Make a row that is rejected.
 *
 * @param index counted from 0; after the last fault the first one follows
 * @param account the account of the row, unless the account is its fault
 */
export function badRow(index: number, account: string, hasDocuments: boolean): BadRow {
  const all = faults(hasDocuments);
  const chosen = all[index % all.length];
  if (!chosen) throw new RangeError('There is no fault.');
  const [kind, code, fault] = chosen;
  const id = `${account}-${index}`;
  const text = JSON.stringify({ [ACCOUNT]: account, ...GOOD[kind](id), ...fault(id) });
  return { kind, code, text: code === CUT ? text.slice(0, -2) : text };
}

/** The codes of the faults, in their order. */
export function badCodes(hasDocuments: boolean): string[] {
  return faults(hasDocuments).map(([, code]) => code);
}
