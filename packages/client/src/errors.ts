import type { ErrorCode, FieldError, RefusedTransactionData } from './contract.generated.js';

/** Codes of failures without an answer of the service. */
export type LocalErrorCode =
  'invalid_input' | 'connection_failed' | 'timeout' | 'unexpected_answer' | 'api_key_refused';

/** The details of a failure. */
export interface Failure {
  readonly code: ErrorCode | LocalErrorCode;
  readonly detail: string;
  readonly status?: number | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Base class of all errors of this package. Decide by `code`, `errors` and `retryable`; texts may change. */
export class DataImportError extends Error {
  override readonly name: string = 'DataImportError';
  readonly code: ErrorCode | LocalErrorCode;
  /** For people. */
  readonly detail: string;
  /** Status of the answer; undefined without one. */
  readonly status: number | undefined;
  /** Every error in the input; empty when the failure is not about the input. */
  readonly errors: readonly FieldError[];
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later and is safe to retry. */
  readonly retryable: boolean;
  /** Seconds that the service asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure) {
    super(messageOf(failure), failure.cause === undefined ? {} : { cause: failure.cause });
    this.code = failure.code;
    this.detail = failure.detail;
    this.status = failure.status;
    this.errors = failure.errors ?? [];
    this.requestId = failure.requestId;
    this.retryable = failure.retryable ?? false;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** The service answered with an error. Subclasses exist for answers that programs handle differently. */
export class ServiceError extends DataImportError {
  override readonly name: string = 'ServiceError';
}

/** 400 `validation_error`: `errors` lists all invalid input. */
export class ValidationError extends ServiceError {
  override readonly name = 'ValidationError';
}

/** 400 `transaction_import_error`: transactions are outside the open statement period, and nothing was stored. */
export class TransactionImportError extends ServiceError {
  override readonly name = 'TransactionImportError';

  /**
   * @param errorDetail for people: the first offending transaction, its date and the period
   * @param transactionData the first offending transaction
   */
  constructor(
    failure: Failure,
    readonly errorDetail: string,
    readonly transactionData: RefusedTransactionData,
  ) {
    super(failure);
  }
}

/** 404: the account is unknown or not imported yet (`account_not_found`), or the supplier is not granted to you (`not_found`). */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
}

/**
 * 409 `feed_restarted`: the service has lost sequence numbers of the feed. Numbers up to that of {@link cursor} keep their meaning.
 * Changes that a reader has applied with higher numbers may never have happened: it must revert them and continue from the cursor.
 */
export class FeedRestartedError extends ServiceError {
  override readonly name = 'FeedRestartedError';

  /** The sequence number of the last change that is still valid, with 19 digits. */
  readonly sequence: string;

  /** @param cursor from which to continue */
  constructor(
    failure: Failure,
    readonly cursor: string,
  ) {
    super(failure);
    this.sequence = cursor.slice(cursor.lastIndexOf('-') + 1);
  }
}

/** 401, even though the token had just been renewed. */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** The service does not accept the API key. The client does not send this key again. */
export class ApiKeyRefusedError extends DataImportError {
  override readonly name = 'ApiKeyRefusedError';
}

/** The connection could not be made, or broke before the answer was complete: it is unknown whether the request was stored. */
export class ConnectionError extends DataImportError {
  override readonly name = 'ConnectionError';
}

/** No complete answer in time: it is unknown whether the request was stored. */
export class TimeoutError extends DataImportError {
  override readonly name = 'TimeoutError';
}

/** The call was not sent because of an invalid argument. */
export class InvalidInputError extends DataImportError {
  override readonly name = 'InvalidInputError';

  /** @param attr path of the argument, such as `transactions.3.amount` */
  constructor(
    readonly attr: string,
    detail: string,
  ) {
    super({ code: 'invalid_input', detail: `${attr}: ${detail}` });
  }
}

/** Names invalid input by path and code only: values are personal data and must stay out of logs. */
function messageOf({ code, detail, errors = [], requestId }: Failure): string {
  const [first] = errors;
  const others = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  const fields = first ? ` ${first.attr === '' ? 'The input' : first.attr}: ${first.code}${others}.` : '';
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  return `${detail}${fields} (${code}${request})`;
}
