import { ACCOUNT, fieldNames, type FieldOwner } from '../kinds/fields.js';
import { KINDS, type Kind } from '../kinds/kinds.js';

/** What other systems call the account, in the form of {@link normalised}. */
const ACCOUNT_NAMES = [
  'account',
  'account_number',
  'account_no',
  'account_id',
  'acct',
  'acct_no',
  'customer_number',
  'customer_no',
  'customer_id',
  'contract_account',
  'acct_nbr',
  'compte',
  'numéro_compte',
  'client',
  'konto',
  'kontonummer',
  'kundennummer',
  'kundennr',
  'vertragskonto',
];

/** What other systems call the two columns of an amount, and one that has its sign as a word. */
export const DEBIT_NAMES = ['debit', 'debits', 'debit_amount', 'dr', 'soll', 'sollbetrag', 'débit'];
export const CREDIT_NAMES = ['credit', 'credits', 'credit_amount', 'cr', 'haben', 'habenbetrag', 'crédit'];
export const SIGN_NAMES = [
  's_h',
  'sh',
  'soll_haben',
  'soll_haben_kennzeichen',
  'dr_cr',
  'cr_dr',
  'd_c',
  'dc',
  'debit_credit',
  'sens',
];

/** Whether a column has one of these names, however its words are separated. */
export function isNamed(column: string, names: readonly string[]): boolean {
  return names.includes(normalised(column));
}

/** What the names of files with items of a list have. */
export const LIST_FILES: Readonly<Record<string, RegExp>> = {
  line_items: /line|item|position|detail/i,
  tax_items: /tax|vat|steuer|mwst|tva/i,
  document_paths: /doc|attach/i,
};

/** What other systems call the fields of a kind, or of a list. */
const NAMES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  notes: {
    body: [
      'text',
      'texte',
      'commentaire',
      'notiz',
      'note',
      'note_text',
      'comment',
      'comments',
      'memo',
      'message',
      'description',
    ],
    document_paths: ['documents', 'document', 'files', 'attachments', 'document_path', 'path'],
    created_at: [
      'created',
      'erfasst_am',
      'créé_le',
      'date',
      'created_on',
      'creation_date',
      'note_date',
      'timestamp',
      'datum',
    ],
    is_pinned: ['pinned', 'wichtig', 'sticky'],
    unpin_at: ['unpin', 'pinned_until'],
  },
  statements: {
    statement_id: [
      'id',
      'statement',
      'bill_id',
      'invoice_id',
      'bill_number',
      'bill_no',
      'invoice_number',
      'invoice_no',
      'rechnungsnummer',
      'facture',
      'numéro_facture',
    ],
    bill_period_from_date: [
      'from',
      'du',
      'von',
      'from_date',
      'period_from',
      'period_start',
      'start_date',
      'start',
      'bill_from',
    ],
    bill_period_to_date: [
      'to',
      'au',
      'bis',
      'to_date',
      'period_to',
      'period_end',
      'end_date',
      'end',
      'bill_to',
    ],
    issued_date: [
      'issued',
      'émise_le',
      'rechnungsdatum',
      'issue_date',
      'issued_on',
      'bill_date',
      'invoice_date',
      'date',
      'statement_date',
    ],
    number: ['statement_number'],
    gross_amount: [
      'gross',
      'montant_ttc',
      'bruttobetrag',
      'amount',
      'total',
      'total_amount',
      'amount_gross',
      'betrag',
    ],
    statement_path: ['path', 'file', 'file_name', 'filename', 'document', 'pdf', 'document_path'],
  },
  'payment-instructions': {
    vendor: ['provider', 'payment_provider', 'payment_vendor', 'gateway'],
    reference: ['ref', 'mandate', 'mandate_id', 'mandate_reference', 'token', 'payment_reference'],
    type: ['method', 'payment_method', 'instruction_type', 'payment_type'],
  },
  transactions: {
    transaction_id: [
      'id',
      'n_écriture',
      'trans_nbr',
      'transaction',
      'ledger_ref',
      'écriture',
      'numéro_écriture',
      'trans_id',
      'txn_id',
      'tx_id',
      'ledger_id',
      'entry_id',
      'belegnummer',
      'nr',
      'document_number',
      'buchungsnummer',
      'charge_no',
      'charge_id',
      'charge_number',
    ],
    transaction_date: [
      'date',
      'booking_date',
      'posting_date',
      'posted',
      'posted_on',
      'value_date',
      'trans_date',
      'txn_date',
      'buchungsdatum',
      'charge_date',
      'post_dt',
      'trans_dt',
      'date_comptable',
      'date_écriture',
      'datum',
    ],
    amount: [
      'value',
      'montant',
      'gross',
      'charge_amount',
      'amount_gross',
      'gross_amount',
      'total',
      'sum',
      'betrag',
    ],
    type: [
      'transaction_type',
      'tc',
      'trans_code',
      'vorgang',
      'buchungsart',
      'nature',
      'trans_type',
      'txn_type',
      'category',
      'kind',
    ],
    reason: ['reason_code'],
    reference: ['ref', 'payment_reference', 'bank_reference'],
    payment_type: ['payment_method', 'method'],
    display_note: ['description', 'buchungstext', 'libellé', 'narrative', 'display_text'],
    note: ['comment', 'internal_note', 'memo', 'remark'],
    product_code: ['product', 'tariff', 'tariff_code'],
    line_items: ['lines', 'items'],
    tax_items: ['taxes', 'tax_lines'],
  },
  'transactions.line_items': {
    rate_band: ['band', 'rate', 'register', 'tariff', 'tarif', 'time_band'],
    start_date: ['from', 'from_date', 'date_from', 'period_from', 'start', 'von', 'begin'],
    end_date: ['to', 'to_date', 'date_to', 'period_to', 'end', 'bis', 'until'],
    number_of_units: [
      'units',
      'quantity',
      'qty',
      'kwh',
      'k_wh',
      'usage',
      'consumption',
      'menge',
      'verbrauch',
    ],
    net_amount: ['net', 'amount', 'net_value', 'line_amount', 'netto', 'nettobetrag', 'betrag'],
    price_per_unit: ['price', 'unit_price', 'unit_rate', 'preis', 'einzelpreis'],
    units: ['readings', 'half_hours'],
  },
  'transactions.tax_items': {
    amount: ['tax', 'tax_amount', 'vat', 'vat_amount', 'steuer', 'steuerbetrag', 'mwst'],
    tax_type: ['type', 'tax_code', 'tax_name', 'steuerart'],
    value_taxed: ['net', 'base', 'taxable', 'taxable_amount', 'net_amount', 'netto', 'bemessungsgrundlage'],
    rate: ['tax_rate', 'vat_rate', 'percent', 'satz', 'steuersatz'],
    unit_type: ['unit', 'rate_type'],
  },
  'notes.document_paths': {
    document_path: ['path', 'file', 'file_name', 'filename', 'document', 'attachment'],
  },
};

/** A name in lower case with `_` between words, whatever separated them. */
export function normalised(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** The fields that a column could hold by its name, the likeliest first. */
export function fieldsForName(owner: FieldOwner, column: string): string[] {
  const name = normalised(column);
  const names = fieldNames(owner);
  const known = names.filter((field) => field === name);
  const other = names.filter((field) =>
    field === ACCOUNT ? ACCOUNT_NAMES.includes(name) : NAMES[owner]?.[field]?.includes(name),
  );
  return [...known, ...other];
}

/** Words in the names of files, and what such files hold. */
const FILE_WORDS: Readonly<Record<Kind, RegExp>> = {
  notes: /note|notiz|comment|contact|remarque/i,
  statements: /statement|bill(?!ing)|invoice|rechnung|facture/i,
  'payment-instructions': /mandat|instruction|direct.?debit|sepa|payment.?method/i,
  transactions: /transaction|charge|ledger|journal|buchung|posting|umsatz|[eé]criture|entries/i,
};

/** The kinds whose words the name of a file has. */
export function kindsByWords(name: string): Kind[] {
  return KINDS.filter((kind) => FILE_WORDS[kind].test(name));
}
