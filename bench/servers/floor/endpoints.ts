/** The endpoints of the floor (main.ts), for Fastify alone and behind Nest. */
import { hash } from 'node:crypto';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import pg from 'pg';
import type { CreateNotesDto } from '../../../src/notes/notes.dto.js';
import type { CreateHistoricalStatementsDto } from '../../../src/statements/statements.dto.js';
import type { CreateTransactionsDto, TransactionDto } from '../../../src/transactions/transactions.dto.js';
import {
  CREATE_NOTES,
  CREATE_STATEMENTS,
  CREATE_TRANSACTIONS,
  LISTS,
  STATUS,
  type AccessRow,
} from './queries.js';

const POOL_MAX = 10;
const BODY_LIMIT_BYTES = 10 * 1_024 * 1_024;

pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: POOL_MAX,
  // One plan for all calls: planning one of these queries costs more than running it.
  options: '-c plan_cache_mode=force_generic_plan',
});
pool.on('error', () => undefined);

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
  const body = request.body as CreateTransactionsDto;
  // Plain objects of its shape.
  const sent: readonly Pick<TransactionDto, keyof TransactionDto>[] = body.transactions;
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
  const body = request.body as CreateNotesDto;
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
  const body = request.body as CreateHistoricalStatementsDto;
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
