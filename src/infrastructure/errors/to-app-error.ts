import { HttpException } from '@nestjs/common';
import { AppError, type ErrorCode } from './errors.js';
import { isUnavailable } from './sql-state.js';

/**
 * Turn any thrown value into the error that the client gets. An unrecognised value becomes `error` with that value as its cause.
 *
 * Source: choice T4.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return fromFramework(thrown) ?? fromDatabase(thrown) ?? new AppError('error', { cause: thrown });
}

/** Errors that Fastify itself finds in a request; apps/http/plugins/body.plugin.ts reads bodies. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

function fromFramework(thrown: unknown): AppError | undefined {
  // Nest wraps Fastify's errors into its own exception.
  const cause = thrown instanceof HttpException ? thrown.cause : thrown;
  const code = FRAMEWORK_ERRORS[(cause as { code?: string } | undefined)?.code ?? ''];
  return code && new AppError(code, { cause });
}

/** @returns undefined if the error does not mean that the database is unavailable */
export function fromDatabase(thrown: unknown): AppError | undefined {
  return isUnavailable(thrown) ? new AppError('service_unavailable', { cause: thrown }) : undefined;
}
