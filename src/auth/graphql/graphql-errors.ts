import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { fromDatabase } from '../../common/error-response.js';
import { AppError, type ErrorCode } from '../../common/errors.js';

/**
 * Every code that the failure of an executed GraphQL operation can carry in `extensions.code`, with its default text.
 * Codes never change once released; texts may.
 *
 * Source: contract A2.
 */
export const GRAPHQL_ERRORS = {
  AUTHENTICATION_FAILED: 'The API key or token is not valid.',
  INVALID_INPUT: 'The input is not valid.',
  NOT_AUTHENTICATED: 'This operation needs a token in the Authorization header.',
  TOKEN_EXPIRED: 'The token has expired; obtain a new one.',
  TOKEN_REVOKED: 'The token has been revoked; obtain a new one with a valid API key.',
  REFRESH_TOKEN_EXPIRED: 'The refresh token has expired; obtain a new one with an API key.',
  REFRESH_TOKEN_INVALID: 'The refresh token is not valid.',
  THROTTLED: 'Too many failed attempts; wait before the next one.',
  SERVICE_UNAVAILABLE: 'The service cannot answer just now. Send the same request again in a few seconds.',
  INTERNAL_SERVER_ERROR: 'Something went wrong here. Send the same request again.',
} as const;

export type GraphqlErrorCode = keyof typeof GRAPHQL_ERRORS;

/** A failure of a GraphQL operation, with a code of the table above. */
export class OperationError extends Error {
  constructor(
    readonly code: GraphqlErrorCode,
    description: string = GRAPHQL_ERRORS[code],
  ) {
    super(description);
  }
}

/** Failures of the token check, which REST and GraphQL share. */
const FROM_REST: Partial<Record<ErrorCode, GraphqlErrorCode>> = {
  not_authenticated: 'NOT_AUTHENTICATED',
  authentication_failed: 'AUTHENTICATION_FAILED',
  token_expired: 'TOKEN_EXPIRED',
  token_revoked: 'TOKEN_REVOKED',
};

/** The server's codes for a request that was refused before any of it was executed; their texts say what to mend. */
const REQUEST_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['BAD_REQUEST', 'BAD_REQUEST'],
  ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_PARSE_FAILED'],
  ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
  ['OPERATION_RESOLUTION_FAILURE', 'OPERATION_RESOLUTION_FAILURE'],
  ['PERSISTED_QUERY_NOT_SUPPORTED', 'PERSISTED_QUERY_NOT_SUPPORTED'],
  // A variable of the wrong type is the caller's input as much as a value that the operation refuses.
  ['BAD_USER_INPUT', 'INVALID_INPUT'],
]);

/** @returns nothing for a failure that the caller did not cause and must not see the insides of */
function known(error: unknown): { code: string; description: string } | undefined {
  const thrown = unwrapResolverError(error);
  if (thrown instanceof OperationError) return { code: thrown.code, description: thrown.message };
  if (thrown instanceof AppError) {
    const code = FROM_REST[thrown.code];
    return code && { code, description: GRAPHQL_ERRORS[code] };
  }
  if (!(thrown instanceof GraphQLError) || thrown.path !== undefined) return undefined;
  const code = REQUEST_ERRORS.get(thrown.extensions.code);
  return code === undefined ? undefined : { code, description: thrown.message };
}

/** Which failure of ours it is; what lies behind it is its cause, and in the log only. */
export function ours(error: unknown): AppError {
  const thrown = unwrapResolverError(error);
  const failure = thrown instanceof AppError ? thrown : fromDatabase(thrown);
  return failure?.code === 'service_unavailable' ? failure : new AppError('error', { cause: thrown });
}

/** The code in GraphQL of a failure that REST tells by another name. */
export function graphqlCode({ code }: AppError): string {
  return code === 'error' ? 'INTERNAL_SERVER_ERROR' : code.toUpperCase();
}

/** Whether a failure is ours, so that it has to be logged and is answered without its details. */
export function isUnexpected(error: unknown): boolean {
  return known(error) === undefined;
}

/**
 * An element of `errors`: what the server made of a failure, its extensions reduced to `code` and `errorDescription`.
 *
 * Source: contract A2.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const callers = known(error);
  if (callers) return { ...formatted, ...operationError(callers.code, callers.description) };
  const code = graphqlCode(ours(error)) as GraphqlErrorCode;
  return { ...formatted, ...operationError(code, GRAPHQL_ERRORS[code]) };
}

/** The parts of an element of `errors` that every failure has. */
export function operationError(
  code: string,
  description: string,
): { message: string; extensions: { code: string; errorDescription: string } } {
  return { message: description, extensions: { code, errorDescription: description } };
}
