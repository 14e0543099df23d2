import type { ErrorCode, FieldError, RefusedTransactionData } from './contract.generated.js';

/** Codes of failures that are no answer of the service. */
export type LocalErrorCode =
  'invalid_input' | 'connection_failed' | 'timeout' | 'unexpected_answer' | 'api_key_refused';

/** What is known of a failure. */
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

/** Every error of this package. Decide by `code`, `errors` and `retryable`; texts may change. */
export class DataImportError extends Error {
  override readonly name: string = 'DataImportError';
  readonly code: ErrorCode | LocalErrorCode;
  /** For people. */
  readonly detail: string;
  /** Of the answer; undefined without one. */
  readonly status: number | undefined;
  /** Every error in the input; empty when the failure is not about the input. */
  readonly errors: readonly FieldError[];
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later, and is safe to repeat. */
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

/** The service answered with an error; the subclasses are the answers that programs treat differently. */
export class ServiceError extends DataImportError {
  override readonly name: string = 'ServiceError';
}

/** 400 `validation_error`: `errors` lists all of the invalid input. */
export class ValidationError extends ServiceError {
  override readonly name = 'ValidationError';
}

/** 400 `transaction_import_error`: transactions are outside the open statement period, and nothing was stored. */
export class TransactionImportError extends ServiceError {
  override readonly name = 'TransactionImportError';

  /**
   * @param errorDetail the first transaction at fault, its date and the period, for people
   * @param transactionData the first transaction at fault
   */
  constructor(
    failure: Failure,
    readonly errorDetail: string,
    readonly transactionData: RefusedTransactionData,
  ) {
    super(failure);
  }
}

/** 404: the account is unknown or not imported yet (`account_not_found`), or the supplier is not yours (`not_found`). */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
}

/**
 * 409 `feed_restarted`: the service has lost numbers of the feed. Up to the one of {@link cursor} they mean what they meant. What a reader
 * has taken over with higher ones may never have happened; it removes that, and goes on from the cursor.
 */
export class FeedRestartedError extends ServiceError {
  override readonly name = 'FeedRestartedError';

  /** The number of the last change that means what it meant, with 19 digits. */
  readonly sequence: string;

  /** @param cursor from which to go on */
  constructor(
    failure: Failure,
    readonly cursor: string,
  ) {
    super(failure);
    this.sequence = cursor.slice(cursor.lastIndexOf('-') + 1);
  }
}

/** 401, although the token had just been renewed. */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** The service does not accept the API key. It is not sent again. */
export class ApiKeyRefusedError extends DataImportError {
  override readonly name = 'ApiKeyRefusedError';
}

/** No connection, or one that broke before the answer was complete: it is unknown whether a request was stored. */
export class ConnectionError extends DataImportError {
  override readonly name = 'ConnectionError';
}

/** No complete answer in time: it is unknown whether a request was stored. */
export class TimeoutError extends DataImportError {
  override readonly name = 'TimeoutError';
}

/** The call was not sent, because of an argument that cannot be. */
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

/** What is invalid is named by path and code; values are personal data and stay out of logs. */
function messageOf({ code, detail, errors = [], requestId }: Failure): string {
  const [first] = errors;
  const others = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  const fields = first ? ` ${first.attr === '' ? 'The input' : first.attr}: ${first.code}${others}.` : '';
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  return `${detail}${fields} (${code}${request})`;
}
