import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { StartError } from '../config/env.js';
import { ignoreOutputErrors } from './standard-output.js';

/**
 * The log: one JSON object a line. Headers and bodies are never passed to it, and of an error only what
 * {@link describeError} picks, so tokens, keys and note bodies cannot get into it. A line that is written for a request
 * names it as `request_id` (contract T3); whoever writes it has the request at hand, for following it through the
 * asynchronous parts of the process by itself costs every promise of every request.
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

/** Lines are gathered to pieces of this many characters, so that a busy service does not pay for a system call a line. */
const GATHERED_LENGTH = 8_192;
/** A line waits at most this long; a process that is killed loses no more. */
const FLUSH_INTERVAL_MS = 250;

let gatheringStandardError: DestinationStream | undefined;

/**
 * Standard error, the same for every logger of the process. What has been gathered is written at once when the process
 * ends or a fatal line comes; when nobody reads the log any more, the service goes on without one.
 */
function standardError(): DestinationStream {
  ignoreOutputErrors();
  gatheringStandardError ??= gathered(process.stderr);
  return gatheringStandardError;
}

function gathered(output: NodeJS.WriteStream): DestinationStream & { flushSync: () => void } {
  let held = '';
  const flush = (): void => {
    if (held === '') return;
    const piece = held;
    held = '';
    output.write(piece);
  };
  setInterval(flush, FLUSH_INTERVAL_MS).unref();
  process.once('exit', flush);
  return {
    write: (line) => {
      held += line;
      if (held.length >= GATHERED_LENGTH) flush();
    },
    // pino asks for it after a fatal line.
    flushSync: flush,
  };
}

/** How far back the causes of an error are told. */
const CAUSES_MAX = 5;

/**
 * What the log tells of an error. A failed query also carries its parameters, and PostgreSQL's `detail` the row that it
 * refused: both may hold a note's body, so only these members are taken.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause, code, table, constraint } = error as Error & Record<string, unknown>;
  return {
    name,
    message,
    code,
    table,
    constraint,
    stack,
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * Lets the framework write its own lines to the log; what it says of its start is of interest to developers only. Whoever
 * has facts to tell beside the text hands an object with the text as `msg`.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug(...toLine(message, { context }));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Whoever started the service is told in a sentence, by whom it is thrown to.
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

function toLine(message: unknown, facts: object): [facts: object, text: string] {
  if (typeof message !== 'object' || message === null || !('msg' in message)) return [facts, String(message)];
  const { msg, ...more } = message;
  return [{ ...more, ...facts }, String(msg)];
}
