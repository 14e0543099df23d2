import type { Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { ACCOUNT, operationOf, SUPPLIER } from '../kinds/fields.js';
import { refusedText, type Answer } from './answer.js';

/** The consequence of an answer that rejects a request and would reject it again. */
export type Refusal =
  /** These rows are rejected, by index. Those in `repeated` have the id of an earlier row of the request. */
  | {
      readonly of: 'rows';
      readonly failed: ReadonlyMap<number, RefusedField[]>;
      readonly repeated: ReadonlySet<number>;
    }
  | { readonly of: 'account'; readonly errors: RefusedField[] }
  /** The request is too large, or one of its rows is invalid and the service does not say which. */
  | { readonly of: 'size'; readonly limits: 'items' | 'bytes' | undefined; readonly errors: RefusedField[] }
  /** No request can succeed. */
  | { readonly of: 'all'; readonly sentence: string; readonly isUsage: boolean };

/** The code for every row of an account that is not imported (choice S8). */
export const ACCOUNT_NOT_FOUND = 'account_not_found';

const REPEATED_IDS = new Set(['duplicate_transaction_ids', 'duplicate_statement_ids']);

/** The client's own codes, for failures that are not answers of the service. */
const LOCAL = new Set(['unexpected_answer', 'connection_failed', 'timeout', 'invalid_input']);

/** An error about one of these applies to every request: the supplier and the options. */
const OF_EVERY_REQUEST = new Set([SUPPLIER, ...KINDS.flatMap((kind) => operationOf(kind).parameters)]);

/** Longer values do not come from a list of allowed values. */
const VALUE_LENGTH_MAX = 64;

/**
 * Decide what a rejection is about: single rows, the account, the size of the request, or every request.
 *
 * Source: docs/errors.md.
 */
export function readRefusal(kind: Kind, rows: readonly Row[], received: Answer): Refusal {
  const { status, body } = received;
  const { code, detail, errors } = errorBody(body);
  if (status === 404 && code === ACCOUNT_NOT_FOUND) {
    return { of: 'account', errors: [{ code, attr: ACCOUNT, detail }] };
  }
  if (status === 413)
    return { of: 'size', limits: 'bytes', errors: [{ code: code || 'payload_too_large', attr: '', detail }] };
  if (status === 400 && code !== '' && !LOCAL.has(code))
    return readErrors(kind, rows, { code, detail, errors });
  if (status === 401 || LOCAL.has(code))
    return { of: 'all', sentence: refusedText(received, { code, detail }), isUsage: true };
  const answer = code === '' ? `${status} in an unknown format` : `${status} ${code}: ${detail}`;
  return { of: 'all', sentence: `The service answers ${answer}. Is the base URL right?`, isUsage: true };
}

interface ErrorBody {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly RefusedField[];
}

function readErrors(kind: Kind, rows: readonly Row[], { code, detail, errors }: ErrorBody): Refusal {
  const { list } = operationOf(kind);
  const failed = new Map<number, RefusedField[]>();
  const repeated = new Set<number>();
  const ofAccount: RefusedField[] = [];
  let isTooLong = false;
  for (const error of errors) {
    if (error.code === 'too_many_errors') continue;
    if (error.code === 'import_supplier_migration_not_ongoing') {
      return {
        of: 'all',
        sentence: `The service does not accept data for this supplier now: ${error.detail}`,
        isUsage: false,
      };
    }
    if (OF_EVERY_REQUEST.has(error.attr)) {
      return { of: 'all', sentence: `The service rejects ${error.attr}: ${error.detail}`, isUsage: true };
    }
    if (error.attr === ACCOUNT) ofAccount.push(error);
    else if (list !== undefined && error.attr === list) isTooLong ||= error.code === 'max_length';
    else addToRow(rowOf(error, list, rows), failed, repeated);
  }
  if (ofAccount.length > 0) return { of: 'account', errors: ofAccount };
  const isOfRows = [...failed.keys(), ...repeated].some((index) => index < rows.length);
  if (isOfRows) return { of: 'rows', failed, repeated };
  const all = errors.length > 0 ? [...errors] : [{ code, attr: '', detail }];
  return { of: 'size', limits: isTooLong ? 'items' : undefined, errors: all };
}

function addToRow(
  found: { index: number; error: RefusedField } | undefined,
  failed: Map<number, RefusedField[]>,
  repeated: Set<number>,
): void {
  if (!found) return;
  const { index, error } = found;
  if (REPEATED_IDS.has(error.code)) {
    repeated.add(index);
    return;
  }
  failed.set(index, [...(failed.get(index) ?? []), error]);
}

/** @returns the row that an error is about, and the error with its path within the row */
function rowOf(
  { code, detail, attr: full }: RefusedField,
  list: string | undefined,
  rows: readonly Row[],
): { index: number; error: RefusedField } | undefined {
  const [head, at = '', ...path] = list === undefined ? [list, '0', full] : full.split('.');
  if (head !== list || !/^\d+$/.test(at)) return undefined;
  const [index, attr] = [Number(at), path.join('.')];
  const error = { code, attr, detail };
  const row = rows[index];
  if (code !== 'invalid_choice' || !row) return { index, error };
  // The value shows people which allowed value is missing or misspelt.
  const value = valueAt(JSON.parse(row.item), attr);
  const isShort = typeof value === 'string' && value.length <= VALUE_LENGTH_MAX;
  return { index, error: isShort ? { ...error, value } : error };
}

function valueAt(item: unknown, attr: string): unknown {
  let value = item;
  for (const name of attr.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The members of an error body (specification 7.1). They are empty when the answer does not come from the service. */
function errorBody(body: unknown): ErrorBody {
  const { code, detail, errors } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const list = Array.isArray(errors) ? errors : [];
  return {
    code: typeof code === 'string' ? code : '',
    detail: typeof detail === 'string' ? detail : '',
    errors: list.map((error: Record<string, unknown>) => ({
      code: String(error.code),
      attr: String(error.attr),
      detail: String(error.detail),
    })),
  };
}
