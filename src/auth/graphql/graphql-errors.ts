import type { AppError } from '../../infrastructure/errors/errors.js';

/**
 * Every error code of an executed GraphQL operation, sent in `extensions.code`, with its default text. Codes never change
 * once released; texts may.
 *
 * Source: choice A2.
 */
export const GRAPHQL_ERRORS = {
  AUTHENTICATION_FAILED: 'The API key or token is not valid.',
  INVALID_INPUT: 'The input is not valid.',
  NOT_AUTHENTICATED: 'This operation needs a token in the Authorization header.',
  TOKEN_EXPIRED: 'The token has expired; obtain a new one.',
  TOKEN_REVOKED: 'The token has been revoked; obtain a new one with a valid API key.',
  REFRESH_TOKEN_EXPIRED: 'The refresh token has expired; obtain a new one with an API key.',
  REFRESH_TOKEN_INVALID: 'The refresh token is not valid.',
  THROTTLED: 'Too many calls; wait before the next one.',
  SERVICE_UNAVAILABLE:
    'The service is not available at the moment. Send the same request again in a few seconds.',
  INTERNAL_SERVER_ERROR: 'An unexpected error occurred. Send the same request again.',
} as const;

export type GraphqlErrorCode = keyof typeof GRAPHQL_ERRORS;

/** An error of a GraphQL operation with a code of {@link GRAPHQL_ERRORS}. */
export class OperationError extends Error {
  constructor(
    readonly code: GraphqlErrorCode,
    description: string = GRAPHQL_ERRORS[code],
  ) {
    super(description);
  }
}

/** The GraphQL code of a REST error. */
export function graphqlCode({ code }: AppError): string {
  return code === 'error' ? 'INTERNAL_SERVER_ERROR' : code.toUpperCase();
}

/** The members that every element of `errors` has. */
export function operationError(
  code: string,
  description: string,
): { message: string; extensions: { code: string; errorDescription: string } } {
  return { message: description, extensions: { code, errorDescription: description } };
}
