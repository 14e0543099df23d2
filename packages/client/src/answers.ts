import type { FieldError, RefusedTransactionData } from './contract.generated.js';
import {
  AuthenticationError,
  FeedRestartedError,
  NotFoundError,
  ServiceError,
  TransactionImportError,
  ValidationError,
  type Failure,
} from './errors.js';
import { isRetryableStatus, retryAfterSeconds } from './retry.js';
import type { Answer } from './transport.js';

/** GraphQL answers a failure with status 200 and one of these codes. The values are the REST code and status for it. */
const GRAPHQL: Readonly<Record<string, { readonly code: string; readonly status: number }>> = {
  AUTHENTICATION_FAILED: { code: 'authentication_failed', status: 401 },
  NOT_AUTHENTICATED: { code: 'not_authenticated', status: 401 },
  TOKEN_EXPIRED: { code: 'token_expired', status: 401 },
  TOKEN_REVOKED: { code: 'token_revoked', status: 401 },
  REFRESH_TOKEN_EXPIRED: { code: 'refresh_token_expired', status: 401 },
  REFRESH_TOKEN_INVALID: { code: 'refresh_token_invalid', status: 401 },
  THROTTLED: { code: 'throttled', status: 429 },
  SERVICE_UNAVAILABLE: { code: 'service_unavailable', status: 503 },
  INTERNAL_SERVER_ERROR: { code: 'error', status: 500 },
};

interface ErrorBody {
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly FieldError[];
  readonly cursor?: string;
  readonly error_detail?: string;
  readonly transaction_data?: RefusedTransactionData;
}

interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/**
 * The body of a successful REST answer.
 *
 * @param isRepeatable whether the request may be sent again even if it may already have been stored
 * @throws ServiceError for every other answer
 */
export function resultOf(answer: Answer, isRepeatable: boolean): object {
  if (answer.status !== 200 && answer.status !== 201) throw serviceError(answer, isRepeatable);
  const body = jsonOf(answer);
  if (typeof body !== 'object' || body === null) throw unexpected(answer, isRepeatable);
  return body;
}

/** The data of a GraphQL answer. @throws ServiceError with the REST code and status for the failure */
export function dataOf(answer: Answer): unknown {
  const { data, errors } = (jsonOf(answer) ?? {}) as GraphqlBody;
  const [error] = errors ?? [];
  if (error) {
    const known = error.extensions?.code ?? '';
    const { code, status } = GRAPHQL[known] ?? { code: known.toLowerCase(), status: answer.status };
    throw errorOf(answer, { code, detail: error.message, status }, true);
  }
  if (answer.status !== 200 || data === undefined || data === null) throw unexpected(answer, true);
  return data;
}

/** Convert an answer to the error that it represents. */
export function serviceError(answer: Answer, isRepeatable: boolean): ServiceError {
  const body = jsonOf(answer) as ErrorBody | undefined;
  if (typeof body?.detail !== 'string' || typeof body.code !== 'string')
    return unexpected(answer, isRepeatable);
  const { code, detail, errors, cursor, error_detail: reason, transaction_data: transaction } = body;
  const failure = { code, detail, errors };
  if (code === 'transaction_import_error' && transaction) {
    return new TransactionImportError(
      withAnswer(answer, failure, isRepeatable),
      reason ?? detail,
      transaction,
    );
  }
  if (code === 'feed_restarted' && typeof cursor === 'string') {
    return new FeedRestartedError(withAnswer(answer, failure, isRepeatable), cursor);
  }
  return errorOf(answer, failure, isRepeatable);
}

/** The error for an answer that is not the service's, but that of a proxy or another server. Its text stays out of the error. */
function unexpected(answer: Answer, isRepeatable: boolean): ServiceError {
  const type = answer.headers['content-type'] ?? 'no content type';
  const detail = `The answer ${answer.status} (${type}) is not one of the data-import service.`;
  return errorOf(answer, { code: 'unexpected_answer', detail }, isRepeatable);
}

function errorOf(answer: Answer, failure: Failure, isRepeatable: boolean): ServiceError {
  const complete = withAnswer(answer, failure, isRepeatable);
  if (complete.status === 401) return new AuthenticationError(complete);
  if (complete.status === 404) return new NotFoundError(complete);
  return new (complete.code === 'validation_error' ? ValidationError : ServiceError)(complete);
}

function withAnswer(answer: Answer, failure: Failure, isRepeatable: boolean): Failure {
  const status = failure.status ?? answer.status;
  return {
    ...failure,
    status,
    requestId: answer.requestId,
    retryable: isRetryableStatus(status, isRepeatable),
    retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after'], Date.now()),
  };
}

/** @returns undefined when the text is not JSON */
function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
