import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { StartError } from '../config/env.js';
import { ignoreOutputErrors } from './standard-output.js';

/**
 * Create the log: one JSON object a line. Headers and bodies are never logged, and errors only as {@link describeError} returns
 * them, so that no token, key or note body gets into the log. A line about a request has its `request_id` and, if the client sent
 * one, its `trace_id` (choices T3, T17). The code that writes the line passes them: an AsyncLocalStorage would add a cost to
 * every promise of every request.
 *
 * @param destination standard error by default
 */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** Lines are written together when they reach this many characters, so that not every line costs a system call. */
const BUFFER_LENGTH = 8_192;
/** A line is written after this time at the latest; a process that is killed loses no more than that. */
const FLUSH_INTERVAL_MS = 250;

let bufferedStandardError: DestinationStream | undefined;

/** Standard error with one buffer for all loggers of the process. The service continues when nobody reads it any more. */
function standardError(): DestinationStream {
  ignoreOutputErrors();
  bufferedStandardError ??= buffered(process.stderr);
  return bufferedStandardError;
}

/**
 * Buffers lines, and writes them at once when the process exits or a fatal line is logged.
 *
 * This is our own because pino.destination(), which has the same options, blocks the exit while the pipe is full or closed: with
 * it, four of the five tests in test/process/log.spec.ts time out.
 */
function buffered(output: NodeJS.WriteStream): DestinationStream & { flushSync: () => void } {
  let lines = '';
  const flush = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    output.write(text);
  };
  setInterval(flush, FLUSH_INTERVAL_MS).unref();
  process.once('exit', flush);
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= BUFFER_LENGTH) flush();
    },
    // pino calls this after a fatal line.
    flushSync: flush,
  };
}

/** Maximum number of nested causes to log. */
const CAUSES_MAX = 5;

/**
 * The members of an error that are logged. A query error also has its parameters, and PostgreSQL's `detail` contains the rejected
 * row. Both may contain a note's body, so they are left out.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause, code, table, constraint, queryName } = error as Error &
    Record<string, unknown>;
  return {
    name,
    message,
    code,
    table,
    constraint,
    query: queryName,
    stack,
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * Nest's logger. Its lines about the start get the level debug, because only developers need them. If the message is an object,
 * its members are logged and its `msg` is the text.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug(...toLine(message, { context }));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // The process that starts the service prints the message of this error.
    if (message instanceof StartError) return;
    this.logger.error(...toLine(message, { detail: rest }));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn(...toLine(message, { context }));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug(...toLine(message, { context }));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace(...toLine(message, { context }));
  }
}

function toLine(message: unknown, members: object): [members: object, text: string] {
  if (typeof message !== 'object' || message === null || !('msg' in message))
    return [members, String(message)];
  const { msg, ...more } = message;
  return [{ ...more, ...members }, String(msg)];
}
