import { QueryFailedError } from 'typeorm';

/** The SQLSTATE of a failed query, or the system's code of a failed connection. */
export function sqlState(error: unknown): string | undefined {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
