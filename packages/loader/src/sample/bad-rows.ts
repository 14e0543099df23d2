import type { Kind } from '../kinds/kinds.js';

/** A row that is refused, and for what. */
export interface BadRow {
  readonly kind: Kind;
  /** The one code for which the loader or the service refuses it. */
  readonly code: string;
  readonly text: string;
}

interface BadKind {
  readonly kind: Kind;
  readonly code: string;
  /** Whether the service checks it only where the supplier's documents must exist. */
  readonly needsDocuments?: boolean;
  /** @param id of its own; @returns the fields, or a text that is no JSON */
  readonly make: (id: string) => Readonly<Record<string, unknown>> | string;
}

function transaction(id: string): Record<string, unknown> {
  return { transaction_id: `BAD-${id}`, transaction_date: '2025-11-03', amount: 12.5, type: 'CHARGE' };
}

function statement(id: string): Record<string, unknown> {
  return {
    statement_id: `BAD-${id}`,
    bill_period_from_date: '2025-07-01',
    bill_period_to_date: '2025-09-30',
  };
}

function instruction(reference: string): Record<string, unknown> {
  return { vendor: 'SANDBOX', reference, type: 'CUSTOM' };
}

/** Each is refused for exactly one code. Those of the first places are used first. */
const BAD_KINDS: readonly BadKind[] = [
  {
    kind: 'transactions',
    code: 'parse_error',
    make: (id) => `{"external_account_number":"1","transaction_id":"BAD-${id}","amount":12.`,
  },
  { kind: 'transactions', code: 'invalid_choice', make: (id) => ({ ...transaction(id), type: 'CHARG' }) },
  {
    kind: 'transactions',
    code: 'account_not_found',
    make: (id) => ({ ...transaction(id), external_account_number: `NOT-STAGED-${id}` }),
  },
  {
    kind: 'transactions',
    code: 'max_decimal_places',
    make: (id) => ({ ...transaction(id), amount: 12.345 }),
  },
  {
    kind: 'notes',
    code: 'note_body_or_document_path_not_found',
    make: () => ({ created_at: '2025-11-03T10:00:00Z' }),
  },
  {
    kind: 'statements',
    code: 'start_date_later_than_end_date',
    make: (id) => ({ ...statement(id), bill_period_from_date: '2025-12-01' }),
  },
  {
    kind: 'payment-instructions',
    code: 'payment_instruction_not_found',
    make: (id) => instruction(`unknown_${id}`),
  },
  {
    kind: 'statements',
    code: 'path_does_not_exist_in_file_store',
    needsDocuments: true,
    make: (id) => ({ ...statement(id), statement_path: `statements/missing/${id}.pdf` }),
  },
  {
    kind: 'transactions',
    code: 'invalid',
    make: (id) => ({ ...transaction(id), transaction_date: '2026-02-30' }),
  },
  { kind: 'transactions', code: 'unexpected_field', make: (id) => ({ ...transaction(id), colour: 'green' }) },
  {
    kind: 'transactions',
    code: 'required',
    make: (id) => ({ ...transaction(id), transaction_date: undefined }),
  },
  { kind: 'transactions', code: 'null', make: (id) => ({ ...transaction(id), reference: null }) },
  {
    kind: 'transactions',
    code: 'min_length',
    make: (id) => ({ ...transaction(id), type: 'SUPPLY_CHARGE', product_code: 'GAS', line_items: [] }),
  },
  {
    kind: 'transactions',
    code: 'max_digits',
    make: (id) => ({ ...transaction(id), amount: 1_234_567_890_123 }),
  },
  { kind: 'transactions', code: 'blank', make: (id) => ({ ...transaction(id), reference: '' }) },
  {
    kind: 'transactions',
    code: 'max_length',
    make: (id) => ({ ...transaction(id), reference: 'R'.repeat(513) }),
  },
  {
    kind: 'notes',
    code: 'note_unpin_at_earlier_than_creation_date',
    make: (id) => ({
      body: `Pinned for a day (${id}).`,
      created_at: '2025-11-03T10:00:00Z',
      is_pinned: true,
      unpin_at: '2025-11-02T10:00:00Z',
    }),
  },
  {
    kind: 'statements',
    code: 'invalid_document_path',
    make: (id) => ({ ...statement(id), statement_path: `../${id}.pdf` }),
  },
  {
    kind: 'payment-instructions',
    code: 'payment_vendor_rejected',
    make: (id) => instruction(`rejected_${id}`),
  },
];

/**
 * A row that is refused.
 *
 * @param index from 0; the kinds follow each other and begin again
 * @param account of the row, where that is not what is wrong
 */
export function badRow(index: number, account: string, hasDocuments: boolean): BadRow {
  const kinds = BAD_KINDS.filter(({ needsDocuments }) => hasDocuments || needsDocuments !== true);
  const chosen = kinds[index % kinds.length];
  if (!chosen) throw new RangeError('There is no kind of bad row.');
  const made = chosen.make(`${account}-${index}`);
  const text =
    typeof made === 'string' ? made : JSON.stringify({ external_account_number: account, ...made });
  return { kind: chosen.kind, code: chosen.code, text };
}

/** The codes of the kinds, in their order. */
export function badCodes(hasDocuments: boolean): string[] {
  return BAD_KINDS.filter(({ needsDocuments }) => hasDocuments || needsDocuments !== true).map(
    ({ code }) => code,
  );
}
