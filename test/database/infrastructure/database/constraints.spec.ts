import { CHANGE_TYPES } from '../../../../src/infrastructure/change-log/change-types.js';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, isCluster, refusalOf } from '../../../support/database.js';
import { givenIn, unique } from '../../../support/service.js';
import { setUp, setUpEach, standIn } from '../../../support/set-up.js';
import { idOf } from '../../../support/suppliers.js';

/** Column values as sent to the database: bytes, text, JSON as text. */
type Columns = Record<string, unknown>;

const DATE_TIME = '2026-01-02T00:00:00Z';
const EARLIER = '2026-01-01T00:00:00Z';

/** Values that make an otherwise valid row invalid, and the nearest valid values. */
type Check = readonly [wrong: readonly Columns[], right: readonly Columns[]];

/** A text of `count` characters, each with two code units and four bytes. */
const characters = (count: number): string => '😀'.repeat(count);

/** Values on both sides of the limits of a text of 1 to `max` characters. */
const upTo = (column: string, max: number): Check => [
  [{ [column]: '' }, { [column]: characters(max + 1) }],
  [{ [column]: 'x' }, { [column]: characters(max) }],
];

/** Values on both sides of the upper limit of a text. */
const atMost = (column: string, max: number, others: Columns = {}): Check => [
  [{ ...others, [column]: characters(max + 1) }],
  [{ ...others, [column]: characters(max) }],
];

/** A column with the 32 bytes of a hash. */
const hash = (column: string): Check => [
  [{ [column]: Buffer.alloc(31) }, { [column]: Buffer.alloc(33) }],
  [{ [column]: Buffer.alloc(32) }],
];

/** The columns of an imported account import. */
const imported = (number: string): Columns => ({
  status: 'imported',
  service_account_number: number,
  account_created_at: DATE_TIME,
  open_statement_from: '2026-01-01',
});

const WRONG_CHOICE = { attr: 'vendor', field_code: 'invalid_choice', value: 'x' };

/** The columns of a note with one or two documents. */
const ONE = { document_paths: ['a'], document_locations: ['root/a'] };
const TWO = { document_paths: ['a', 'b'], document_locations: ['root/a', 'root/b'] };

/** Turns a change of an account into one of a supplier's status. */
const STATUS_CHANGE = { type: 'supplier.status_changed', external_account_number: null, status: 'paused' };

/** A name. */
const plain = (column: string): Check => [
  Array.from('\u0001\u001f\u007f\u009f\u061c\u200e\u200f\u202a\u202e\u2066\u2069', (sign) => ({
    [column]: `a${sign}`,
  })),
  [{ [column]: ' \u00a0é\u200d\u202f😀' }],
];

/** A session of an operator with a link, and one of a person, in place of one with an API key. */
const OF_OPERATOR = {
  ...{ operator: 'x', role: 'operator' },
  ...{ api_key_id: null, organisation_id: null, token_version: null },
};
const OF_PERSON = {
  ...OF_OPERATOR,
  ...{ operator: null, issuer: 'i', subject: 's', person: 'p', role: 'viewer' },
  state_hash: Buffer.alloc(32),
};

/** Cases by the names of constraint and table, as in all records below. */
const CHECKS: Record<string, Check> = {
  'name_has_no_control_characters of organisation (T14)': plain('name'),
  'name_has_no_control_characters of platform_key (T14)': plain('name'),
  'label_has_no_control_characters of api_key (T14)': plain('label'),
  'code_and_name_have_no_control_characters of import_supplier (T14)': plain('code'),
  'name_has_1_to_128_characters of organisation (T14)': upTo('name', 128),
  'key_hash_has_32_bytes of api_key (A6)': hash('key_hash'),
  'key_hash_has_32_bytes of platform_key (A6, E5)': hash('key_hash'),
  'name_has_1_to_128_characters of platform_key (E5)': upTo('name', 128),
  'there_is_one_place of database_place (O5)': [[{ is_only: false }], [{ is_only: true }]],
  'code_hash_has_32_bytes of console_sign_in_code (C1)': hash('code_hash'),
  'operator_of_code_is_not_empty of console_sign_in_code (C1)': [[{ operator: '' }], [{ operator: 'x' }]],
  'operator_of_code_has_no_name_of_others of console_sign_in_code (C1, O6)': [
    [{ operator: 'person Maria (1 at x)' }, { operator: 'API  Key 0192' }, { operator: 'platform key x' }],
    [{ operator: 'Personal' }, { operator: 'api keys' }],
  ],
  'secret_hash_has_32_bytes of console_session (C1)': hash('secret_hash'),
  'session_has_one_user of console_session (C1)': [
    [
      { api_key_id: null },
      { operator: 'x' },
      { subject: 's' },
      { ...OF_OPERATOR, role: 'viewer' },
      { ...OF_OPERATOR, person: 'p' },
      { role: 'operator', organisation_id: null, token_version: null },
      { ...OF_PERSON, state_hash: null },
      { ...OF_PERSON, operator: 'x' },
    ],
    [OF_OPERATOR, { ...OF_PERSON, state_hash: Buffer.alloc(32, 2) }, {}],
  ],
  'operator_of_session_is_not_empty of console_session (C1)': [
    [{ ...OF_OPERATOR, operator: '' }],
    [OF_OPERATOR],
  ],
  'operator_of_session_has_no_name_of_others of console_session (C1, O6)': [
    [{ ...OF_OPERATOR, operator: 'Person Maria (1 at x)' }],
    [OF_OPERATOR],
  ],
  'role_is_known of console_session (C1)': [
    [{ ...OF_PERSON, role: 'root' }],
    [{ ...OF_PERSON, state_hash: Buffer.alloc(32, 3) }],
  ],
  'only_suppliers_have_an_organisation of console_session (A7, C3)': [
    [{ token_version: null }, { organisation_id: null }, { ...OF_PERSON, role: 'supplier' }],
    [OF_OPERATOR, {}],
  ],
  'code_has_1_to_128_characters of import_supplier (T14)': upTo('code', 128),
  'operator_is_not_empty of audit_entry (O6)': [[{ operator: '' }], [{ operator: 'x' }]],
  'action_names_what_and_how of audit_entry (O6)': [
    [{ action: 'set' }, { action: 'Supplier.set' }, { action: 'supplier.set status' }],
    [{ action: 'api_key.issue' }],
  ],
  'details_is_a_json_object of audit_entry (O6)': [[{ details: '[]' }], [{ details: '{}' }]],
  'account_number_only_with_import_supplier of audit_entry (O6)': [
    [{ external_account_number: '1' }],
    [{ external_account_number: '1', import_supplier: 'S' }, {}],
  ],
  'viewer_is_not_empty of viewed (O6)': [[{ viewer: '' }], [{ viewer: 'x' }]],
  'view_is_of_an_account_a_supplier_or_a_session of viewed (O6)': [
    [
      ...['supplier.set', 'console.sign_in', 'failures.download', 'feed.read'].map((action) => ({ action })),
      ...[{ session_id: randomUUID() }, { import_supplier: null }, { external_account_number: null }],
    ],
    [
      ...['account.rows', 'document.view'].map((action) => ({ action })),
      ...['failures.download', 'accounts.download', 'documents.download', 'feed.read'].map((action) => ({
        ...{ action, external_account_number: '' },
      })),
      {
        ...{ action: 'console.sign_out', import_supplier: null, external_account_number: null },
        session_id: randomUUID(),
      },
    ],
  ],
  'last_view_is_not_before_the_first of viewed (O6)': [
    [{ at: EARLIER }, { last_at: EARLIER }, { count: 0 }],
    [{ hour: EARLIER }, {}],
  ],
  'views_from_other_sites_are_among_all of viewed (C1)': [
    [{ from_other_sites: 2 }, { from_other_sites: -1 }],
    [{ from_other_sites: 1 }, {}],
  ],
  'name_is_not_empty of import_supplier (section 6)': [[{ name: '' }], [{ name: 'x' }]],
  'status_is_known of import_supplier (S1)': [
    [{ status: 'Ongoing' }, { status: 'in_progress' }],
    [{ status: 'ongoing' }, { status: 'paused' }, { status: 'complete' }],
  ],
  'archived_supplier_is_complete of import_supplier (S11)': [
    [{ archived_at: DATE_TIME }, { archived_at: DATE_TIME, status: 'paused' }],
    [{ archived_at: DATE_TIME, status: 'complete' }],
  ],
  'quiet_after_is_a_minute_to_a_week of import_supplier (section 6)': [
    [{ quiet_after: 59 }, { quiet_after: 604_801 }],
    [{ quiet_after: 60 }, { quiet_after: 604_800 }, { quiet_after: null }],
  ],
  'document_root_is_not_empty of import_supplier (F1)': [[{ document_root: '' }], [{ document_root: 'x' }]],
  'document_check_is_known of import_supplier (F3)': [
    [{ document_check: 'never' }],
    [{ document_check: 'deferred' }, { document_check: 'reject' }],
  ],
  'external_account_number_has_1_to_128_characters of account_import (T14)': upTo(
    'external_account_number',
    128,
  ),
  'status_is_known of account_import (S3)': [[{ status: 'in_progress' }], [{ status: 'pending' }]],
  'service_account_number_is_a_and_8_hex_digits of account_import (S4)': [
    ['A-0000000', 'A-000000000', 'A-0000000a', 'A-0000000G', 'B-00000000', ' A-00000000'].map(imported),
    ['A-00000000', 'A-F9A00000'].map(imported),
  ],
  'open_statement_period_does_not_end_before_it_starts of account_import (S7)': [
    [{ open_statement_from: '2026-01-02', open_statement_to: '2026-01-01' }],
    [
      { open_statement_from: '2026-01-01', open_statement_to: '2026-01-01' },
      { open_statement_to: '2026-01-01' },
    ],
  ],
  'service_account_number_if_and_only_if_imported of account_import (S3, S4)': [
    [{ ...imported('A-00000001'), service_account_number: null }, { service_account_number: 'A-00000001' }],
    [imported('A-00000001')],
  ],
  'account_created_at_if_and_only_if_imported of account_import (S5)': [
    [{ ...imported('A-00000002'), account_created_at: null }, { account_created_at: DATE_TIME }],
    [imported('A-00000002')],
  ],
  'imported_account_has_open_statement_from of account_import (S6)': [
    [{ ...imported('A-00000003'), open_statement_from: null }],
    [imported('A-00000003')],
  ],
  'failure_if_and_only_if_failed of account_import (S3)': [
    [{ status: 'failed' }, { failure: 'No.' }, { ...imported('A-00000004'), failure: 'No.' }],
    [{ status: 'failed', failure: 'No.' }],
  ],
  'first_number_is_not_after_last_number of import_lease (S3, S5)': [
    ['21', 'aB'].map(([first_number, last_number]) => ({ first_number, last_number })),
    ['11', 'Ba'].map(([first_number, last_number]) => ({ first_number, last_number })),
  ],
  'outcome_is_known of supplier_run (C9, F5)': [
    [{ outcome: 'lost' }],
    ['complete', 'interrupted', 'failed', null].map((outcome) => ({ outcome })),
  ],
  'kind_is_known of supplier_run (C9, F5)': [
    [{ kind: 'import' }],
    [{ kind: 'retry' }, { kind: 'documents' }],
  ],
  'counts_are_not_negative of supplier_run (C9, F5)': [
    [{ done: -1 }, { expected: -1 }],
    [{ done: 0, expected: null }, { expected: 0 }],
  ],
  'sequence_is_positive of feed_change (E3)': [[{ sequence: 0 }], [{ sequence: 1 }]],
  'type_is_known of feed_change (E2)': [
    [{ type: 'account.created' }],
    CHANGE_TYPES.filter((type) => type !== 'supplier.status_changed').map((type) => ({ type })),
  ],
  'status_if_and_only_if_it_changed of feed_change (E2)': [
    [{ status: 'paused' }, { ...STATUS_CHANGE, status: null }],
    [STATUS_CHANGE],
  ],
  'account_and_time_are_erased_together of feed_change (E4)': [
    [{ at: null }, { external_account_number: null }, { ...STATUS_CHANGE, at: null }],
    [{ at: null, external_account_number: null }, STATUS_CHANGE],
  ],
  'import_request_id_only_with_account of feed_change (E4)': [
    [{ at: null, external_account_number: null, import_request_id: randomUUID() }],
    [{ import_request_id: randomUUID() }],
  ],
  'last_sequence_is_not_negative of feed (E3)': [[{ last_sequence: -1 }], [{ last_sequence: 0 }]],
  'number_is_positive of feed_epoch (E7)': [[{ number: 0 }], [{ number: 2 }]],
  'continues_after_is_not_negative of feed_epoch (E7)': [[{ continues_after: -1 }], [{ continues_after: 1 }]],
  'reason_is_not_empty of feed_epoch (E7)': [[{ reason: '' }], [{ reason: 'x' }]],
  'name_has_1_to_128_characters of feed_reader (E6)': upTo('name', 128),
  'sequence_is_not_negative of feed_reader (E6)': [[{ sequence: -1 }], [{ sequence: 1 }]],
  'reason_is_not_empty of erasure (S10)': [[{ reason: '' }], [{ reason: 'x' }]],
  'kind_is_known of import_request (section 4)': [
    [{ kind: 'payment_instructions' }],
    ['notes', 'transactions', 'statements', 'payment_instruction'].map((kind) => ({ kind })),
  ],
  'stored_is_positive of import_request (section 4)': [[{ stored: 0 }, { stored: -1 }], [{ stored: 1 }]],
  'pinned_notes_only_with_transactions of import_request (X7)': [
    [
      { kind: 'notes', pinned_notes: 1 },
      ...[2, -1].map((count) => ({ kind: 'transactions', pinned_notes: count })),
    ],
    [{ pinned_notes: 0 }, { kind: 'transactions', pinned_notes: 1 }],
  ],
  'counts_are_not_negative of supplier_minute (O10)': [
    [{ requests: -1 }, { payment_instructions: -1 }, { failed: -1 }],
    [{ requests: 0 }],
  ],
  'control_expects_something of account_control (V6)': [
    [{ notes: null }],
    [{ notes: 0 }, { notes: null, amount: '0' }, { notes: null, payment_instructions: 1 }],
  ],
  'control_counts_are_not_negative of account_control (V6)': [
    [{ notes: -1 }, { transactions: -1 }, { statements: -1 }, { payment_instructions: -1 }],
    [{ notes: 0 }, { amount: '-1.00' }],
  ],
  'state_is_known of account_control (V6)': [
    [{ state: 'differs' }, { state: '' }],
    [{ state: 'not_imported' }, { state: 'wrong_amount' }],
  ],
  'external_account_number_has_at_most_128_characters of import_refusal (O6)': atMost(
    'external_account_number',
    128,
  ),
  'kind_is_known of import_refusal (O6)': [
    [{ kind: 'payment_instructions' }],
    ['notes', 'transactions', 'statements', 'payment_instruction'].map((kind) => ({ kind })),
  ],
  'request_id_has_at_most_128_characters of import_refusal (O6)': atMost('request_id', 128),
  'status_is_400_or_404 of import_refusal (O6)': [
    [{ status: 401 }, { status: 503 }],
    [{ status: 400 }, { status: 404 }],
  ],
  'attr_has_at_most_256_characters of import_refusal (O6)': atMost('attr', 256, { field_code: 'blank' }),
  'attr_if_and_only_if_field_code of import_refusal (O6)': [
    [{ attr: 'notes' }, { field_code: 'blank' }],
    [{ attr: '', field_code: 'blank' }, {}],
  ],
  'items_are_an_object of import_refusal (C9)': [
    [{ items: '[]' }, { items: '"x"' }],
    [{ items: '{"others":["x"]}' }, {}],
  ],
  'items_are_small of import_refusal (C9)': [
    [{ items: JSON.stringify({ others: [characters(8_192)] }) }],
    [{ items: JSON.stringify({ others: [characters(1_000)] }) }],
  ],
  'value_has_at_most_128_characters of import_refusal (C9)': atMost('value', 128, WRONG_CHOICE),
  'value_only_of_a_field_with_a_closed_set_of_values of import_refusal (C9)': [
    [
      ...[{ value: 'x' }, { attr: 'type', field_code: 'blank', value: 'x' }],
      ...['notes.0.body', 'my_type', 'type.0'].map((attr) => ({ ...WRONG_CHOICE, attr })),
    ],
    [
      ...['type', 'transactions.0.reason', 'a.0.b.1.unit_type', 'vendor'].map((attr) => ({
        ...WRONG_CHOICE,
        attr,
      })),
      ...[
        { ...WRONG_CHOICE, attr: 'transactions.7.payment_type' },
        { ...WRONG_CHOICE, attr: 'type', value: null },
      ],
    ],
  ],
  'body_has_at_most_50000_characters of note (T14)': [
    [{ body: characters(50_001) }],
    [{ body: characters(50_000) }],
  ],
  'as_many_document_locations_as_paths of note (F1)': [
    [
      { ...TWO, document_locations: ['root/a'] },
      { ...TWO, document_paths: ['a'] },
      { document_paths: ['a'] },
    ],
    [TWO],
  ],
  'key_time_is_infinite_or_sent_created_at of note (N4)': [
    [{ created_at: EARLIER }, { created_at_sent: false }].map((one) => ({ key_time: DATE_TIME, ...one })),
    [{ key_time: DATE_TIME, created_at: DATE_TIME, created_at_sent: true }],
  ],
  'unpin_at_is_not_before_sent_created_at of note (N3)': [
    [{ created_at: DATE_TIME, created_at_sent: true, unpin_at: EARLIER }],
    [
      { created_at: DATE_TIME, created_at_sent: true, unpin_at: DATE_TIME },
      { created_at: DATE_TIME, created_at_sent: false, unpin_at: EARLIER },
    ],
  ],
  'note_has_body_or_document of note (N2)': [[{ body: '' }], [{ ...ONE, body: '' }, { body: 'x' }]],
  'documents_seen_at_only_with_documents of note (F3)': [
    [{ documents_seen_at: DATE_TIME }],
    [{ ...ONE, documents_seen_at: DATE_TIME }],
  ],
  'unseen_document_paths_are_some_of_document_paths of note (F3)': [
    [
      ...[{ unseen_document_paths: ['a'] }, { ...ONE, unseen_document_paths: ['b'] }],
      ...[{ ...ONE, unseen_document_paths: [] }],
      { ...ONE, unseen_document_paths: ['a'], documents_seen_at: DATE_TIME },
    ],
    [{ ...TWO, unseen_document_paths: ['b'] }],
  ],
  'field_is_known of catalogue_value (X3)': [
    [{ field: 'type' }],
    ['reason', 'payment_type', 'vendor', 'instruction_type'].map((field) => ({ field })),
  ],
  'value_has_1_to_128_characters of catalogue_value (T14, X3)': upTo('value', 128),
  'statement_id_has_1_to_128_characters of statement (T14)': upTo('statement_id', 128),
  'number_has_1_to_128_characters of statement (T14)': upTo('number', 128),
  'bill_period_does_not_end_before_it_starts of statement (H1)': [
    [{ bill_period_from_date: '2026-01-02', bill_period_to_date: '2026-01-01' }],
    [{ bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-01' }],
  ],
  'gross_amount_has_at_most_10_decimals of statement (H1, X2)': [
    [{ gross_amount: '0.00000000001' }],
    [{ gross_amount: '-0.0000000001' }],
  ],
  'statement_path_has_1_to_1024_bytes of statement (T14)': [
    [
      { statement_path: '', document_location: 'root/' },
      { statement_path: `${characters(256)}x`, document_location: 'root/x' },
    ],
    [{ statement_path: characters(256), document_location: 'root/x' }],
  ],
  'document_location_if_and_only_if_statement_path of statement (F1)': [
    [{ statement_path: 'a' }, { document_location: 'root/a' }],
    [{ statement_path: 'a', document_location: 'root/a' }],
  ],
  'document_seen_at_only_with_document of statement (F3)': [
    [{ document_seen_at: DATE_TIME }],
    [{ document_seen_at: DATE_TIME, statement_path: 'a', document_location: 'root/a' }],
  ],
  'vendor_has_1_to_128_characters of payment_instruction (T14)': upTo('vendor', 128),
  'reference_has_1_to_512_characters of payment_instruction (T14)': upTo('reference', 512),
  'type_has_1_to_128_characters of payment_instruction (T14)': upTo('type', 128),
  'details_is_a_json_object of payment_instruction (P1)': [
    ['[]', '"x"', 'null'].map((details) => ({ details })),
    [{ details: '{}' }],
  ],
  'details_contain_no_card_number of payment_instruction (P1)': [
    ['424242424242', '4242 4242 4242', '4242-4242-4242'].map((number) => ({
      details: JSON.stringify({ number }),
    })),
    [{ details: JSON.stringify({ number: '4242-4242 424' }) }],
  ],
  'transaction_id_has_1_to_128_characters of transaction (T14)': upTo('transaction_id', 128),
  'sent_date_differs_from_transaction_date of transaction (X7)': [
    [{ transaction_date: '2026-01-01', sent_date: '2026-01-01' }],
    [{ transaction_date: '2026-01-01', sent_date: '2025-12-31' }],
  ],
  'type_is_known of transaction (X3)': [
    [{ type: 'REFUND' }, { type: 'charge' }],
    ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT'].map((type) => ({ type, transaction_id: type })),
  ],
  'supply_charge_has_product_code_and_line_items of transaction (X1)': [
    [
      { type: 'SUPPLY_CHARGE', line_items: '[]' },
      { type: 'SUPPLY_CHARGE', product_code: 'x' },
    ],
    [{ type: 'SUPPLY_CHARGE', product_code: 'x', line_items: '[]' }],
  ],
  'line_items_is_a_json_array of transaction (X1)': [[{ line_items: '{}' }], [{ line_items: '[]' }]],
  'tax_items_is_a_json_array of transaction (X1)': [[{ tax_items: '{}' }], [{ tax_items: '[]' }]],
};

/** Checks of a table that exists only on several nodes. */
const CHECKS_OF_NODES: Record<string, Check> = {
  'service_account_number_if_and_only_if_not_being_erased of imported_account (S10)': [
    [{ erasure_id: null }, { service_account_number: 'A-00000007' }],
    [{}],
  ],
};

/** A row, another that conflicts with it, and the nearest that does not. */
type Uniqueness = readonly [first: Columns, second: Columns, other: Columns];

/** A column whose letter case counts. @param others columns in which the second row differs */
const same = (column: string, others: Columns = {}): Uniqueness => [
  { [column]: 'same' },
  { [column]: 'same', ...others },
  { [column]: 'Same' },
];

const UNIQUE: Record<string, Uniqueness> = {
  'organisation_name_is_unique of organisation (section 6)': same('name'),
  'api_key_handle_is_unique of api_key (A6)': same('handle', { key_hash: Buffer.alloc(32, 1) }),
  'platform_key_handle_is_unique of platform_key (A6, E5)': same('handle', { key_hash: Buffer.alloc(32, 1) }),
  'session_secret_is_unique of console_session (C1)': [
    { secret_hash: Buffer.alloc(32, 1) },
    { secret_hash: Buffer.alloc(32, 1), ...OF_OPERATOR },
    { secret_hash: Buffer.alloc(32, 2) },
  ],
  'sign_in_of_a_person_is_one_session of console_session (C1)': [
    OF_PERSON,
    { ...OF_PERSON, subject: 'another' },
    { ...OF_PERSON, state_hash: Buffer.alloc(32, 1) },
  ],
  'views_of_an_hour_are_one_row of viewed (O6)': [
    { viewer: 'same' },
    { viewer: 'same', count: 2 },
    { viewer: 'same', action: 'account.rows' },
  ],
  'import_supplier_code_is_unique of import_supplier (T14)': same('code'),
  'erasure_of_an_account_is_unique of erasure (S10)': [
    { external_account_number: null },
    { external_account_number: null },
    { external_account_number: '1' },
  ],
};

/** On several nodes, a single sequence makes these unique instead; test/citus/commands.spec.ts checks it. */
const UNIQUE_ON_SINGLE_NODE: Record<string, Uniqueness> = {
  'service_account_number_is_unique of account_import (S4)': [
    imported('A-00000005'),
    imported('A-00000005'),
    imported('A-00000006'),
  ],
};

/** Values that make a row invalid because they refer to something that does not exist. */
const REFERENCES: Record<string, Columns> = {
  'organisation_exists of api_key (A6)': { organisation_id: randomUUID() },
  'session_api_key_exists of console_session (C1)': { api_key_id: randomUUID() },
  'session_organisation_exists of console_session (C1)': { organisation_id: randomUUID() },
  'import_supplier_exists of import_supplier_grant (A8)': { import_supplier_id: 0 },
  'import_supplier_exists of erasure (S10)': { import_supplier_id: 0 },
  'erasure_exists of account_erasure (S10)': { erasure_id: randomUUID() },
  'import_supplier_exists of feed (E3)': { import_supplier_id: 0 },
  'import_supplier_exists of feed_epoch (E7)': { import_supplier_id: 0 },
  'import_supplier_exists of feed_reader (E6)': { import_supplier_id: 0 },
  'import_supplier_exists of supplier_total (O10)': { import_supplier_id: 0 },
  'import_supplier_exists of supplier_minute (O10)': { import_supplier_id: 0 },
  'account_import_exists of account_control (V6)': { external_account_number: 'nobody' },
  'account_import_exists of unloaded_account (C10, S10)': { external_account_number: 'nobody' },
  'import_supplier_exists of import_lease (S3)': { import_supplier_id: 0 },
};

/** The command refuses it on several nodes: test/e2e/apps/cli/suppliers.commands.spec.ts. */
const REFERENCES_ON_SINGLE_NODE: Record<string, Columns> = {
  'organisation_exists of import_supplier_grant (A8)': { organisation_id: randomUUID() },
};

const REFERENCES_OF_NODES: Record<string, Columns> = {
  'import_supplier_exists of account_import (S3)': { import_supplier_id: 0 },
  'imported_account_exists of account_import (S3)': imported('A-00000008'),
  'account_is_imported of imported_account (S3)': { service_account_number: 'A-00000009', erasure_id: null },
  'account_erasure_exists of imported_account (S10)': { erasure_id: randomUUID() },
  ...Object.fromEntries(
    ['import_request', 'note', 'transaction', 'statement', 'payment_instruction'].map((table) => [
      `imported_account_exists of ${table} (S8)`,
      { external_account_number: 'none' },
    ]),
  ),
};

/** Unique keys that exist only on several nodes, for foreign keys. They contain the primary key of their table. */
const KEYS_OF_FOREIGN_KEYS = [
  'account_import_has_one_number of account_import',
  'account_has_one_erasure of account_erasure',
  'imported_account_has_one_number of imported_account',
];

const OF_THIS_KIND = isCluster()
  ? {
      checks: { ...CHECKS, ...CHECKS_OF_NODES },
      unique: UNIQUE,
      references: { ...REFERENCES, ...REFERENCES_OF_NODES },
      keys: KEYS_OF_FOREIGN_KEYS,
    }
  : {
      checks: CHECKS,
      unique: { ...UNIQUE, ...UNIQUE_ON_SINGLE_NODE },
      references: { ...REFERENCES, ...REFERENCES_ON_SINGLE_NODE },
      keys: [],
    };

describe('the database refuses', () => {
  const database = setUp(createDatabase);
  const given = standIn(() => givenIn(database));

  /** A valid row for each table, of a new supplier with an imported account. */
  async function possibleRows(): Promise<Record<string, Columns>> {
    const { supplier, ref } = await given.importedAccount();
    const id = await idOf(database, supplier);
    const { organisationId, apiKeyId } = await given.organisation();
    const account = { import_supplier_id: id, external_account_number: ref.external_account_number };
    const erasure = randomUUID();
    await database.sql(
      `INSERT INTO erasure (import_supplier_id, id, external_account_number, reason, run_id)
       VALUES ($1, $2, 'another', 'test', uuidv7())`,
      [id, erasure],
    );
    const another = { import_supplier_id: id, external_account_number: 'another', erasure_id: erasure };
    if (database.isDistributed) await insert('account_erasure', another);
    const item = { ...account, import_request_id: randomUUID() };
    return {
      organisation: { name: unique('Organisation') },
      console_sign_in_code: { code_hash: randomBytes(32), operator: 'test' },
      database_place: { place: 'test' },
      console_session: {
        ...{ secret_hash: randomBytes(32), api_key_id: apiKeyId, role: 'supplier' },
        ...{ organisation_id: organisationId, token_version: 1, expires_at: DATE_TIME },
      },
      api_key: {
        organisation_id: organisationId,
        handle: unique('handle'),
        key_hash: Buffer.alloc(32),
        label: 'test',
      },
      platform_key: {
        ...{ handle: unique('handle'), key_hash: Buffer.alloc(32), name: 'test' },
        expires_at: DATE_TIME,
      },
      rate_limit: { subject: unique('subject'), theoretical_arrival_at: DATE_TIME },
      catalogue_value: { field: 'reason', value: unique('VALUE') },
      import_supplier: { code: unique('SUPPLIER'), name: 'S', document_root: 's' },
      import_supplier_grant: { import_supplier_id: id, organisation_id: organisationId },
      audit_entry: { operator: 'test', action: 'supplier.set', subject: 'test' },
      viewed: {
        ...{ viewer: unique('viewer'), action: 'account.view' },
        ...{ import_supplier: 'S', external_account_number: '1' },
        ...{ hour: DATE_TIME, at: DATE_TIME, last_at: DATE_TIME, count: 1 },
      },
      account_import: { import_supplier_id: id, external_account_number: unique('account') },
      import_lease: {
        import_supplier_id: id,
        first_number: '1',
        last_number: '2',
        held_by: 'test',
        expires_at: DATE_TIME,
      },
      supplier_run: { import_supplier: unique('SUPPLIER'), kind: 'retry', id: randomUUID() },
      erasure: { ...account, reason: 'test', run_id: randomUUID() },
      account_erasure: { ...account, erasure_id: erasure },
      imported_account: another,
      import_request: {
        ...account,
        id: randomUUID(),
        kind: 'notes',
        api_key_id: randomUUID(),
        request_id: 'test',
        stored: 1,
      },
      import_refusal: {
        ...account,
        id: randomUUID(),
        at: DATE_TIME,
        kind: 'notes',
        organisation_id: randomUUID(),
        api_key_id: randomUUID(),
        request_id: 'test',
        status: 400,
        code: 'validation_error',
        is_dry_run: false,
      },
      note: { ...item, created_at: DATE_TIME, created_at_sent: true, body: 'text', is_pinned: false },
      transaction: {
        ...item,
        transaction_id: 'id',
        transaction_date: '2026-01-01',
        amount: '1.00',
        type: 'CHARGE',
      },
      statement: {
        ...item,
        statement_id: 'id',
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
      },
      payment_instruction: {
        ...item,
        vendor: 'SANDBOX',
        reference: 'ok_1',
        type: 'CARD',
        details: '{}',
        verified_at: DATE_TIME,
      },
      supplier_total: { import_supplier_id: id },
      supplier_change: { import_supplier_id: id },
      feed: { import_supplier_id: id },
      feed_epoch: { import_supplier_id: id, number: 1, continues_after: 0, reason: 'test' },
      feed_change: { ...account, sequence: 1, at: DATE_TIME, type: 'account.imported' },
      feed_reader: { import_supplier_id: id, name: 'billing', platform_key_id: randomUUID(), sequence: 0 },
      account_control: { ...account, notes: 1, state: 'agrees' },
      unloaded_account: account,
      supplier_minute: {
        ...{ import_supplier_id: id, minute: DATE_TIME, requests: 1, notes: 1, transactions: 1 },
        ...{ statements: 1, payment_instructions: 1, imported: 1, failed: 1 },
      },
    };
  }

  /** @param run runs the SQL; creating an imported account needs `imports` */
  function insert(table: string, columns: Columns, run = database.imports): Promise<unknown> {
    const names = Object.keys(columns);
    const places = names.map((_name, index) => `$${index + 1}`);
    return (table === 'account_import' ? run : database.sql)(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(columns),
    );
  }

  /** The constraint and table named by a case. */
  function namesIn(ofCase: string): { readonly constraint: string; readonly table: string } {
    const [, constraint = '', table = ''] = /^(\w+) of (\w+) \(/.exec(ofCase) ?? [];
    return { constraint, table };
  }

  it.each(Object.entries(OF_THIS_KIND.checks))('what %s forbids', async (ofCase, [wrong, right]) => {
    const { constraint, table } = namesIn(ofCase);
    const rows = await possibleRows();
    for (const columns of wrong) {
      const row = { ...rows[table], ...columns };
      expect(await refusalOf(insert(table, row))).toMatchObject({ code: '23514', table, constraint });
    }
    for (const columns of right) {
      const row = { ...(await possibleRows())[table], ...columns };
      expect(await refusalOf(insert(table, row))).toBeUndefined();
    }
  });

  it.each(Object.entries(OF_THIS_KIND.unique))('what %s forbids', async (ofCase, [first, second, other]) => {
    const { constraint, table } = namesIn(ofCase);
    const [rows, others] = [await possibleRows(), await possibleRows()];
    // Notes are unique within an account, erasures within a supplier; everything else is unique across suppliers.
    const beside = ['note', 'erasure'].includes(table) ? rows : others;
    await insert(table, { ...rows[table], ...first });
    const again = insert(table, { ...beside[table], ...second });
    expect(await refusalOf(again)).toMatchObject({ code: '23505', constraint });
    expect(await refusalOf(insert(table, { ...beside[table], ...other }))).toBeUndefined();
  });

  it.each(Object.entries(OF_THIS_KIND.references))('what %s forbids', async (ofCase, wrong) => {
    const { constraint, table } = namesIn(ofCase);
    const rows = await possibleRows();
    const astray = insert(table, { ...rows[table], ...wrong }, database.sql);
    expect(await refusalOf(astray)).toMatchObject({ code: '23503', table, constraint });
    expect(await refusalOf(insert(table, rows[table]!))).toBeUndefined();
  });

  it('an amount of more than twelve digits before the point (X2)', async () => {
    const rows = await possibleRows();
    const amount = (value: string): Promise<unknown> =>
      insert('transaction', { ...rows.transaction, amount: value });
    expect(await refusalOf(amount('1000000000000.00'))).toMatchObject({ code: '22003' });
    expect(await refusalOf(amount('-999999999999.99'))).toBeUndefined();
  });

  it('an account of a supplier that does not exist (S3)', async () => {
    const rows = await possibleRows();
    const orphan = insert('account_import', { ...rows.account_import, import_supplier_id: 0 });
    expect(await refusalOf(orphan)).toMatchObject({ code: '23503' });
    expect(await refusalOf(insert('account_import', rows.account_import!))).toBeUndefined();
  });

  it('to move an account to another supplier, even while it is pending (S3)', async () => {
    const [{ account_import: account }, { account_import: other }] = [
      await possibleRows(),
      await possibleRows(),
    ];
    await insert('account_import', account!);
    const moved = database.sql(
      'UPDATE account_import SET import_supplier_id = $1 WHERE external_account_number = $2',
      [other!.import_supplier_id, account!.external_account_number],
    );
    // Citus refuses every change of a distribution column.
    expect(await refusalOf(moved)).toMatchObject({ code: database.isDistributed ? '0A000' : '23001' });
  });

  it('to delete a supplier that has accounts, even while the first one is being staged (S3)', async () => {
    const supplier = async (): Promise<number> => {
      const { import_supplier: row } = await possibleRows();
      await insert('import_supplier', row!);
      return idOf(database, row!.code as string);
    };
    const deletion = (id: number): Promise<pg.DatabaseError | undefined> =>
      refusalOf(database.sql('DELETE FROM import_supplier WHERE id = $1', [id]));
    expect(await deletion(await supplier())).toBeUndefined();

    const id = await supplier();
    await using staging = await database.connect();
    await staging.query('BEGIN');
    await staging.query(
      `INSERT INTO account_import (import_supplier_id, external_account_number) VALUES ($1, 'first')`,
      [id],
    );
    const meanwhile = deletion(id);
    await database.blocked(1);
    await staging.query('COMMIT');
    expect(await meanwhile).toMatchObject({ code: database.isDistributed ? '23503' : '23001' });
  });

  it('to delete an organisation that has a grant (A8)', async () => {
    const { organisationId, supplier } = await given.supplier();
    const deletion = (): Promise<unknown> =>
      database.sql('DELETE FROM organisation WHERE id = $1', [organisationId]);
    await database.sql('DELETE FROM api_key WHERE organisation_id = $1', [organisationId]);
    expect(await refusalOf(deletion())).toMatchObject({ code: database.isDistributed ? '23001' : '23503' });
    await database.sql(
      'DELETE FROM import_supplier_grant WHERE import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)',
      [supplier],
    );
    expect(await refusalOf(deletion())).toBeUndefined();
  });

  it.each([
    `UPDATE audit_entry SET operator = 'nobody'`,
    `DELETE FROM audit_entry WHERE operator = 'nobody'`,
    'TRUNCATE audit_entry',
  ])('to change audit entries: %s (O6)', async (change) => {
    expect(await refusalOf(database.sql(change))).toMatchObject({ code: '23001' });
  });

  it('what every constraint forbids: each constraint has a case above (engineering rule)', async () => {
    const constraints = await database.sql<{ name: string }>(
      `SELECT format('%s of %s', conname, conrelid::regclass) AS name
         FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
          -- The coordinator has a shard of each table that every node has a copy of.
          AND conrelid::regclass::text !~ '_1\\d{5,}$'
       UNION ALL
       SELECT format('%s of %s', indexrelid::regclass, indrelid::regclass)
         FROM pg_index
         JOIN pg_class c ON c.oid = indexrelid
        WHERE c.relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary
          AND indrelid::regclass::text !~ '_1\\d{5,}$'`,
    );
    const { checks, unique: indexes, references, keys } = OF_THIS_KIND;
    const cases = [checks, indexes, references].flatMap((group) =>
      Object.keys(group).map((ofCase) => ofCase.replace(/ \(.*/, '')),
    );
    expect(constraints.map(({ name }) => name).sort()).toEqual([...cases, ...keys].sort());
  });
});

describe('the platform’s account numbers', () => {
  const database = setUpEach(createDatabase);

  it('do not repeat before all have been assigned, and then none is left (S4)', async () => {
    const numberOf = async (serial: number): Promise<string> => {
      const [row] = await database.sql<{ number: string }>(
        `SELECT next_service_account_number() AS number
           FROM setval('service_account_serial', $1::bigint, false)`,
        [serial],
      );
      return row!.number;
    };
    // Multiplication by an odd number modulo 2^32 keeps values distinct; by an even one, 0 and some power of two would collide.
    const serials = [0, ...Array.from({ length: 32 }, (_bit, exponent) => 2 ** exponent), 2 ** 32 - 1];
    const numbers: string[] = [];
    for (const serial of serials) numbers.push(await numberOf(serial));
    expect(new Set(numbers).size).toBe(serials.length);
    expect(numbers.filter((number) => !/^A-[0-9A-F]{8}$/.test(number))).toEqual([]);
    const oneMore = database.sql('SELECT next_service_account_number()');
    expect(await refusalOf(oneMore)).toMatchObject({ code: '2200H' });
  });
});
