import { Catch, HttpException, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, ERRORS, type ErrorCode } from './errors.js';
import { isUnavailable } from './sql-state.js';

/** Seconds after which a caller may try again when the service cannot answer. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Where a failure becomes a status and a body; only what never reaches Nest (broken-requests.ts) and GraphQL's own errors
 * (auth/graphql/graphql-route.ts) are answered elsewhere, in the same shape or in that of GraphQL. Whatever it does not know is
 * logged with its stack and answered with a fixed 500.
 *
 * Source: specification 7; contract T2, T4.
 */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendError(translate(error), request, reply);
  }
}

function translate(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return fromFramework(error) ?? fromDatabase(error) ?? new AppError('error', { cause: error });
}

/** Answer a request with a failure; also for what fails before Nest is asked. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  logFailure(error, request);
  if (reply.raw.headersSent) {
    breakOff(reply);
    return;
  }
  void reply
    .status(ERRORS[error.code].status)
    .headers(headersOf(error))
    .send({ ...error.extra, detail: error.message, code: error.code, errors: error.errors });
}

/**
 * The pieces of an answer on their way. When one fails, the connection is broken, and there are no more: whatever they
 * pass through would log a failure that is handed on once more each, without the request's id.
 */
export async function* untilOneFails<Piece>(
  pieces: AsyncIterable<Piece>,
  reply: FastifyReply,
): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    if (reply.raw.destroyed) return;
    logFailure(translate(error), reply.request);
    breakOff(reply);
  }
}

/** Only a broken connection can tell the caller that the answer is not whole. */
function breakOff(reply: FastifyReply): void {
  reply.raw.destroy();
}

/** Leave the cause of a failure that is not the caller's in the log. */
export function logFailure(error: AppError, request: FastifyRequest): void {
  if (ERRORS[error.code].status < 500 || isCallerGone(request)) return;
  request.log.error({ request_id: request.id, err: error.cause ?? error }, error.code);
}

/** A caller who left in the middle of a request is no failure of the service. */
function isCallerGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The headers that an answer with this failure carries. */
export function headersOf(error: AppError): Record<string, string> {
  return { ...STANDARD_HEADERS[error.code], ...error.headers };
}

const STANDARD_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  not_authenticated: { 'www-authenticate': 'Token' },
  authentication_failed: { 'www-authenticate': 'Token' },
  token_expired: { 'www-authenticate': 'Token' },
  token_revoked: { 'www-authenticate': 'Token' },
  service_unavailable: { 'retry-after': String(RETRY_AFTER_SECONDS) },
};

/** Failures that Fastify finds before a controller is reached. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'parse_error',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'parse_error',
};

export function fromFramework(error: unknown): AppError | undefined {
  // Nest wraps what Fastify says of a request into an exception of its own.
  const cause = error instanceof HttpException ? error.cause : error;
  const code = FRAMEWORK_ERRORS[(cause as { code?: string } | undefined)?.code ?? ''];
  return code && new AppError(code, { cause });
}

/** @returns nothing when the failure is not that of a database out of reach */
export function fromDatabase(error: unknown): AppError | undefined {
  return isUnavailable(error) ? new AppError('service_unavailable', { cause: error }) : undefined;
}
