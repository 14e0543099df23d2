/** The endpoints of the floor (main.ts), for Fastify alone and behind Nest. */
import { hash } from 'node:crypto';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import pg from 'pg';

const POOL_MAX = 10;
const BODY_LIMIT_BYTES = 10 * 1_024 * 1_024;
const ITEMS_MAX = 5_000;

pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: POOL_MAX,
  // One plan for all calls: planning one of these queries costs more than running it.
  options: '-c plan_cache_mode=force_generic_plan',
});
pool.on('error', () => undefined);

// ---------------------------------------------------------------------------------------------- request schemas

const identifier = { type: 'string', minLength: 1, maxLength: 128 };
const freeText = { type: 'string', maxLength: 5_000 };
const day = { type: 'string', format: 'date' };
const dateTime = { type: 'string', format: 'date-time' };
const number = { type: 'number' };
const path = {
  type: 'string',
  minLength: 1,
  maxLength: 1_024,
  // Relative, no empty, `.` or `..` segment, no backslash, no control character.
  pattern: '^(?!/)(?!.*//)(?!.*(?:^|/)\\.{1,2}(?:/|$))(?!.*/$)[^\\\\\\u0000-\\u001f]+$',
};

type Fields = Readonly<Record<string, object>>;

function object(required: Fields, optional: Fields = {}): object {
  const properties = { ...required, ...optional };
  return { type: 'object', additionalProperties: false, required: Object.keys(required), properties };
}

function list(items: object, min = 0): object {
  return { type: 'array', minItems: min, maxItems: ITEMS_MAX, items };
}

const lineItem = object(
  { start_date: day, end_date: day, number_of_units: number, net_amount: number },
  { rate_band: identifier, price_per_unit: number, units: { type: 'array', items: number } },
);

const taxItem = object({
  amount: number,
  tax_type: identifier,
  value_taxed: number,
  rate: number,
  unit_type: { enum: ['PROPORTION', 'CURRENCY_PER_KWH'] },
});

const transaction = object(
  {
    transaction_id: identifier,
    transaction_date: day,
    amount: { type: 'number', multipleOf: 0.01, exclusiveMinimum: -1e12, exclusiveMaximum: 1e12 },
    type: { enum: ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] },
  },
  {
    reason: { enum: ['ACCOUNT_CHARGE_PAYMENT', 'IMPORTED_CHARGE', 'IMPORTED_CREDIT', 'GENERAL_CREDIT'] },
    reference: { type: 'string', minLength: 1, maxLength: 512 },
    payment_type: { enum: ['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'DEBIT_CARD'] },
    display_note: freeText,
    note: freeText,
    product_code: identifier,
    line_items: list(lineItem),
    tax_items: list(taxItem),
  },
);

const note = {
  ...object(
    {},
    {
      body: { type: 'string', maxLength: 50_000 },
      document_paths: list(object({ document_path: path })),
      created_at: dateTime,
      is_pinned: { type: 'boolean' },
      unpin_at: dateTime,
    },
  ),
  anyOf: [{ required: ['body'] }, { required: ['document_paths'] }],
};

const statement = object(
  { statement_id: identifier, bill_period_from_date: day, bill_period_to_date: day },
  { issued_date: day, number: identifier, gross_amount: number, statement_path: path },
);

function importRequest(name: string, item: object): object {
  const pair = { import_supplier: identifier, external_account_number: identifier };
  return object({ ...pair, [name]: list(item, 1) });
}

interface Pair {
  import_supplier: string;
  external_account_number: string;
}

interface TransactionIn {
  transaction_id: string;
  transaction_date: string;
  amount: number;
  type: string;
  reason?: string;
  reference?: string;
  payment_type?: string;
  display_note?: string;
  note?: string;
  product_code?: string;
  line_items?: object[];
  tax_items?: object[];
}

interface NoteIn {
  body?: string;
  document_paths?: { document_path: string }[];
  created_at?: string;
  is_pinned?: boolean;
  unpin_at?: string;
}

interface StatementIn {
  statement_id: string;
  bill_period_from_date: string;
  bill_period_to_date: string;
  issued_date?: string;
  number?: string;
  gross_amount?: number;
  statement_path?: string;
}

// ----------------------------------------------------------------------------------------------------------- queries

/** The account access check. Parameters 1 to 3: hash of the token, supplier, account. No row: the token is unknown. */
const ACCOUNT_ACCESS = `
  access AS MATERIALIZED (
    SELECT a.id, s.is_ongoing, s.document_root, a.open_from,
           greatest(a.open_from, coalesce(a.open_to, current_date)) AS open_to
      FROM token t
      LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
      LEFT JOIN account a ON a.supplier_id = s.id AND a.external_number = $3 AND a.service_number IS NOT NULL
     WHERE t.hash = $1
  )`;

interface AccessRow {
  id: string | null;
  is_ongoing: boolean | null;
}

const CREATE_TRANSACTIONS = {
  name: 'floor.create_transactions',
  text: `
  WITH ${ACCOUNT_ACCESS},
  added AS (
    INSERT INTO transaction
    SELECT access.id, sent.transaction_id, least(greatest(sent.transaction_date, access.open_from), access.open_to),
           sent.amount, sent.type, sent.reason, sent.reference, sent.payment_type, sent.display_note, sent.note,
           sent.product_code, sent.line_items, sent.tax_items
      FROM access,
           unnest($4::text[], $5::date[], $6::numeric[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                  $12::text[], $13::text[], $14::jsonb[], $15::jsonb[])
             AS sent (transaction_id, transaction_date, amount, type, reason, reference, payment_type, display_note,
                      note, product_code, line_items, tax_items)
     WHERE access.id IS NOT NULL AND access.is_ongoing
        ON CONFLICT DO NOTHING
    RETURNING transaction_id, transaction_date
  )
  SELECT access.id, access.is_ongoing, stored.ids, stored.days
    FROM access, (SELECT array_agg(transaction_id) AS ids, array_agg(transaction_date::text) AS days FROM added) AS stored`,
};

const CREATE_NOTES = {
  name: 'floor.create_notes',
  text: `
  WITH ${ACCOUNT_ACCESS},
  sent AS (
    SELECT n.*, sha256(convert_to(coalesce(nullif(n.body, ''), n.paths), 'UTF8')) AS body_hash
      FROM unnest($4::text[], $5::text[], $6::timestamptz[], $7::boolean[], $8::timestamptz[])
             WITH ORDINALITY AS n (body, paths, created_at, is_pinned, unpin_at, position)
  ),
  added AS (
    INSERT INTO note
    SELECT access.id, sent.body_hash, coalesce(sent.created_at, $9), sent.body,
           (SELECT array_agg(access.document_root || '/' || one) FROM unnest(string_to_array(sent.paths, E'\\n')) AS one),
           sent.is_pinned, sent.unpin_at
      FROM access, sent
     WHERE access.id IS NOT NULL AND access.is_ongoing
       AND (SELECT 1
              FROM note
             WHERE note.account_id = access.id
               AND note.body_hash = sent.body_hash
               AND (sent.created_at IS NULL OR note.created_at = sent.created_at)
             LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING
    RETURNING body_hash, created_at
  )
  SELECT access.id, access.is_ongoing,
         (SELECT array_agg(sent.position::integer)
            FROM sent
            JOIN added ON added.body_hash = sent.body_hash AND added.created_at = coalesce(sent.created_at, $9)) AS stored
    FROM access`,
};

const CREATE_STATEMENTS = {
  name: 'floor.create_statements',
  text: `
  WITH ${ACCOUNT_ACCESS},
  sent AS (
    SELECT * FROM unnest($4::text[], $5::date[], $6::date[], $7::date[], $8::text[], $9::numeric[], $10::text[])
             AS sent (statement_id, period_from, period_to, issued_date, number, gross_amount, path)
  ),
  differing AS MATERIALIZED (
    SELECT sent.statement_id
      FROM access, sent
      JOIN LATERAL (
        SELECT * FROM statement s WHERE s.account_id = access.id AND s.statement_id = sent.statement_id LIMIT 1
      ) AS known ON true
     WHERE (known.period_from, known.period_to, known.issued_date, known.number, known.gross_amount,
            known.document_location)
        IS DISTINCT FROM (sent.period_from, sent.period_to, sent.issued_date, sent.number, sent.gross_amount,
                          access.document_root || '/' || sent.path)
  ),
  added AS (
    INSERT INTO statement
    SELECT access.id, sent.statement_id, sent.period_from, sent.period_to, sent.issued_date, sent.number,
           sent.gross_amount, access.document_root || '/' || sent.path
      FROM access, sent
     WHERE access.id IS NOT NULL AND access.is_ongoing AND (SELECT 1 FROM differing LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING
  )
  SELECT access.id, access.is_ongoing, (SELECT array_agg(statement_id) FROM differing) AS differing FROM access`,
};

const STATUS = {
  name: 'floor.status',
  text: `
  SELECT a.id, a.service_number
    FROM token t
    LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
    LEFT JOIN account a ON a.supplier_id = s.id AND a.external_number = $3
   WHERE t.hash = $1`,
};

function listQuery(filter: string, condition: string): { name: string; text: string } {
  return {
    name: `floor.list_${filter}`,
    // PostgreSQL writes the JSON text, which is sent unchanged.
    text: `
    SELECT s.id, (
      SELECT '[' || coalesce(string_agg(
               '{"external_account_number":' || to_json(a.external_number)::text ||
               ',"service_account_number":' || coalesce('"' || a.service_number || '"', 'null') ||
               ',"account_created_at":' ||
                 coalesce(to_char(a.created_at AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS"Z\\""'), 'null') || '}',
               ',' ORDER BY a.external_number), '') || ']'
        FROM account a
       WHERE a.supplier_id = s.id AND ${condition}) AS list
      FROM token t
      LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
     WHERE t.hash = $1`,
  };
}

const LISTS = {
  all: listQuery('all', 'true'),
  pending: listQuery('pending', 'a.service_number IS NULL'),
  imported: listQuery('imported', 'a.service_number IS NOT NULL'),
};

// --------------------------------------------------------------------------------------------------------- endpoints

/** An error answer. */
class HttpError extends Error {
  constructor(
    readonly statusCode: number,
    readonly code: string,
    readonly attr?: string,
  ) {
    super(code);
  }
}

async function run<Row>(
  { name, text }: { name: string; text: string },
  request: FastifyRequest,
  ...parameters: unknown[]
): Promise<Row> {
  const token = request.headers.authorization?.replace(/^Token /, '') ?? '';
  const values = [hash('sha256', token, 'buffer'), ...parameters];
  const { rows } = await pool.query<Row & pg.QueryResultRow>({ name, text, values });
  const [row] = rows;
  if (!row) throw new HttpError(401, 'authentication_failed');
  return row;
}

function requireOpenAccount({ id, is_ongoing }: AccessRow): void {
  if (is_ongoing === false)
    throw new HttpError(400, 'import_supplier_migration_not_ongoing', 'import_supplier');
  if (id === null) throw new HttpError(404, 'account_not_found');
}

async function createTransactions(request: FastifyRequest): Promise<object> {
  const body = request.body as Pair & { transactions: TransactionIn[] };
  const { transactions: sent } = body;
  expectDistinct(sent.map((one) => one.transaction_id));
  const row = await run<AccessRow & { ids: string[] | null; days: string[] | null }>(
    CREATE_TRANSACTIONS,
    request,
    body.import_supplier,
    body.external_account_number,
    sent.map((one) => one.transaction_id),
    sent.map((one) => one.transaction_date),
    sent.map((one) => one.amount),
    sent.map((one) => one.type),
    sent.map((one) => one.reason),
    sent.map((one) => one.reference),
    sent.map((one) => one.payment_type),
    sent.map((one) => one.display_note),
    sent.map((one) => one.note),
    sent.map((one) => one.product_code),
    sent.map((one) => one.line_items && JSON.stringify(one.line_items)),
    sent.map((one) => one.tax_items && JSON.stringify(one.tax_items)),
  );
  requireOpenAccount(row);
  const dayOf = new Map(row.ids?.map((id, index) => [id, row.days?.[index]]));
  const results = sent.map((one) => {
    const storedDay = dayOf.get(one.transaction_id);
    return {
      status: storedDay === undefined ? 'TRANSACTION_ALREADY_EXISTS' : 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: {
        ...one,
        transaction_date: storedDay ?? one.transaction_date,
        amount: one.amount.toFixed(2),
        status: 'TRANSACTION_IMPORT_SUCCESS',
      },
    };
  });
  return { results };
}

function expectDistinct(ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) {
      throw new HttpError(400, 'duplicate_transaction_ids', `transactions.${index}.transaction_id`);
    }
    seen.add(id);
  }
}

async function createNotes(request: FastifyRequest): Promise<object> {
  const body = request.body as Pair & { notes: NoteIn[] };
  const { notes: sent } = body;
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const row = await run<AccessRow & { stored: number[] | null }>(
    CREATE_NOTES,
    request,
    body.import_supplier,
    body.external_account_number,
    sent.map((one) => one.body ?? ''),
    sent.map((one) => one.document_paths?.map(({ document_path }) => document_path).join('\n')),
    sent.map((one) => one.created_at),
    sent.map((one) => one.is_pinned ?? false),
    sent.map((one) => one.unpin_at),
    now,
  );
  requireOpenAccount(row);
  const stored = new Set(row.stored);
  return sent.map((one, index) => ({
    created_at: one.created_at ?? now,
    body: one.body ?? '',
    status: stored.has(index + 1) ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
  }));
}

async function createStatements(request: FastifyRequest): Promise<object> {
  const body = request.body as Pair & { statements: StatementIn[] };
  const { statements: sent } = body;
  const row = await run<AccessRow & { differing: string[] | null }>(
    CREATE_STATEMENTS,
    request,
    body.import_supplier,
    body.external_account_number,
    sent.map((one) => one.statement_id),
    sent.map((one) => one.bill_period_from_date),
    sent.map((one) => one.bill_period_to_date),
    sent.map((one) => one.issued_date),
    sent.map((one) => one.number),
    sent.map((one) => one.gross_amount),
    sent.map((one) => one.statement_path),
  );
  requireOpenAccount(row);
  if (row.differing !== null) {
    const position = sent.findIndex(({ statement_id }) => statement_id === row.differing?.[0]);
    throw new HttpError(400, 'historical_statement_already_exists', `statements.${position}.statement_id`);
  }
  return body;
}

async function status(request: FastifyRequest): Promise<object> {
  const { supplier, account } = request.params as { supplier: string; account: string };
  const row = await run<{ id: string | null; service_number: string | null }>(
    STATUS,
    request,
    supplier,
    account,
  );
  if (row.id === null) throw new HttpError(404, 'account_not_found');
  const isImported = row.service_number !== null;
  return { status: isImported ? 'COMPLETED' : 'UNKNOWN', service_account_number: row.service_number ?? '' };
}

function listEndpoint(filter: keyof typeof LISTS) {
  return async (request: FastifyRequest): Promise<string> => {
    const { supplier } = request.params as { supplier: string };
    const row = await run<{ id: number | null; list: string }>(LISTS[filter], request, supplier);
    if (row.id === null) throw new HttpError(404, 'not_found');
    return row.list;
  };
}

/** The schemas of the bodies, which Fastify compiles. */
export const BODY_SCHEMAS: Readonly<Record<string, object>> = {
  '/transactions/create': importRequest('transactions', transaction),
  '/notes/create': importRequest('notes', note),
  '/historical-statements/create': importRequest('statements', statement),
};

/** The handlers; a string that they return is JSON text. */
export const ENDPOINTS = {
  createTransactions,
  createNotes,
  createStatements,
  status,
  all: listEndpoint('all'),
  pending: listEndpoint('pending'),
  imported: listEndpoint('imported'),
};

export const PREFIX = '/v1/data-import';
export const JSON_TYPE = 'application/json; charset=utf-8';

interface SchemaError {
  readonly instancePath: string;
  readonly message?: string;
}

/** The status and the body of an error. */
export function errorAnswer(
  error: Error & { readonly validation?: SchemaError[]; readonly statusCode?: number },
): { readonly status: number; readonly body: object } {
  const [first] = error.validation ?? [];
  if (first) {
    const attr = first.instancePath.slice(1).replaceAll('/', '.');
    const errors = [{ detail: first.message, code: 'invalid', attr }];
    return { status: 400, body: { detail: 'The request is invalid.', code: 'validation_error', errors } };
  }
  if (error instanceof HttpError) {
    const { code, attr } = error;
    const errors = attr === undefined ? [] : [{ detail: code, code, attr }];
    return { status: error.statusCode, body: { detail: code, code, errors } };
  }
  process.stderr.write(`${error.stack ?? String(error)}\n`);
  return { status: error.statusCode ?? 500, body: { detail: error.message, code: 'error', errors: [] } };
}

export const SERVER_OPTIONS: FastifyServerOptions = {
  bodyLimit: BODY_LIMIT_BYTES,
  routerOptions: { ignoreTrailingSlash: true },
  // As strict as the service: values are not converted, unknown fields are errors.
  ajv: {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      multipleOfPrecision: 6,
    },
  },
};

/** Print the server's address, and stop the server on SIGTERM. */
export function announce(origin: string, close: () => Promise<void>): void {
  process.stdout.write(`Listening on ${origin}\n`);
  process.once('SIGTERM', () => {
    void close().then(() => pool.end());
  });
}
