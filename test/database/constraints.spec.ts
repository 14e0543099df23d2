import { CHANGE_TYPES } from '../../src/changes/change-types.js';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, isCluster, refusalOf, type TestDatabase } from '../support/database.js';
import { givenIn, unique, type Given } from '../support/service.js';

/** Values of columns as they travel to the database: bytes, text, JSON as text. */
type Columns = Record<string, unknown>;

const DATE_TIME = '2026-01-02T00:00:00Z';
const EARLIER = '2026-01-01T00:00:00Z';

/** So many characters, each of which is two code units and four bytes. */
const characters = (count: number): string => '😀'.repeat(count);

/** Both sides of the edges of a text of 1 to `max` characters. */
const upTo = (column: string, max: number): { wrong: Columns[]; right: Columns[] } => ({
  wrong: [{ [column]: '' }, { [column]: characters(max + 1) }],
  right: [{ [column]: 'x' }, { [column]: characters(max) }],
});

/** What an account import has when it is imported. */
const imported = (number: string): Columns => ({
  status: 'imported',
  service_account_number: number,
  account_created_at: DATE_TIME,
  open_statement_from: '2026-01-01',
});

interface Check {
  /** Name of the constraint. */
  readonly name: string;
  readonly table: string;
  /** What makes a row impossible that is otherwise right. */
  readonly wrong: readonly Columns[];
  /** The nearest that is possible. */
  readonly right: readonly Columns[];
}

/** Of a row that is otherwise a change of an account. */
const STATUS_CHANGE = { type: 'supplier.status_changed', external_account_number: null, status: 'paused' };

const CHECKS: Record<string, Check> = {
  'an organisation whose name is empty or longer than 128 characters (T14)': {
    name: 'name_has_1_to_128_characters',
    table: 'organisation',
    ...upTo('name', 128),
  },
  'an API key whose hash is not 32 bytes (A6)': {
    name: 'key_hash_has_32_bytes',
    table: 'api_key',
    wrong: [{ key_hash: Buffer.alloc(31) }, { key_hash: Buffer.alloc(33) }],
    right: [{ key_hash: Buffer.alloc(32) }],
  },
  'a platform key whose hash is not 32 bytes (A6, E5)': {
    name: 'key_hash_has_32_bytes',
    table: 'platform_key',
    wrong: [{ key_hash: Buffer.alloc(31) }, { key_hash: Buffer.alloc(33) }],
    right: [{ key_hash: Buffer.alloc(32) }],
  },
  'a platform key whose name is empty or longer than 128 characters (E5)': {
    name: 'name_has_1_to_128_characters',
    table: 'platform_key',
    ...upTo('name', 128),
  },
  'a sign-in code whose hash is not 32 bytes (C1)': {
    name: 'code_hash_has_32_bytes',
    table: 'console_sign_in_code',
    wrong: [{ code_hash: Buffer.alloc(31) }, { code_hash: Buffer.alloc(33) }],
    right: [{ code_hash: Buffer.alloc(32) }],
  },
  'a sign-in code of nobody (C1)': {
    name: 'operator_of_code_is_not_empty',
    table: 'console_sign_in_code',
    wrong: [{ operator: '' }],
    right: [{ operator: 'x' }],
  },
  'a second place of the database (O5)': {
    name: 'there_is_one_place',
    table: 'database_place',
    wrong: [{ is_only: false }],
    right: [{ is_only: true }],
  },
  'a session whose hash is not 32 bytes (C1)': {
    name: 'secret_hash_has_32_bytes',
    table: 'console_session',
    wrong: [{ secret_hash: Buffer.alloc(31) }, { secret_hash: Buffer.alloc(33) }],
    right: [{ secret_hash: Buffer.alloc(32) }],
  },
  'a session of nobody, or of an operator and an admin (C1)': {
    name: 'session_is_of_an_operator_or_an_api_key',
    table: 'console_session',
    wrong: [{ api_key_id: null, token_version: null }, { operator: 'x' }],
    right: [{ operator: 'x', api_key_id: null, token_version: null }, {}],
  },
  'a session of an operator without a name (C1)': {
    name: 'operator_of_session_is_not_empty',
    table: 'console_session',
    wrong: [{ operator: '', api_key_id: null, token_version: null }],
    right: [{ operator: 'x', api_key_id: null, token_version: null }],
  },
  'a session of an admin that a forced re-authentication would not end (A7, C3)': {
    name: 'token_version_only_with_api_key',
    table: 'console_session',
    wrong: [{ token_version: null }, { operator: 'x', api_key_id: null }],
    right: [{ operator: 'x', api_key_id: null, token_version: null }, {}],
  },
  'a supplier whose code is empty or longer than 128 characters (T14)': {
    name: 'code_has_1_to_128_characters',
    table: 'import_supplier',
    ...upTo('code', 128),
  },
  'an audit entry without an operator (O6)': {
    name: 'operator_is_not_empty',
    table: 'audit_entry',
    wrong: [{ operator: '' }],
    right: [{ operator: 'x' }],
  },
  'an audit entry whose action is not a subject and a verb (O6)': {
    name: 'action_names_what_and_how',
    table: 'audit_entry',
    wrong: [{ action: 'set' }, { action: 'Supplier.set' }, { action: 'supplier.set status' }],
    right: [{ action: 'api_key.issue' }],
  },
  'an audit entry whose details are not an object (O6)': {
    name: 'details_is_a_json_object',
    table: 'audit_entry',
    wrong: [{ details: '[]' }],
    right: [{ details: '{}' }],
  },
  'an audit entry of an account without its supplier (O6)': {
    name: 'account_number_only_with_import_supplier',
    table: 'audit_entry',
    wrong: [{ external_account_number: '1' }],
    right: [{ external_account_number: '1', import_supplier: 'S' }, {}],
  },
  'evidence of nobody (O6)': {
    name: 'viewer_is_not_empty',
    table: 'viewed',
    wrong: [{ viewer: '' }],
    right: [{ viewer: 'x' }],
  },
  'evidence that is neither of an account, nor of a supplier, nor of a session (O6)': {
    name: 'view_is_of_an_account_a_supplier_or_a_session',
    table: 'viewed',
    wrong: [
      { action: 'supplier.set' },
      { action: 'console.sign_in' },
      { session_id: randomUUID() },
      { import_supplier: null },
      { external_account_number: null },
      { action: 'failures.download' },
      { action: 'feed.read' },
    ],
    right: [
      { action: 'account.rows' },
      { action: 'document.view' },
      { action: 'failures.download', external_account_number: '' },
      { action: 'accounts.download', external_account_number: '' },
      { action: 'documents.download', external_account_number: '' },
      { action: 'feed.read', external_account_number: '' },
      {
        ...{ action: 'console.sign_out', import_supplier: null, external_account_number: null },
        session_id: randomUUID(),
      },
    ],
  },
  'evidence that ends before it begins, or of nothing (O6)': {
    name: 'last_view_is_not_before_the_first',
    table: 'viewed',
    wrong: [{ at: EARLIER }, { last_at: EARLIER }, { count: 0 }],
    right: [{ hour: EARLIER }, {}],
  },
  'evidence of more views from other sites than there are views (C1)': {
    name: 'views_from_other_sites_are_among_all',
    table: 'viewed',
    wrong: [{ from_other_sites: 2 }, { from_other_sites: -1 }],
    right: [{ from_other_sites: 1 }, {}],
  },
  'a supplier without a name (section 6)': {
    name: 'name_is_not_empty',
    table: 'import_supplier',
    wrong: [{ name: '' }],
    right: [{ name: 'x' }],
  },
  'a supplier with an unknown status (S1)': {
    name: 'status_is_known',
    table: 'import_supplier',
    wrong: [{ status: 'Ongoing' }, { status: 'in_progress' }],
    right: [{ status: 'ongoing' }, { status: 'paused' }, { status: 'complete' }],
  },
  'a supplier that is archived and not complete (S11)': {
    name: 'archived_supplier_is_complete',
    table: 'import_supplier',
    wrong: [{ archived_at: DATE_TIME }, { archived_at: DATE_TIME, status: 'paused' }],
    right: [{ archived_at: DATE_TIME, status: 'complete' }],
  },
  'a supplier without a document root (F1)': {
    name: 'document_root_is_not_empty',
    table: 'import_supplier',
    wrong: [{ document_root: '' }],
    right: [{ document_root: 'x' }],
  },
  'a supplier with an unknown document check (F3)': {
    name: 'document_check_is_known',
    table: 'import_supplier',
    wrong: [{ document_check: 'never' }],
    right: [{ document_check: 'deferred' }, { document_check: 'reject' }],
  },
  'an account whose external number is empty or longer than 128 characters (T14)': {
    name: 'external_account_number_has_1_to_128_characters',
    table: 'account_import',
    ...upTo('external_account_number', 128),
  },
  'an account with an unknown status (S3)': {
    name: 'status_is_known',
    table: 'account_import',
    wrong: [{ status: 'in_progress' }],
    right: [{ status: 'pending' }],
  },
  'an account number that is not A- and 8 upper-case hexadecimal digits (S4)': {
    name: 'service_account_number_is_a_and_8_hex_digits',
    table: 'account_import',
    wrong: ['A-0000000', 'A-000000000', 'A-0000000a', 'A-0000000G', 'B-00000000', ' A-00000000'].map(
      imported,
    ),
    right: ['A-00000000', 'A-F9A00000'].map(imported),
  },
  'an account whose open statement period ends before it starts (S7)': {
    name: 'open_statement_period_does_not_end_before_it_starts',
    table: 'account_import',
    wrong: [{ open_statement_from: '2026-01-02', open_statement_to: '2026-01-01' }],
    right: [
      { open_statement_from: '2026-01-01', open_statement_to: '2026-01-01' },
      { open_statement_to: '2026-01-01' },
    ],
  },
  'an imported account without a platform number, or a number without the import (S3, S4)': {
    name: 'service_account_number_if_and_only_if_imported',
    table: 'account_import',
    wrong: [
      { ...imported('A-00000001'), service_account_number: null },
      { service_account_number: 'A-00000001' },
    ],
    right: [imported('A-00000001')],
  },
  'an imported account without its creation time, or a creation time without the import (S5)': {
    name: 'account_created_at_if_and_only_if_imported',
    table: 'account_import',
    wrong: [{ ...imported('A-00000002'), account_created_at: null }, { account_created_at: DATE_TIME }],
    right: [imported('A-00000002')],
  },
  'an imported account whose open statement period has no start (S6)': {
    name: 'imported_account_has_open_statement_from',
    table: 'account_import',
    wrong: [{ ...imported('A-00000003'), open_statement_from: null }],
    right: [imported('A-00000003')],
  },
  'a failed account without a failure, or a failure of an account that did not fail (S3)': {
    name: 'failure_if_and_only_if_failed',
    table: 'account_import',
    wrong: [{ status: 'failed' }, { failure: 'No.' }, { ...imported('A-00000004'), failure: 'No.' }],
    right: [{ status: 'failed', failure: 'No.' }],
  },
  'a lease that ends before it starts, compared byte by byte (S3, S5)': {
    name: 'first_number_is_not_after_last_number',
    table: 'import_lease',
    wrong: [
      { first_number: '2', last_number: '1' },
      { first_number: 'a', last_number: 'B' },
    ],
    right: [
      { first_number: '1', last_number: '1' },
      { first_number: 'B', last_number: 'a' },
    ],
  },
  'a run with an unknown outcome (C9, F5)': {
    name: 'outcome_is_known',
    table: 'supplier_run',
    wrong: [{ outcome: 'lost' }],
    right: ['complete', 'interrupted', 'failed', null].map((outcome) => ({ outcome })),
  },
  'a run of an unknown kind (C9, F5)': {
    name: 'kind_is_known',
    table: 'supplier_run',
    wrong: [{ kind: 'import' }],
    right: [{ kind: 'retry' }, { kind: 'documents' }],
  },
  'a run that has done less than nothing (C9, F5)': {
    name: 'counts_are_not_negative',
    table: 'supplier_run',
    wrong: [{ done: -1 }, { expected: -1 }],
    right: [{ done: 0, expected: null }, { expected: 0 }],
  },
  'a change without a number (E3)': {
    name: 'sequence_is_positive',
    table: 'feed_change',
    wrong: [{ sequence: 0 }],
    right: [{ sequence: 1 }],
  },
  'a change of an unknown type (E2)': {
    name: 'type_is_known',
    table: 'feed_change',
    wrong: [{ type: 'account.created' }],
    right: CHANGE_TYPES.filter((type) => type !== 'supplier.status_changed').map((type) => ({ type })),
  },
  'a status of another change than that of the supplier, or none of it (E2)': {
    name: 'status_if_and_only_if_it_changed',
    table: 'feed_change',
    wrong: [{ status: 'paused' }, { ...STATUS_CHANGE, status: null }],
    right: [STATUS_CHANGE],
  },
  'a change of an account that is half erased (E4)': {
    name: 'account_and_time_are_erased_together',
    table: 'feed_change',
    wrong: [{ at: null }, { external_account_number: null }, { ...STATUS_CHANGE, at: null }],
    right: [{ at: null, external_account_number: null }, STATUS_CHANGE],
  },
  'an import request in the feed whose account is erased (E4)': {
    name: 'import_request_id_only_with_account',
    table: 'feed_change',
    wrong: [{ at: null, external_account_number: null, import_request_id: randomUUID() }],
    right: [{ import_request_id: randomUUID() }],
  },
  'a negative number of the newest change (E3)': {
    name: 'last_sequence_is_not_negative',
    table: 'feed',
    wrong: [{ last_sequence: -1 }],
    right: [{ last_sequence: 0 }],
  },
  'an epoch before the first (E7)': {
    name: 'number_is_positive',
    table: 'feed_epoch',
    wrong: [{ number: 0 }],
    right: [{ number: 2 }],
  },
  'an epoch that continues after less than nothing (E7)': {
    name: 'continues_after_is_not_negative',
    table: 'feed_epoch',
    wrong: [{ continues_after: -1 }],
    right: [{ continues_after: 1 }],
  },
  'an epoch without a reason (E7)': {
    name: 'reason_is_not_empty',
    table: 'feed_epoch',
    wrong: [{ reason: '' }],
    right: [{ reason: 'x' }],
  },
  'a reader without a name, or with a long one (E6)': {
    name: 'name_has_1_to_128_characters',
    table: 'feed_reader',
    wrong: [{ name: '' }, { name: 'x'.repeat(129) }],
    right: [{ name: 'x' }, { name: 'x'.repeat(128) }],
  },
  'a reader that has done less than nothing (E6)': {
    name: 'sequence_is_not_negative',
    table: 'feed_reader',
    wrong: [{ sequence: -1 }],
    right: [{ sequence: 1 }],
  },
  'an erasure without a reason (S10)': {
    name: 'reason_is_not_empty',
    table: 'erasure',
    wrong: [{ reason: '' }],
    right: [{ reason: 'x' }],
  },
  'an import request of an unknown kind (section 4)': {
    name: 'kind_is_known',
    table: 'import_request',
    wrong: [{ kind: 'payment_instructions' }],
    right: ['notes', 'transactions', 'statements', 'payment_instruction'].map((kind) => ({ kind })),
  },
  'an import request that stored nothing (section 4)': {
    name: 'stored_is_positive',
    table: 'import_request',
    wrong: [{ stored: 0 }, { stored: -1 }],
    right: [{ stored: 1 }],
  },
  'an import request with another number of pinned notes than none, or one with transactions (X7)': {
    name: 'pinned_notes_only_with_transactions',
    table: 'import_request',
    wrong: [
      { kind: 'notes', pinned_notes: 1 },
      { kind: 'transactions', pinned_notes: 2 },
      { kind: 'transactions', pinned_notes: -1 },
    ],
    right: [{ pinned_notes: 0 }, { kind: 'transactions', pinned_notes: 1 }],
  },
  'a minute in which less than nothing was added (O10)': {
    name: 'counts_are_not_negative',
    table: 'supplier_minute',
    wrong: [{ requests: -1 }, { payment_instructions: -1 }, { failed: -1 }],
    right: [{ requests: 0 }],
  },
  'control totals that expect nothing (V6)': {
    name: 'control_expects_something',
    table: 'account_control',
    wrong: [{ notes: null }],
    right: [{ notes: 0 }, { notes: null, amount: '0' }, { notes: null, payment_instructions: 1 }],
  },
  'control totals that expect less than nothing (V6)': {
    name: 'control_counts_are_not_negative',
    table: 'account_control',
    wrong: [{ notes: -1 }, { transactions: -1 }, { statements: -1 }, { payment_instructions: -1 }],
    right: [{ notes: 0 }, { amount: '-1.00' }],
  },
  'a comparison with control totals that is none (V6)': {
    name: 'state_is_known',
    table: 'account_control',
    wrong: [{ state: 'differs' }, { state: '' }],
    right: [{ state: 'not_imported' }, { state: 'wrong_amount' }],
  },
  'a refusal with a number of more than 128 characters (O6)': {
    name: 'external_account_number_has_at_most_128_characters',
    table: 'import_refusal',
    wrong: [{ external_account_number: characters(129) }],
    right: [{ external_account_number: characters(128) }, { external_account_number: '' }],
  },
  'a refusal of an unknown kind (O6)': {
    name: 'kind_is_known',
    table: 'import_refusal',
    wrong: [{ kind: 'payment_instructions' }],
    right: ['notes', 'transactions', 'statements', 'payment_instruction'].map((kind) => ({ kind })),
  },
  'a refusal whose request id is longer than 128 characters (O6)': {
    name: 'request_id_has_at_most_128_characters',
    table: 'import_refusal',
    wrong: [{ request_id: 'x'.repeat(129) }],
    right: [{ request_id: 'x'.repeat(128) }],
  },
  'a refusal with another status than 400 and 404 (O6)': {
    name: 'status_is_400_or_404',
    table: 'import_refusal',
    wrong: [{ status: 401 }, { status: 503 }],
    right: [{ status: 400 }, { status: 404 }],
  },
  'a refusal with a path of more than 256 characters (O6)': {
    name: 'attr_has_at_most_256_characters',
    table: 'import_refusal',
    wrong: [{ attr: characters(257), field_code: 'blank' }],
    right: [{ attr: characters(256), field_code: 'blank' }],
  },
  'a refusal with the path of a field without its code, or the reverse (O6)': {
    name: 'attr_if_and_only_if_field_code',
    table: 'import_refusal',
    wrong: [{ attr: 'notes' }, { field_code: 'blank' }],
    right: [{ attr: '', field_code: 'blank' }, {}],
  },
  'refused items that are no object (C9)': {
    name: 'items_are_an_object',
    table: 'import_refusal',
    wrong: [{ items: '[]' }, { items: '"x"' }],
    right: [{ items: '{"others":["x"]}' }, {}],
  },
  'refused items that are large (C9)': {
    name: 'items_are_small',
    table: 'import_refusal',
    wrong: [{ items: JSON.stringify({ others: [characters(8_192)] }) }],
    right: [{ items: JSON.stringify({ others: [characters(1_000)] }) }],
  },
  'a refused value of more than 128 characters (C9)': {
    name: 'value_has_at_most_128_characters',
    table: 'import_refusal',
    wrong: [{ attr: 'vendor', field_code: 'invalid_choice', value: characters(129) }],
    right: [{ attr: 'vendor', field_code: 'invalid_choice', value: characters(128) }],
  },
  'a refused value of another code, or of a field that may have anything (C9)': {
    name: 'value_only_of_a_field_with_a_closed_set_of_values',
    table: 'import_refusal',
    wrong: [
      { value: 'x' },
      { attr: 'type', field_code: 'blank', value: 'x' },
      { attr: 'notes.0.body', field_code: 'invalid_choice', value: 'x' },
      { attr: 'my_type', field_code: 'invalid_choice', value: 'x' },
      { attr: 'type.0', field_code: 'invalid_choice', value: 'x' },
    ],
    right: [
      ...['type', 'transactions.0.reason', 'transactions.7.payment_type', 'a.0.b.1.unit_type', 'vendor'].map(
        (attr) => ({ attr, field_code: 'invalid_choice', value: 'x' }),
      ),
      { attr: 'type', field_code: 'invalid_choice' },
    ],
  },
  'a note whose body is longer than 50,000 characters (T14)': {
    name: 'body_has_at_most_50000_characters',
    table: 'note',
    wrong: [{ body: characters(50_001) }],
    right: [{ body: characters(50_000) }],
  },
  'a note without one location for each path (F1)': {
    name: 'as_many_document_locations_as_paths',
    table: 'note',
    wrong: [
      { document_paths: ['a', 'b'], document_locations: ['root/a'] },
      { document_paths: ['a'], document_locations: ['root/a', 'root/b'] },
      { document_paths: ['a'] },
    ],
    right: [{ document_paths: ['a', 'b'], document_locations: ['root/a', 'root/b'] }],
  },
  'a note that is unpinned before the creation time that was sent (N3)': {
    name: 'unpin_at_is_not_before_sent_created_at',
    table: 'note',
    wrong: [{ created_at: DATE_TIME, created_at_sent: true, unpin_at: EARLIER }],
    right: [
      { created_at: DATE_TIME, created_at_sent: true, unpin_at: DATE_TIME },
      { created_at: DATE_TIME, created_at_sent: false, unpin_at: EARLIER },
    ],
  },
  'a note with neither a body nor a path (N2)': {
    name: 'note_has_body_or_document',
    table: 'note',
    wrong: [{ body: '' }],
    right: [{ body: '', document_paths: ['a'], document_locations: ['root/a'] }, { body: 'x' }],
  },
  'a note without documents whose documents were seen (F3)': {
    name: 'documents_seen_at_only_with_documents',
    table: 'note',
    wrong: [{ documents_seen_at: DATE_TIME }],
    right: [{ documents_seen_at: DATE_TIME, document_paths: ['a'], document_locations: ['root/a'] }],
  },
  'a note whose unseen documents are not among its documents, or were all seen (F3)': {
    name: 'unseen_document_paths_are_some_of_document_paths',
    table: 'note',
    wrong: [
      { unseen_document_paths: ['a'] },
      { unseen_document_paths: ['b'], document_paths: ['a'], document_locations: ['root/a'] },
      { unseen_document_paths: [], document_paths: ['a'], document_locations: ['root/a'] },
      {
        unseen_document_paths: ['a'],
        documents_seen_at: DATE_TIME,
        document_paths: ['a'],
        document_locations: ['root/a'],
      },
    ],
    right: [
      {
        unseen_document_paths: ['b'],
        document_paths: ['a', 'b'],
        document_locations: ['root/a', 'root/b'],
      },
    ],
  },
  'a catalogue value of an unknown field (X3)': {
    name: 'field_is_known',
    table: 'catalogue_value',
    wrong: [{ field: 'type' }],
    right: ['reason', 'payment_type', 'vendor', 'instruction_type'].map((field) => ({ field })),
  },
  'a catalogue value that is empty or longer than 128 characters (T14, X3)': {
    name: 'value_has_1_to_128_characters',
    table: 'catalogue_value',
    ...upTo('value', 128),
  },
  'a statement whose id is empty or longer than 128 characters (T14)': {
    name: 'statement_id_has_1_to_128_characters',
    table: 'statement',
    ...upTo('statement_id', 128),
  },
  'a statement whose number is empty or longer than 128 characters (T14)': {
    name: 'number_has_1_to_128_characters',
    table: 'statement',
    wrong: [{ number: '' }, { number: characters(129) }],
    right: [{ number: characters(128) }],
  },
  'a statement whose period ends before it starts (H1)': {
    name: 'bill_period_does_not_end_before_it_starts',
    table: 'statement',
    wrong: [{ bill_period_from_date: '2026-01-02', bill_period_to_date: '2026-01-01' }],
    right: [{ bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-01' }],
  },
  'a statement whose amount has more than ten decimals (H1, X2)': {
    name: 'gross_amount_has_at_most_10_decimals',
    table: 'statement',
    wrong: [{ gross_amount: '0.00000000001' }],
    right: [{ gross_amount: '-0.0000000001' }],
  },
  'a statement whose path is empty or longer than 1,024 bytes (T14)': {
    name: 'statement_path_has_1_to_1024_bytes',
    table: 'statement',
    wrong: [
      { statement_path: '', document_location: 'root/' },
      { statement_path: `${characters(256)}x`, document_location: 'root/x' },
    ],
    right: [{ statement_path: characters(256), document_location: 'root/x' }],
  },
  'a statement with a path and no location, or the reverse (F1)': {
    name: 'document_location_if_and_only_if_statement_path',
    table: 'statement',
    wrong: [{ statement_path: 'a' }, { document_location: 'root/a' }],
    right: [{ statement_path: 'a', document_location: 'root/a' }],
  },
  'a statement without a document whose document was seen (F3)': {
    name: 'document_seen_at_only_with_document',
    table: 'statement',
    wrong: [{ document_seen_at: DATE_TIME }],
    right: [{ document_seen_at: DATE_TIME, statement_path: 'a', document_location: 'root/a' }],
  },
  'a payment instruction whose vendor is empty or longer than 128 characters (T14)': {
    name: 'vendor_has_1_to_128_characters',
    table: 'payment_instruction',
    ...upTo('vendor', 128),
  },
  'a payment instruction whose reference is empty or longer than 512 characters (T14)': {
    name: 'reference_has_1_to_512_characters',
    table: 'payment_instruction',
    ...upTo('reference', 512),
  },
  'a payment instruction whose type is empty or longer than 128 characters (T14)': {
    name: 'type_has_1_to_128_characters',
    table: 'payment_instruction',
    wrong: [{ type: '' }, { type: characters(129) }],
    right: [{ type: characters(128) }],
  },
  'a payment instruction whose details are not an object (P1)': {
    name: 'details_is_a_json_object',
    table: 'payment_instruction',
    wrong: ['[]', '"x"', 'null'].map((details) => ({ details })),
    right: [{ details: '{}' }],
  },
  'a payment instruction whose details may contain a card number (P1)': {
    name: 'details_contain_no_card_number',
    table: 'payment_instruction',
    wrong: ['424242424242', '4242 4242 4242', '4242-4242-4242'].map((number) => ({
      details: JSON.stringify({ number }),
    })),
    right: [{ details: JSON.stringify({ number: '4242-4242 424' }) }],
  },
  'a transaction whose id is empty or longer than 128 characters (T14)': {
    name: 'transaction_id_has_1_to_128_characters',
    table: 'transaction',
    ...upTo('transaction_id', 128),
  },
  'a transaction that was moved to the date that was sent (X7)': {
    name: 'sent_date_differs_from_transaction_date',
    table: 'transaction',
    wrong: [{ transaction_date: '2026-01-01', sent_date: '2026-01-01' }],
    right: [{ transaction_date: '2026-01-01', sent_date: '2025-12-31' }],
  },
  'a transaction of an unknown type (X3)': {
    name: 'type_is_known',
    table: 'transaction',
    wrong: [{ type: 'REFUND' }, { type: 'charge' }],
    right: ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT'].map((type) => ({ type, transaction_id: type })),
  },
  'a supply charge without a product or line items (X1)': {
    name: 'supply_charge_has_product_code_and_line_items',
    table: 'transaction',
    wrong: [
      { type: 'SUPPLY_CHARGE', line_items: '[]' },
      { type: 'SUPPLY_CHARGE', product_code: 'x' },
    ],
    right: [{ type: 'SUPPLY_CHARGE', product_code: 'x', line_items: '[]' }],
  },
  'a transaction whose line items are not a list (X1)': {
    name: 'line_items_is_a_json_array',
    table: 'transaction',
    wrong: [{ line_items: '{}' }],
    right: [{ line_items: '[]' }],
  },
  'a transaction whose tax items are not a list (X1)': {
    name: 'tax_items_is_a_json_array',
    table: 'transaction',
    wrong: [{ tax_items: '{}' }],
    right: [{ tax_items: '[]' }],
  },
};

/** What a table has that only several nodes have. */
const CHECKS_OF_NODES: Record<string, Check> = {
  'an imported account without a platform number that is not being erased, or the reverse (S10)': {
    name: 'service_account_number_if_and_only_if_not_being_erased',
    table: 'imported_account',
    wrong: [{ erasure_id: null }, { service_account_number: 'A-00000007' }],
    right: [{}],
  },
};

interface Uniqueness {
  /** Name of the index. */
  readonly name: string;
  readonly table: string;
  readonly first: Columns;
  /** Cannot be beside the first. */
  readonly second: Columns;
  /** The nearest that can. */
  readonly other: Columns;
}

const UNIQUE: Record<string, Uniqueness> = {
  'two organisations with the same name (section 6)': {
    name: 'organisation_name_is_unique',
    table: 'organisation',
    first: { name: 'same' },
    second: { name: 'same' },
    other: { name: 'Same' },
  },
  'two API keys with the same handle (A6)': {
    name: 'api_key_handle_is_unique',
    table: 'api_key',
    first: { handle: 'same' },
    second: { handle: 'same', key_hash: Buffer.alloc(32, 1) },
    other: { handle: 'Same' },
  },
  'two platform keys with the same handle (A6, E5)': {
    name: 'platform_key_handle_is_unique',
    table: 'platform_key',
    first: { handle: 'same' },
    second: { handle: 'same', key_hash: Buffer.alloc(32, 1) },
    other: { handle: 'Same' },
  },
  'two sessions with the same secret (C1)': {
    name: 'session_secret_is_unique',
    table: 'console_session',
    first: { secret_hash: Buffer.alloc(32, 1) },
    second: { secret_hash: Buffer.alloc(32, 1), operator: 'x', api_key_id: null, token_version: null },
    other: { secret_hash: Buffer.alloc(32, 2) },
  },
  'two rows of evidence of the same hour (O6)': {
    name: 'views_of_an_hour_are_one_row',
    table: 'viewed',
    first: { viewer: 'same' },
    second: { viewer: 'same', count: 2 },
    other: { viewer: 'same', action: 'account.rows' },
  },
  'two suppliers with the same code (T14)': {
    name: 'import_supplier_code_is_unique',
    table: 'import_supplier',
    first: { code: 'same' },
    second: { code: 'same' },
    other: { code: 'Same' },
  },
  'two erasures of the same account, or of the same supplier (S10)': {
    name: 'erasure_of_an_account_is_unique',
    table: 'erasure',
    first: { external_account_number: null },
    second: { external_account_number: null },
    other: { external_account_number: '1' },
  },
  'two notes with the same content that were sent without a creation time (N4)': {
    name: 'note_without_sent_created_at_is_unique',
    table: 'note',
    first: { created_at: EARLIER, created_at_sent: false },
    second: { created_at: DATE_TIME, created_at_sent: false },
    other: { created_at: DATE_TIME, created_at_sent: true },
  },
};

/** On several nodes they come from one sequence instead; test/citus/commands.spec.ts has the check. */
const UNIQUE_ON_SINGLE_NODE: Record<string, Uniqueness> = {
  'two accounts with the same platform number (S4)': {
    name: 'service_account_number_is_unique',
    table: 'account_import',
    first: imported('A-00000005'),
    second: imported('A-00000005'),
    other: imported('A-00000006'),
  },
};

interface Reference {
  readonly name: string;
  readonly table: string;
  readonly wrong: Columns;
}

const REFERENCES: Record<string, Reference> = {
  'an API key of an organisation that does not exist (A6)': {
    name: 'organisation_exists',
    table: 'api_key',
    wrong: { organisation_id: randomUUID() },
  },
  'a session with an API key that does not exist (C1)': {
    name: 'session_api_key_exists',
    table: 'console_session',
    wrong: { api_key_id: randomUUID() },
  },
  'a grant of a supplier that does not exist (A8)': {
    name: 'import_supplier_exists',
    table: 'import_supplier_grant',
    wrong: { import_supplier_id: 0 },
  },
  'an erasure at a supplier that does not exist (S10)': {
    name: 'import_supplier_exists',
    table: 'erasure',
    wrong: { import_supplier_id: 0 },
  },
  'an account in an erasure that does not exist (S10)': {
    name: 'erasure_exists',
    table: 'account_erasure',
    wrong: { erasure_id: randomUUID() },
  },
  'a feed of a supplier that does not exist (E3)': {
    name: 'import_supplier_exists',
    table: 'feed',
    wrong: { import_supplier_id: 0 },
  },
  'an epoch of a supplier that does not exist (E7)': {
    name: 'import_supplier_exists',
    table: 'feed_epoch',
    wrong: { import_supplier_id: 0 },
  },
  'a reader of a supplier that does not exist (E6)': {
    name: 'import_supplier_exists',
    table: 'feed_reader',
    wrong: { import_supplier_id: 0 },
  },
  'totals of a supplier that does not exist (O10)': {
    name: 'import_supplier_exists',
    table: 'supplier_total',
    wrong: { import_supplier_id: 0 },
  },
  'a minute of a supplier that does not exist (O10)': {
    name: 'import_supplier_exists',
    table: 'supplier_minute',
    wrong: { import_supplier_id: 0 },
  },
  'control totals of an account that does not exist (V6)': {
    name: 'account_import_exists',
    table: 'account_control',
    wrong: { external_account_number: 'nobody' },
  },
  'an account without loads that does not exist (C10, S10)': {
    name: 'account_import_exists',
    table: 'unloaded_account',
    wrong: { external_account_number: 'nobody' },
  },
  'a lease for a supplier that does not exist (S3)': {
    name: 'import_supplier_exists',
    table: 'import_lease',
    wrong: { import_supplier_id: 0 },
  },
};

/** The command refuses it on several nodes: test/e2e/commands/suppliers.commands.spec.ts. */
const REFERENCES_ON_SINGLE_NODE: Record<string, Reference> = {
  'a grant to an organisation that does not exist (A8)': {
    name: 'organisation_exists',
    table: 'import_supplier_grant',
    wrong: { organisation_id: randomUUID() },
  },
};

const REFERENCES_OF_NODES: Record<string, Reference> = {
  'an account of a supplier that does not exist (S3)': {
    name: 'import_supplier_exists',
    table: 'account_import',
    wrong: { import_supplier_id: 0 },
  },
  'an account that is imported in one of its tables only, whose other half is this (S3)': {
    name: 'imported_account_exists',
    table: 'account_import',
    wrong: imported('A-00000008'),
  },
  'an account that is imported in one of its tables only (S3)': {
    name: 'account_is_imported',
    table: 'imported_account',
    wrong: { service_account_number: 'A-00000009', erasure_id: null },
  },
  'an account that is being erased, without the erasure (S10)': {
    name: 'account_erasure_exists',
    table: 'imported_account',
    wrong: { erasure_id: randomUUID() },
  },
  ...Object.fromEntries(
    ['import_request', 'note', 'transaction', 'statement', 'payment_instruction'].map((table) => [
      `a ${table} of an account that is not imported (S8)`,
      { name: 'imported_account_exists', table, wrong: { external_account_number: 'none' } },
    ]),
  ),
};

/** Of several nodes, for foreign keys; they contain the primary key of their table. */
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
  let database: TestDatabase;
  let given: Given;
  beforeAll(async () => {
    database = await createDatabase();
    given = givenIn(database);
  });
  afterAll(() => database.drop());

  /** A row for each table that may be there, of a supplier of its own with an imported account. */
  async function possibleRows(): Promise<Record<string, Columns>> {
    const { supplier, ref } = await given.importedAccount();
    const [{ id }] = (await database.sql('SELECT id FROM import_supplier WHERE code = $1', [supplier])) as [
      { id: number },
    ];
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
      console_session: { secret_hash: randomBytes(32), api_key_id: apiKeyId, token_version: 1 },
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
      feed_reader: { import_supplier_id: id, name: 'billing', sequence: 0 },
      account_control: { ...account, notes: 1, state: 'agrees' },
      unloaded_account: account,
      supplier_minute: {
        ...{ import_supplier_id: id, minute: DATE_TIME, requests: 1, notes: 1, transactions: 1 },
        ...{ statements: 1, payment_instructions: 1, imported: 1, failed: 1 },
      },
    };
  }

  /** @param run how an account is added that is complete */
  function insert(table: string, columns: Columns, run = database.imports): Promise<unknown> {
    const names = Object.keys(columns);
    const places = names.map((_name, index) => `$${index + 1}`);
    return (table === 'account_import' ? run : database.sql)(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(columns),
    );
  }

  it.each(Object.entries(OF_THIS_KIND.checks))('%s', async (_what, { name, table, wrong, right }) => {
    const rows = await possibleRows();
    for (const columns of wrong) {
      const row = { ...rows[table], ...columns };
      expect(await refusalOf(insert(table, row))).toMatchObject({ code: '23514', table, constraint: name });
    }
    for (const columns of right) {
      const row = { ...(await possibleRows())[table], ...columns };
      expect(await refusalOf(insert(table, row))).toBeUndefined();
    }
  });

  it.each(Object.entries(OF_THIS_KIND.unique))('%s', async (_what, { name, table, first, second, other }) => {
    const [rows, others] = [await possibleRows(), await possibleRows()];
    // Notes are the same on one account only, erasures at one supplier; everything else is unique among all suppliers.
    const beside = ['note', 'erasure'].includes(table) ? rows : others;
    await insert(table, { ...rows[table], ...first });
    const again = insert(table, { ...beside[table], ...second });
    expect(await refusalOf(again)).toMatchObject({ code: '23505', constraint: name });
    expect(await refusalOf(insert(table, { ...beside[table], ...other }))).toBeUndefined();
  });

  it.each(Object.entries(OF_THIS_KIND.references))('%s', async (_what, { name, table, wrong }) => {
    const rows = await possibleRows();
    const astray = insert(table, { ...rows[table], ...wrong }, database.sql);
    expect(await refusalOf(astray)).toMatchObject({ code: '23503', table, constraint: name });
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

  it('to move an account to another supplier, also while it is pending (S3)', async () => {
    const [{ account_import: account }, { account_import: other }] = [
      await possibleRows(),
      await possibleRows(),
    ];
    await insert('account_import', account!);
    const moved = database.sql(
      'UPDATE account_import SET import_supplier_id = $1 WHERE external_account_number = $2',
      [other!.import_supplier_id, account!.external_account_number],
    );
    // Citus refuses every change of the column by which a table is distributed.
    expect(await refusalOf(moved)).toMatchObject({ code: database.isDistributed ? '0A000' : '23001' });
  });

  it('to delete a supplier that has accounts, also while the first one is being staged (S3)', async () => {
    const supplier = async (): Promise<number> => {
      const { import_supplier: row } = await possibleRows();
      await insert('import_supplier', row!);
      const [{ id }] = (await database.sql('SELECT id FROM import_supplier WHERE code = $1', [
        row!.code,
      ])) as [{ id: number }];
      return id;
    };
    const deletion = (id: number): Promise<pg.DatabaseError | undefined> =>
      refusalOf(database.sql('DELETE FROM import_supplier WHERE id = $1', [id]));
    expect(await deletion(await supplier())).toBeUndefined();

    const id = await supplier();
    const staging = new pg.Client({ connectionString: database.url });
    await staging.connect();
    try {
      await staging.query('BEGIN');
      await staging.query(
        `INSERT INTO account_import (import_supplier_id, external_account_number) VALUES ($1, 'first')`,
        [id],
      );
      const meanwhile = deletion(id);
      await database.blocked(1);
      await staging.query('COMMIT');
      expect(await meanwhile).toMatchObject({ code: database.isDistributed ? '23503' : '23001' });
    } finally {
      await staging.end();
    }
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

  it('what every constraint forbids: each has a case above (engineering rule)', async () => {
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
      Object.values(group).map(({ name, table }: { name: string; table: string }) => `${name} of ${table}`),
    );
    expect(constraints.map(({ name }) => name).sort()).toEqual([...cases, ...keys].sort());
  });
});

describe('the platform’s account numbers', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  it('do not repeat before all of them were given, and then there is none left (S4)', async () => {
    const numberOf = async (serial: number): Promise<string> => {
      const [row] = await database.sql<{ number: string }>(
        `SELECT next_service_account_number() AS number
           FROM setval('service_account_serial', $1::bigint, false)`,
        [serial],
      );
      return row!.number;
    };
    // What is multiplied by an odd number and cut to 32 bits stays apart; by an even one 0 and some power of two meet.
    const serials = [0, ...Array.from({ length: 32 }, (_bit, exponent) => 2 ** exponent), 2 ** 32 - 1];
    const numbers: string[] = [];
    for (const serial of serials) numbers.push(await numberOf(serial));
    expect(new Set(numbers).size).toBe(serials.length);
    expect(numbers.filter((number) => !/^A-[0-9A-F]{8}$/.test(number))).toEqual([]);
    const oneMore = database.sql('SELECT next_service_account_number()');
    expect(await refusalOf(oneMore)).toMatchObject({ code: '2200H' });
  });
});
