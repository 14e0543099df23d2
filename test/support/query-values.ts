import pg from 'pg';
import type { Query } from '../../src/infrastructure/database/query.js';
import type { ColumnType, ItemKind } from '../../src/ingest/kinds/item-kind.js';
import { ITEMS } from '../../src/ingest/kinds/items.js';
import type { TestDatabase } from './database.js';

export const ID = '01900000-0000-7000-8000-000000000001';
const NEW_ID = '01900000-0000-7000-8000-000000000002';
const DAY = '2026-03-01';

const BY_TYPE: Readonly<Record<ColumnType, unknown>> = {
  ...{ text: 't', date: DAY, numeric: 1, boolean: false, timestamptz: DAY, json: null, paths: null },
  ...{ bytea: `\\x${'00'.repeat(32)}`, bigint: 1, integer: 1, jsonb: '{}', uuid: ID },
};

/** The values of one item for the columns of its kind, by parameters. */
function columnValues({ fields, excludedColumns }: ItemKind): [string, unknown[]][] {
  return Object.entries({ ...fields, ...excludedColumns }).map(([name, { type, nullable }]) => [
    `item_${name}`,
    [nullable ? null : BY_TYPE[type]],
  ]);
}

/** Values of parameters that all queries have in common, by name. The parameter of the supplier is added. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{
    own_api_key_ids: [ID],
    request_ids: ['r'],
    item_ids: ['t'],
    item_items: [null],
    import_supplier_ids: [1],
    platform_key_id: ID,
    ids: [ID],
    now: DAY,
    outcome: 'complete',
    request_id: 'r',
  },
  ...{ organisation_id: ID, organisation_ids: [ID], id: ID, run_id: ID, erasure_id: ID, lease_id: ID },
  ...{ account_number: 'A', external_account_number: 'A', account_numbers: ['A'], numbers: ['A', 'B'] },
  ...{
    first_number: 'A',
    last_number: 'B',
    after: '',
    erasing: ['C'],
    limit: 10,
    count: 10,
    from_other_sites: 0,
    from_seconds: null,
    until_seconds: null,
    count_max: 10,
    expected: 10,
    from_request: ID,
    before_request: ID,
    position: 0,
    accounts_max: 10,
    step_minutes: 10,
    size_max: 10,
  },
  ...{
    is_first: true,
    is_page: false,
    holder: 'h',
    today: DAY,
    from: DAY,
    to: null,
    days: 1,
    reason: 'r',
  },
  ...{
    key_1: ['A'],
    key_2: ['00'],
    key_3: [DAY],
    writers: ['1/1'],
    tables: ['note'],
    epoch: null,
    name: 'n',
    sequence: 0,
    viewer: 'v',
    session_id: ID,
    sessions_max: 10,
    type: [null],
    status: [null],
    import_request_id: [null],
    rows_max: 10,
    down_to: '-infinity',
    actions: ['supplier.set'],
    per_minute: 10,
    subject: 's',
    issuer: 'i',
    identity: 'i s',
  },
  ...{ import_supplier: 'S', code: 'S', codes: ['S'], operator: 'o', handle: 'h' },
  ...{ since: '-infinity', until: 'infinity', before_at: 'infinity', before_id: ID },
  ...{
    ...{ differences: ['not_imported'], differs: true, state: 'failed', load: 'some' },
    states: ['not_imported', 'agrees'],
    are_numbers_wanted: true,
    after_cause: '',
    after_number: '',
    last_cause: 'z',
  },
  ...{ cause: 1, item_value: [null], token_version: null, steps: [DAY] },
  ...{ code_hash: `\\x${'00'.repeat(32)}`, secret_hash: `\\x${'00'.repeat(32)}` },
  ...{ request_prefix: 'r', request_prefix_end: 's', api_key_id: null, kind: null, with_undone: true },
  ...{ import_request_ids: [ID] },
  ...{ sender_keys: [ID], sender_organisations: ['o'], before_run: '', before_organisation: '' },
  ...{
    froms: [DAY, null],
    tos: null,
    accounts: '{}\x1f',
    periods: '{"A":[9000],"B":[9000,9001]}',
  },
  ...{
    action: 'account.set_period',

    details: '{}',
  },
  ...{ content_hash: '00', created_at: DAY, unseen: [null] },
  ...{ statement_id: 's', bucket: 'b', first_positions: [1], request_numbers: [1] },
  ...{ request_account_number: ['A'], request_api_key_id: [ID] },
  ...{ request_request_id: ['r'], request_has_documents: [false], request_checked_root: [null] },
  ...{
    request_now: [DAY],
    request_today: [DAY],
    request_item_count: [1],
    request_bytes: [1],
    request_waited_ms: [1],
    request_occurrence: [7],
  },
  ...{ request_row_count: [1], request_first_date: [DAY], request_last_date: [DAY], request_cents: [1] },
  ...{ request_is_checked: [false], request_found_first_day: [DAY], request_found_last_day: [DAY] },
  ...{ request_import_request_id: [ID], request_moved_count: [0], request_note_body: ['b'] },
  place: 'p',
  ...Object.fromEntries(Object.values<ItemKind>(ITEMS).flatMap(columnValues)),
  item_type: ['CHARGE'],
  ...{ item_id: [ID], item_organisation_id: [ID], item_api_key_id: [ID], item_request_id: ['r'] },
  ...{
    item_kind: ['notes'],
    item_external_account_number: ['A'],
    item_status: [404],
    item_code: ['not_found'],
  },
  ...{ request_trace_id: [null], item_trace_id: [null] },
  ...{ item_attr: [null], item_field_code: [null], item_is_dry_run: [false] },
  ...{
    requests: [1],
    notes: [1],
    transactions: [1],
    statements: [1],
    payment_instructions: [1],
    pinned_notes: [null],
    amount: [1],
  },
  ...{ pending: [1], imported: [1], failed: [1], minute: [DAY], part: 0, parts: 1 },
};

/** Control totals of two accounts. */
const CONTROLS = {
  ...{ notes: [1, 1], transactions: [1, 1], amount: ['1.00', '1.00'], statements: [1, 1] },
  payment_instructions: [1, 1],
};

/** Parameter values for single queries in which the name means something else. */
export const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'feed.read_batch': { after: 0 },
  'audit.key_labels': { key_ids: [ID] },
  'notes.mark_documents_seen': { external_account_number: ['A'], content_hash: ['00'], created_at: [DAY] },
  'statements.mark_documents_seen': { external_account_number: ['A'], statement_id: ['s'] },
  ...Object.fromEntries(
    ['notes', 'statements']
      .flatMap((items) => [`${items}.documents_not_seen`, `${items}.list_documents_not_seen`])
      .map((name) => [name, { import_request_id: ID }]),
  ),
  'runs.begin': { kind: 'retry' },
  'accounts.begin_erasure': { account_number: 'C', run_id: NEW_ID },
  'accounts.close_for_erasure': { account_numbers: ['D'] },
  'accounts.import_with_numbers': { account_numbers: ['B'], numbers: ['A-00000002'] },
  'accounts.note_imported': { account_numbers: ['B'], numbers: ['A-00000002'] },
  'changes.record': { external_account_number: ['A'] },
  'evidence.record_of_supplier': { action: 'failures.download' },
  'accounts.replace_totals': {
    ...{ requests: 1, notes: 1, transactions: 1, statements: 1, payment_instructions: 1, amount: '1.00' },
    ...{ pending: 1, imported: 1, failed: 1, loaded_accounts: 1, pinned_notes: 0 },
  },
  'accounts.change_controls': CONTROLS,
  'accounts.erase_accounts': { account_numbers: ['B'] },
  'sent_requests.of_account': { after: '00000000-0000-0000-0000-000000000000' },
  'accounts.history_changes': { after: '00000000-0000-0000-0000-000000000000' },
  'sent_requests.of_account_backwards': { after: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  'accounts.history_changes_backwards': { after: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  'console.account_transactions': {
    ...{ before_1: 'infinity', before_2: '', before_3: '0', type: null, to: null, id: null },
  },
  'console.account_statements': { before_1: 'infinity', before_2: '' },
  'console.account_payment_instructions': { before_1: 'infinity', before_2: '', before_3: '' },
  'console.account_notes': { before_1: 'infinity', before_2: '', is_pinned: true },
  'console.account_transaction': { transaction_id: 't', occurrence: '0' },
  'console.document_locations': { path: 'a.pdf' },
  'console.find_accounts': { first_numbers: ['A'], ends: ['B'] },
  'console.find_platform_accounts': { first_number: 'A-0', end: 'A-1', import_supplier_ids: [1] },
  'console.find_api_keys': { owner_id: null, text: 'k' },
  'console.insert_session': {
    ...{ api_key_id: null, issuer: null, subject: null, person: null, state_hash: null },
    ...{ role: 'operator', organisation_id: null, hours: 8 },
  },
  'console.limit_time': { milliseconds: '1000' },
  'sent_requests.limit_time': { milliseconds: '1000' },
  'contents.account': { only: 'A', count_max: null },
  'contents.accounts': { through: null, count_max: null },
  'evidence.record_view': { viewer: 'v', action: 'account.view' },
  'evidence.record_sign_in': { viewer: 'v', action: 'console.sign_in' },
};

/** SQL that prepares the rows for a query that always follows another one. */
export const BEFORE: Readonly<Record<string, string>> = {
  'accounts.mark_closed_for_erasure': `
    INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id) VALUES ($1, 'A', '${ID}')`,
  'accounts.note_imported': `
    UPDATE account_import
       SET status = 'imported', service_account_number = 'A-00000002', account_created_at = now(),
           open_statement_from = '2026-01-01'
     WHERE import_supplier_id = $1 AND external_account_number = 'B'`,
};

/** The values of a query's parameters, in order. */
export function valuesOf({ name, parameterNames }: Query<unknown>, supplierId: number): unknown[] {
  const values = { ...VALUES, ...OWN_VALUES[name], import_supplier_id: supplierId };
  const missing = parameterNames.filter((parameter) => !(parameter in values));
  expect({ name, missing }).toEqual({ name, missing: [] });
  return parameterNames.map((parameter) => (values as Record<string, unknown>)[parameter]);
}

/** Create a supplier with a pending and an imported account. @returns its id */
export async function fillForQueries(database: TestDatabase): Promise<number> {
  const [row] = await database.sql<{ id: number }>(
    `INSERT INTO import_supplier (code, name, document_root) VALUES ('S', 'S', 's') RETURNING id`,
  );
  const supplierId = row!.id;
  await database.sql(`INSERT INTO organisation (id, name) VALUES ($1, 'O')`, [ID]);
  await database.sql(
    `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id) VALUES ($1, $2)`,
    [supplierId, ID],
  );
  await database.sql(
    `INSERT INTO erasure (import_supplier_id, id, external_account_number, reason, run_id) VALUES ($1, $2, 'D', 'r', $2)`,
    [supplierId, ID],
  );
  await database.imports(
    `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       VALUES ($1, 'A', 'imported', 'A-00000001', now(), '2026-01-01'), ($1, 'B', 'pending', NULL, NULL, NULL)`,
    [supplierId],
  );
  return supplierId;
}

/** A value as an SQL literal; PREPARE has declared its type. */
export function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (!Array.isArray(value)) return pg.escapeLiteral(textOf(value));
  return pg.escapeLiteral(
    `{${value.map((one) => (one === null ? 'NULL' : JSON.stringify(textOf(one)))).join(',')}}`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
