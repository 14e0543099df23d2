import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError, type ErrorCode } from '../../infrastructure/errors/errors.js';
import { toAppError } from '../../infrastructure/errors/to-app-error.js';
import {
  GRAPHQL_ERRORS,
  graphqlCode,
  operationError,
  OperationError,
  type GraphqlErrorCode,
} from './graphql-errors.js';

/** The errors of authentication and of the organisation's rate limit, which REST and GraphQL share. */
const FROM_REST: Partial<Record<ErrorCode, GraphqlErrorCode>> = {
  not_authenticated: 'NOT_AUTHENTICATED',
  authentication_failed: 'AUTHENTICATION_FAILED',
  token_expired: 'TOKEN_EXPIRED',
  token_revoked: 'TOKEN_REVOKED',
  throttled: 'THROTTLED',
  // A platform token: no operation that needs a token accepts it (choice E5).
  not_found: 'AUTHENTICATION_FAILED',
};

/** Apollo's codes for a request that is refused before execution, and the codes that clients receive for them. */
const REQUEST_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['BAD_REQUEST', 'BAD_REQUEST'],
  ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_PARSE_FAILED'],
  ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
  ['OPERATION_RESOLUTION_FAILURE', 'OPERATION_RESOLUTION_FAILURE'],
  ['PERSISTED_QUERY_NOT_SUPPORTED', 'PERSISTED_QUERY_NOT_SUPPORTED'],
  // A variable of the wrong type is invalid input, as is a value that the operation refuses.
  ['BAD_USER_INPUT', 'INVALID_INPUT'],
]);

/** @returns undefined for an error of the service, whose details a client must not see */
function clientError(error: unknown): { code: string; description: string } | undefined {
  const thrown = unwrapResolverError(error);
  if (thrown instanceof OperationError) return { code: thrown.code, description: thrown.message };
  if (thrown instanceof AppError) {
    const code = FROM_REST[thrown.code];
    // Only the message says how long to wait. The answer has no Retry-After, because its other fields may have succeeded.
    return code && { code, description: code === 'THROTTLED' ? thrown.message : GRAPHQL_ERRORS[code] };
  }
  if (!(thrown instanceof GraphQLError) || thrown.path !== undefined) return undefined;
  const code = REQUEST_ERRORS.get(thrown.extensions.code);
  return code === undefined ? undefined : { code, description: thrown.message };
}

/** Whether an error is the service's fault. It is then logged, and its details are hidden from the client. */
export function isServerError(error: unknown): boolean {
  return clientError(error) === undefined;
}

/** The error to log and answer when {@link isServerError} is true: `service_unavailable` or `error`. */
export function toServerError(error: unknown): AppError {
  const thrown = unwrapResolverError(error);
  const known = toAppError(thrown);
  return known.code === 'service_unavailable' ? known : new AppError('error', { cause: thrown });
}

/**
 * Apollo's `formatError`. It returns an element of `errors` with only the extensions `code` and `errorDescription`.
 *
 * Source: choice A2.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const known = clientError(error);
  if (known) return { ...formatted, ...operationError(known.code, known.description) };
  const code = graphqlCode(toServerError(error)) as GraphqlErrorCode;
  return { ...formatted, ...operationError(code, GRAPHQL_ERRORS[code]) };
}
