import type { AuthenticatedRequest } from '../../../auth/caller.js';
import {
  ERRORS,
  type AppError,
  type ErrorCode,
  type FieldError,
} from '../../../infrastructure/errors/errors.js';
import { timeOrderedId } from '../../../infrastructure/text/uuid.js';
import { toBoolean } from '../../../infrastructure/validation/query.js';
import type { ImportRouteConfig } from '../../../ingest/import-route.js';
import type { Refusal } from './refusal.types.js';
import { FIELDS_WITH_CHOICES, memberOf, refusedItems, VALUE_MAX } from './refused-items.js';
import { storable } from './storable.js';

/** The most characters of a supplier's code or an account number (choice T14). */
const IDENTIFIER_MAX = 128;
/** The paths of documented fields have fewer than 60 characters, but clients may send other fields. */
const ATTR_MAX = 256;

/** The statuses for wrong content. Other errors are about the token, the limits or the service. */
const REFUSED = new Set([400, 404]);

/** Whether an import request that is answered with this code counts as refused. */
export function isRefusal(code: ErrorCode): boolean {
  return REFUSED.has(ERRORS[code].status);
}

/**
 * The record of a refused request.
 *
 * @param withItems whether to record the items of the request ({@link refusedItems})
 * @returns undefined unless the request is an import with a readable body that names a supplier, refused with 400 or 404
 * Source: choices O6, C9.
 */
export function toRefusal(
  error: AppError,
  request: AuthenticatedRequest,
  nowMs: number,
  withItems = true,
): Refusal | undefined {
  const { importKind } = request.routeOptions.config as ImportRouteConfig;
  const { caller } = request;
  if (importKind === undefined || !caller || !isRefusal(error.code)) return undefined;
  const body = (request.body ?? {}) as { import_supplier?: unknown; external_account_number?: unknown };
  const { import_supplier: supplier, external_account_number: number } = body;
  if (typeof supplier !== 'string') return undefined;
  const [first] = error.errors;
  return {
    id: timeOrderedId(nowMs),
    organisationId: caller.organisationId,
    apiKeyId: caller.apiKeyId,
    requestId: caller.requestId,
    traceId: caller.traceId,
    kind: importKind,
    importSupplier: storable(supplier, IDENTIFIER_MAX),
    externalAccountNumber: typeof number === 'string' ? storable(number, IDENTIFIER_MAX) : '',
    status: ERRORS[error.code].status,
    code: error.code,
    attr: first && storable(first.attr, ATTR_MAX),
    fieldCode: first?.code,
    value: first && refusedValue(first, body),
    items: withItems ? refusedItems(importKind, error.errors, body) : undefined,
    isDryRun: toBoolean((request.query as { dry_run?: unknown }).dry_run) === true,
  };
}

/** The refused value of a field with a closed set of values; undefined for other fields. @param body as parsed */
function refusedValue({ code, attr }: FieldError, body: object): string | undefined {
  const path = attr.split('.');
  if (code !== 'invalid_choice' || !FIELDS_WITH_CHOICES.has(path.at(-1) ?? '')) return undefined;
  const value = path.reduce<unknown>(memberOf, body);
  return typeof value === 'string' ? storable(value, VALUE_MAX) : undefined;
}
