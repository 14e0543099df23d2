import { HttpException } from '@nestjs/common';
import { AppError, type ErrorCode } from './errors.js';
import { isUnavailable } from './sql-state.js';

/**
 * The error that a client is answered for whatever was thrown. What is not recognised becomes `error` with the thrown
 * value as its cause.
 *
 * Source: choice T4.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return fromFramework(thrown) ?? fromDatabase(thrown) ?? new AppError('error', { cause: thrown });
}

/** What Fastify itself finds wrong with a request; bodies are read by apps/http/plugins/body.plugin.ts. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

function fromFramework(thrown: unknown): AppError | undefined {
  // Nest wraps the errors of Fastify into an exception of its own.
  const cause = thrown instanceof HttpException ? thrown.cause : thrown;
  const code = FRAMEWORK_ERRORS[(cause as { code?: string } | undefined)?.code ?? ''];
  return code && new AppError(code, { cause });
}

/** @returns undefined when the error does not mean that the database is unavailable */
export function fromDatabase(thrown: unknown): AppError | undefined {
  return isUnavailable(thrown) ? new AppError('service_unavailable', { cause: thrown }) : undefined;
}
