import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, refusalOf, type TestDatabase } from '../support/database.js';
import { givenIn, unique, type Given } from '../support/service.js';

/** Values of columns as they travel to the database: bytes, text, JSON as text. */
type Columns = Record<string, unknown>;

const MOMENT = '2026-01-02T00:00:00Z';
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
  account_created_at: MOMENT,
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

const CHECKS: Record<string, Check> = {
  'an organisation whose name is empty or too long (T14)': {
    name: 'organisation_name_check',
    table: 'organisation',
    ...upTo('name', 128),
  },
  'an API key whose hash is none of SHA-256 (A6)': {
    name: 'api_key_key_hash_check',
    table: 'api_key',
    wrong: [{ key_hash: Buffer.alloc(31) }, { key_hash: Buffer.alloc(33) }],
    right: [{ key_hash: Buffer.alloc(32) }],
  },
  'a supplier whose code is empty or too long (T14)': {
    name: 'import_supplier_code_check',
    table: 'import_supplier',
    ...upTo('code', 128),
  },
  'a supplier without a name (6)': {
    name: 'import_supplier_name_check',
    table: 'import_supplier',
    wrong: [{ name: '' }],
    right: [{ name: 'x' }],
  },
  'a supplier of another status (S1)': {
    name: 'import_supplier_status_check',
    table: 'import_supplier',
    wrong: [{ status: 'Ongoing' }, { status: 'in_progress' }],
    right: [{ status: 'ongoing' }, { status: 'paused' }, { status: 'complete' }],
  },
  'a supplier without a document root (F1)': {
    name: 'import_supplier_document_root_check',
    table: 'import_supplier',
    wrong: [{ document_root: '' }],
    right: [{ document_root: 'x' }],
  },
  'a supplier with another way to check documents (F3)': {
    name: 'import_supplier_document_check_check',
    table: 'import_supplier',
    wrong: [{ document_check: 'never' }],
    right: [{ document_check: 'deferred' }, { document_check: 'reject' }],
  },
  'an account whose number is empty or too long (T14)': {
    name: 'account_import_external_account_number_check',
    table: 'account_import',
    ...upTo('external_account_number', 128),
  },
  'an account in a state that is not stored (S3)': {
    name: 'account_import_status_check',
    table: 'account_import',
    wrong: [{ status: 'in_progress' }],
    right: [{ status: 'pending' }],
  },
  'an account with a platform number of another form (S4)': {
    name: 'account_import_service_account_number_check',
    table: 'account_import',
    wrong: ['A-0000000', 'A-000000000', 'A-0000000a', 'A-0000000G', 'B-00000000', ' A-00000000'].map(
      imported,
    ),
    right: ['A-00000000', 'A-F9A00000'].map(imported),
  },
  'an account whose period ends before it begins (S7)': {
    name: 'account_import_check',
    table: 'account_import',
    wrong: [{ open_statement_from: '2026-01-02', open_statement_to: '2026-01-01' }],
    right: [
      { open_statement_from: '2026-01-01', open_statement_to: '2026-01-01' },
      { open_statement_to: '2026-01-01' },
    ],
  },
  'an imported account without a platform number, or another one with it (S3, S4)': {
    name: 'account_import_check1',
    table: 'account_import',
    wrong: [
      { ...imported('A-00000001'), service_account_number: null },
      { service_account_number: 'A-00000001' },
    ],
    right: [imported('A-00000001')],
  },
  'an imported account without its moment, or another one with it (S5)': {
    name: 'account_import_check2',
    table: 'account_import',
    wrong: [{ ...imported('A-00000002'), account_created_at: null }, { account_created_at: MOMENT }],
    right: [imported('A-00000002')],
  },
  'an imported account whose period has no beginning (S6)': {
    name: 'account_import_check3',
    table: 'account_import',
    wrong: [{ ...imported('A-00000003'), open_statement_from: null }],
    right: [imported('A-00000003')],
  },
  'a failed account without its failure, or another one with it (S3)': {
    name: 'account_import_check4',
    table: 'account_import',
    wrong: [{ status: 'failed' }, { failure: 'No.' }, { ...imported('A-00000004'), failure: 'No.' }],
    right: [{ status: 'failed', failure: 'No.' }],
  },
  'a claim that ends before it begins, byte by byte (S3, S5)': {
    name: 'import_claim_check',
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
  'a load of another kind (section 4)': {
    name: 'load_kind_check',
    table: 'import_request',
    wrong: [{ kind: 'payment_instructions' }],
    right: ['notes', 'transactions', 'statements', 'payment_instruction'].map((kind) => ({ kind })),
  },
  'a load that stored nothing (section 4)': {
    name: 'load_stored_check',
    table: 'import_request',
    wrong: [{ stored: 0 }, { stored: -1 }],
    right: [{ stored: 1 }],
  },
  'a note whose body is too long (T14)': {
    name: 'note_body_check',
    table: 'note',
    wrong: [{ body: characters(50_001) }],
    right: [{ body: characters(50_000) }],
  },
  'a note that has not one location for each path (F1)': {
    name: 'note_check',
    table: 'note',
    wrong: [
      { document_paths: ['a', 'b'], document_locations: ['root/a'] },
      { document_paths: ['a'], document_locations: ['root/a', 'root/b'] },
      { document_paths: ['a'] },
    ],
    right: [{ document_paths: ['a', 'b'], document_locations: ['root/a', 'root/b'] }],
  },
  'a note whose pin ends before the moment that was sent (N3)': {
    name: 'note_check1',
    table: 'note',
    wrong: [{ created_at: MOMENT, created_at_sent: true, unpin_at: EARLIER }],
    right: [
      { created_at: MOMENT, created_at_sent: true, unpin_at: MOMENT },
      { created_at: MOMENT, created_at_sent: false, unpin_at: EARLIER },
    ],
  },
  'a note with neither a body nor a path (N2)': {
    name: 'note_check2',
    table: 'note',
    wrong: [{ body: '' }],
    right: [{ body: '', document_paths: ['a'], document_locations: ['root/a'] }, { body: 'x' }],
  },
  'a note whose documents were seen when it has none (F3)': {
    name: 'note_check3',
    table: 'note',
    wrong: [{ documents_seen_at: MOMENT }],
    right: [{ documents_seen_at: MOMENT, document_paths: ['a'], document_locations: ['root/a'] }],
  },
  'a note with documents still to be seen that are none of its own, or were all seen (F3)': {
    name: 'note_unseen_document_paths',
    table: 'note',
    wrong: [
      { unseen_document_paths: ['a'] },
      { unseen_document_paths: ['b'], document_paths: ['a'], document_locations: ['root/a'] },
      { unseen_document_paths: [], document_paths: ['a'], document_locations: ['root/a'] },
      {
        unseen_document_paths: ['a'],
        documents_seen_at: MOMENT,
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
  'a catalogue of another field (X3)': {
    name: 'catalogue_value_field_check',
    table: 'catalogue_value',
    wrong: [{ field: 'type' }],
    right: ['reason', 'payment_type', 'vendor', 'instruction_type'].map((field) => ({ field })),
  },
  'a catalogue value that is empty or too long (T14, X3)': {
    name: 'catalogue_value_value_check',
    table: 'catalogue_value',
    ...upTo('value', 128),
  },
  'a statement whose id is empty or too long (T14)': {
    name: 'statement_statement_id_check',
    table: 'statement',
    ...upTo('statement_id', 128),
  },
  'a statement whose number is empty or too long (T14)': {
    name: 'statement_number_check',
    table: 'statement',
    wrong: [{ number: '' }, { number: characters(129) }],
    right: [{ number: characters(128) }],
  },
  'a statement whose period ends before it begins (H1)': {
    name: 'statement_check',
    table: 'statement',
    wrong: [{ bill_period_from_date: '2026-01-02', bill_period_to_date: '2026-01-01' }],
    right: [{ bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-01' }],
  },
  'a statement whose amount has more than ten decimals (H1, X2)': {
    name: 'statement_gross_amount_check',
    table: 'statement',
    wrong: [{ gross_amount: '0.00000000001' }],
    right: [{ gross_amount: '-0.0000000001' }],
  },
  'a statement whose path is empty or too long, in bytes (T14)': {
    name: 'statement_statement_path_check',
    table: 'statement',
    wrong: [
      { statement_path: '', document_location: 'root/' },
      { statement_path: `${characters(256)}x`, document_location: 'root/x' },
    ],
    right: [{ statement_path: characters(256), document_location: 'root/x' }],
  },
  'a statement with a path and no location, or the reverse (F1)': {
    name: 'statement_check1',
    table: 'statement',
    wrong: [{ statement_path: 'a' }, { document_location: 'root/a' }],
    right: [{ statement_path: 'a', document_location: 'root/a' }],
  },
  'a statement whose document was seen when it has none (F3)': {
    name: 'statement_check2',
    table: 'statement',
    wrong: [{ document_seen_at: MOMENT }],
    right: [{ document_seen_at: MOMENT, statement_path: 'a', document_location: 'root/a' }],
  },
  'a payment instruction whose vendor is empty or too long (T14)': {
    name: 'payment_instruction_vendor_check',
    table: 'payment_instruction',
    ...upTo('vendor', 128),
  },
  'a payment instruction whose reference is empty or too long (T14)': {
    name: 'payment_instruction_reference_check',
    table: 'payment_instruction',
    ...upTo('reference', 512),
  },
  'a payment instruction whose type is empty or too long (T14)': {
    name: 'payment_instruction_type_check',
    table: 'payment_instruction',
    wrong: [{ type: '' }, { type: characters(129) }],
    right: [{ type: characters(128) }],
  },
  'a payment instruction whose details are no object (P1)': {
    name: 'payment_instruction_details_check',
    table: 'payment_instruction',
    wrong: ['[]', '"x"', 'null'].map((details) => ({ details })),
    right: [{ details: '{}' }],
  },
  'a payment instruction with what may be a card number (P1)': {
    name: 'payment_instruction_holds_no_card_number',
    table: 'payment_instruction',
    wrong: ['424242424242', '4242 4242 4242', '4242-4242-4242'].map((number) => ({
      details: JSON.stringify({ number }),
    })),
    right: [{ details: JSON.stringify({ number: '4242-4242 424' }) }],
  },
  'a transaction whose id is empty or too long (T14)': {
    name: 'transaction_transaction_id_check',
    table: 'transaction',
    ...upTo('transaction_id', 128),
  },
  'a transaction that was moved to the day that was sent (X7)': {
    name: 'transaction_check',
    table: 'transaction',
    wrong: [{ transaction_date: '2026-01-01', sent_date: '2026-01-01' }],
    right: [{ transaction_date: '2026-01-01', sent_date: '2025-12-31' }],
  },
  'a transaction of another type (X3)': {
    name: 'transaction_type_check',
    table: 'transaction',
    wrong: [{ type: 'REFUND' }, { type: 'charge' }],
    right: ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT'].map((type) => ({ type, transaction_id: type })),
  },
  'a supply charge without a product or line items (X1)': {
    name: 'transaction_check1',
    table: 'transaction',
    wrong: [
      { type: 'SUPPLY_CHARGE', line_items: '[]' },
      { type: 'SUPPLY_CHARGE', product_code: 'x' },
    ],
    right: [{ type: 'SUPPLY_CHARGE', product_code: 'x', line_items: '[]' }],
  },
  'a transaction whose line items are no list (X1)': {
    name: 'transaction_line_items_check',
    table: 'transaction',
    wrong: [{ line_items: '{}' }],
    right: [{ line_items: '[]' }],
  },
  'a transaction whose tax items are no list (X1)': {
    name: 'transaction_tax_items_check',
    table: 'transaction',
    wrong: [{ tax_items: '{}' }],
    right: [{ tax_items: '[]' }],
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
  'two organisations of the same name (6)': {
    name: 'organisation_name_key',
    table: 'organisation',
    first: { name: 'same' },
    second: { name: 'same' },
    other: { name: 'Same' },
  },
  'two API keys that are found by the same part of them (A6)': {
    name: 'api_key_handle_key',
    table: 'api_key',
    first: { handle: 'same' },
    second: { handle: 'same', key_hash: Buffer.alloc(32, 1) },
    other: { handle: 'Same' },
  },
  'two suppliers of the same code (T14)': {
    name: 'import_supplier_code_key',
    table: 'import_supplier',
    first: { code: 'same' },
    second: { code: 'same' },
    other: { code: 'Same' },
  },
  'two accounts of the same platform number (S4)': {
    name: 'account_import_service_account_number',
    table: 'account_import',
    first: imported('A-00000005'),
    second: imported('A-00000005'),
    other: imported('A-00000006'),
  },
  'two same notes without a moment of their own (N4)': {
    name: 'note_without_moment',
    table: 'note',
    first: { created_at: EARLIER, created_at_sent: false },
    second: { created_at: MOMENT, created_at_sent: false },
    other: { created_at: MOMENT, created_at_sent: true },
  },
};

const REFERENCES: Record<string, { name: string; table: string; wrong: Columns }> = {
  'an API key of no organisation (A6)': {
    name: 'api_key_organisation_id_fkey',
    table: 'api_key',
    wrong: { organisation_id: randomUUID() },
  },
  'a grant of no supplier (A8)': {
    name: 'import_supplier_grant_import_supplier_id_fkey',
    table: 'import_supplier_grant',
    wrong: { import_supplier_id: 0 },
  },
  'a grant to no organisation (A8)': {
    name: 'import_supplier_grant_organisation_id_fkey',
    table: 'import_supplier_grant',
    wrong: { organisation_id: randomUUID() },
  },
  'a change of the status of no supplier (S1)': {
    name: 'import_supplier_status_change_import_supplier_id_fkey',
    table: 'import_supplier_status_change',
    wrong: { import_supplier_id: 0 },
  },
  'a claim of no supplier (S3)': {
    name: 'import_claim_import_supplier_id_fkey',
    table: 'import_lease',
    wrong: { import_supplier_id: 0 },
  },
};

/** Columns that are never empty, of tables that no entity describes (those see test/architecture/schema.spec.ts). */
const FILLED: [table: string, column: string][] = [
  ['import_supplier_status_change', 'changed_at'],
  ['import_supplier_status_change', 'changed_by'],
  ['import_supplier_status_change', 'from_status'],
  ['import_supplier_status_change', 'to_status'],
  ['import_lease', 'first_number'],
  ['import_lease', 'last_number'],
  ['import_lease', 'held_by'],
  ['import_lease', 'expires_at'],
  ['import_request', 'kind'],
  ['import_request', 'api_key_id'],
  ['import_request', 'request_id'],
  ['import_request', 'stored'],
  ['import_request', 'stored_at'],
  ['catalogue_value', 'added_at'],
  ['rate_limit', 'restored_at'],
];

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
    const { organisationId } = await given.organisation();
    const account = { import_supplier_id: id, external_account_number: ref.external_account_number };
    const loaded = { ...account, import_request_id: randomUUID() };
    return {
      organisation: { name: unique('Organisation') },
      api_key: {
        organisation_id: organisationId,
        handle: unique('handle'),
        key_hash: Buffer.alloc(32),
        label: 'test',
      },
      rate_limit: { subject: unique('subject'), restored_at: MOMENT },
      catalogue_value: { field: 'reason', value: unique('VALUE') },
      import_supplier: { code: unique('SUPPLIER'), name: 'S', document_root: 's' },
      import_supplier_grant: { import_supplier_id: id, organisation_id: organisationId },
      import_supplier_status_change: {
        import_supplier_id: id,
        changed_by: 'test',
        from_status: 'ongoing',
        to_status: 'paused',
      },
      account_import: { import_supplier_id: id, external_account_number: unique('account') },
      import_lease: {
        import_supplier_id: id,
        first_number: '1',
        last_number: '2',
        held_by: 'test',
        expires_at: MOMENT,
      },
      load: {
        ...account,
        id: randomUUID(),
        kind: 'notes',
        api_key_id: randomUUID(),
        request_id: 'test',
        stored: 1,
      },
      note: { ...loaded, created_at: MOMENT, created_at_sent: true, body: 'text', is_pinned: false },
      transaction: {
        ...loaded,
        transaction_id: 'id',
        transaction_date: '2026-01-01',
        amount: '1.00',
        type: 'CHARGE',
      },
      statement: {
        ...loaded,
        statement_id: 'id',
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
      },
      payment_instruction: {
        ...loaded,
        vendor: 'SANDBOX',
        reference: 'ok_1',
        type: 'CARD',
        details: '{}',
        verified_at: MOMENT,
      },
    };
  }

  function insert(table: string, columns: Columns): Promise<unknown> {
    const names = Object.keys(columns);
    const places = names.map((_name, index) => `$${index + 1}`);
    return database.sql(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(columns),
    );
  }

  it.each(Object.entries(CHECKS))('%s', async (_what, { name, table, wrong, right }) => {
    for (const columns of wrong) {
      const row = { ...(await possibleRows())[table], ...columns };
      expect(await refusalOf(insert(table, row))).toMatchObject({ code: '23514', constraint: name });
    }
    for (const columns of right) {
      const row = { ...(await possibleRows())[table], ...columns };
      expect(await refusalOf(insert(table, row))).toBeUndefined();
    }
  });

  it.each(Object.entries(UNIQUE))('%s', async (_what, { name, table, first, second, other }) => {
    const [rows, others] = [await possibleRows(), await possibleRows()];
    // Notes are the same on one account only; everything else is unique among all suppliers.
    const beside = table === 'note' ? rows : others;
    await insert(table, { ...rows[table], ...first });
    const again = insert(table, { ...beside[table], ...second });
    expect(await refusalOf(again)).toMatchObject({ code: '23505', constraint: name });
    expect(await refusalOf(insert(table, { ...beside[table], ...other }))).toBeUndefined();
  });

  it.each(Object.entries(REFERENCES))('%s', async (_what, { name, table, wrong }) => {
    const rows = await possibleRows();
    const astray = insert(table, { ...rows[table], ...wrong });
    expect(await refusalOf(astray)).toMatchObject({ code: '23503', constraint: name });
    expect(await refusalOf(insert(table, rows[table]!))).toBeUndefined();
  });

  it.each(FILLED)('a row of %s without its %s (house rule)', async (table, column) => {
    const rows = await possibleRows();
    const empty = insert(table, { ...rows[table], [column]: null });
    expect(await refusalOf(empty)).toMatchObject({ code: '23502', column });
    expect(await refusalOf(insert(table, rows[table]!))).toBeUndefined();
  });

  it('an amount of more than twelve digits before the point (X2)', async () => {
    const rows = await possibleRows();
    const amount = (value: string): Promise<unknown> =>
      insert('transaction', { ...rows.transaction, amount: value });
    expect(await refusalOf(amount('1000000000000.00'))).toMatchObject({ code: '22003' });
    expect(await refusalOf(amount('-999999999999.99'))).toBeUndefined();
  });

  it('accounts of no supplier (S3)', async () => {
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
    expect(await refusalOf(moved)).toMatchObject({ code: '23001' });
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
      expect(await meanwhile).toMatchObject({ code: '23001' });
    } finally {
      await staging.end();
    }
  });

  it('whatever a constraint of it forbids, each of which is tried above (house rule)', async () => {
    const constraints = await database.sql<{ name: string }>(
      `SELECT conname AS name
         FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
       UNION ALL
       SELECT indexrelid::regclass::text
         FROM pg_index
         JOIN pg_class c ON c.oid = indexrelid
        WHERE c.relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary`,
    );
    const tried = [CHECKS, UNIQUE, REFERENCES].flatMap((cases) =>
      Object.values(cases).map(({ name }: { name: string }) => name),
    );
    expect(constraints.map(({ name }) => name).sort()).toEqual(tried.sort());
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
