/** It is unknown whether the request was stored; with that parameter it would be stored twice (choice X6). */
const SEND_AGAIN = 'Send the same request again, but transactions without check_previously_added=false.';

/**
 * Every error that a response of the REST API can have: its status and its default text. Codes never change once released; texts
 * may. A test keeps docs/errors.md equal to this table.
 *
 * Source: specification 7; choices T2, T4.
 */
export const ERRORS = {
  validation_error: { status: 400, detail: 'The request has invalid input.' },
  transaction_import_error: {
    status: 400,
    detail: 'A transaction could not be imported; nothing was stored.',
  },
  parse_error: { status: 400, detail: 'The request is not valid JSON in UTF-8.' },
  not_authenticated: { status: 401, detail: 'The request carries no token.' },
  authentication_failed: { status: 401, detail: 'The token is not valid.' },
  token_expired: { status: 401, detail: 'The token has expired; obtain a new one.' },
  token_revoked: {
    status: 401,
    detail: 'The token has been revoked; obtain a new one with a valid API key.',
  },
  not_found: { status: 404, detail: 'Nothing exists at this address.' },
  account_not_found: {
    status: 404,
    detail: 'No imported account was found for the import supplier and account number.',
  },
  method_not_allowed: { status: 405, detail: 'The method is not allowed at this address.' },
  feed_restarted: {
    status: 409,
    detail:
      'Numbers of this feed were lost, and a new epoch has begun. Remove what was read after the given cursor, and continue there.',
  },
  payload_too_large: { status: 413, detail: 'The request body is too large.' },
  unsupported_media_type: { status: 415, detail: 'The request body must be application/json in UTF-8.' },
  throttled: { status: 429, detail: 'Too many requests; wait before the next one.' },
  error: {
    status: 500,
    detail: `An unexpected error occurred. ${SEND_AGAIN}`,
  },
  payment_vendor_unavailable: {
    status: 500,
    detail:
      'The payment vendor is not available at the moment; nothing was stored. Send the same request again.',
  },
  service_unavailable: {
    status: 503,
    detail: `The service is not available at the moment. ${SEND_AGAIN}`,
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Seconds after which a client may try again when the service is unavailable. */
const RETRY_AFTER_SECONDS = 5;

/** Response headers of an error that follow from its code. */
const HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  not_authenticated: { 'www-authenticate': 'Token' },
  authentication_failed: { 'www-authenticate': 'Token' },
  token_expired: { 'www-authenticate': 'Token' },
  token_revoked: { 'www-authenticate': 'Token' },
  service_unavailable: { 'retry-after': String(RETRY_AFTER_SECONDS) },
};

/**
 * Every code that an element of `errors` can have, with its default text.
 *
 * Source: specification 7.1; choice T5 and the rows that name a code.
 */
export const FIELD_ERRORS = {
  required: 'This field is required.',
  null: 'This field may not be null; omit it instead.',
  blank: 'This field may not be empty.',
  invalid: 'The value has the wrong type or format.',
  invalid_choice: 'The value is not one of the allowed values.',
  max_length: 'The value is too long.',
  min_length: 'The value is too short.',
  max_digits: 'The number has more digits than can be stored exactly.',
  max_decimal_places: 'The number has too many decimal places.',
  min_value: 'The number is too small.',
  max_value: 'The number is too large.',
  unexpected_field: 'This field is not documented and must not be sent.',
  invalid_cursor: 'The cursor cannot be used.',
  too_many_readers: 'The feed of this import supplier has as many named readers as it may have.',
  too_many_errors: 'There are more errors than this answer lists.',
  import_supplier_migration_not_ongoing: 'The migration of this import supplier is not ongoing.',
  note_body_or_document_path_not_found: 'A note needs a body or at least one document path.',
  note_unpin_at_earlier_than_creation_date: 'unpin_at is before created_at.',
  start_date_later_than_end_date: 'The period ends before it starts.',
  duplicate_transaction_ids: 'An earlier transaction of the request has the same transaction_id.',
  outside_open_statement_period: 'The transaction date is outside the open statement period.',
  invalid_document_path: 'The path is not a relative path within the document root.',
  path_does_not_exist_in_file_store: 'No document exists at this path.',
  duplicate_statement_ids: 'An earlier statement of the request has the same statement_id.',
  historical_statement_already_exists:
    'The account has a statement with this statement_id and different content.',
  payment_instruction_already_exists:
    'The account has the instruction of this vendor and reference with another type; nothing was changed.',
  payment_instruction_not_found:
    'The payment vendor has no instruction with this reference. Do not send the same request again.',
  payment_vendor_rejected: 'The payment vendor rejects the request. Do not send the same request again.',
  payment_vendor_not_configured: 'This payment vendor is not configured; the operator can configure it.',
} as const;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

/** One element of `errors`: the error, and the dot-delimited path of the value (specification 7.1). */
export interface FieldError {
  readonly detail: string;
  readonly code: FieldErrorCode;
  readonly attr: string;
}

/** @param detail text for people instead of the default; clients never parse it */
export function fieldError(
  code: FieldErrorCode,
  attr: string,
  detail: string = FIELD_ERRORS[code],
): FieldError {
  return { detail, code, attr };
}

export interface AppErrorOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Response headers in addition to those of the code, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the body, in addition to `detail`, `code` and `errors` (choices X8 and E7 only). */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Whether the service rejects the request although nothing has failed; then nobody has to look at the log. */
  readonly isExpected?: boolean;
}

/** An error with a code of {@link ERRORS}. The error filter turns it into a status and a body. */
export class AppError extends Error {
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Nothing has failed: the request is invalid, or exceeds a limit of its caller. */
  readonly isExpected: boolean;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    const { stackTraceLimit } = Error;
    const isExpected = options.isExpected ?? ERRORS[code].status < 500;
    // Nobody reads the stack of an expected error, and collecting it takes time.
    if (isExpected) Error.stackTraceLimit = 0;
    super(options.detail ?? ERRORS[code].detail, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.errors = options.errors ?? [];
    this.headers = { ...HEADERS[code], ...options.headers };
    this.extra = options.extra ?? {};
    this.isExpected = isExpected;
  }
}

/** Maximum number of elements of `errors` in one response, not counting the final `too_many_errors` (choice T6). */
export const ERRORS_MAX = 1_000;

/** The error of a request with invalid input, with all its field errors (choice T6). */
export function validationError(errors: readonly FieldError[]): AppError {
  const listed =
    errors.length > ERRORS_MAX ? [...errors.slice(0, ERRORS_MAX), fieldError('too_many_errors', '')] : errors;
  return new AppError('validation_error', { errors: listed });
}
