import { QueryFailedError } from 'typeorm';

/** The SQLSTATE of a failed query, or the system's code of a failed connection. */
export function sqlState(error: unknown): string | undefined {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Whether PostgreSQL has not answered a statement in time (ormconfig.ts). Nobody knows what became of it, and its
 * connection is still waiting for the answer. The driver says so in words only.
 */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
