import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

/** The request that the running code works for, so that all its log lines carry the same id (contract T3). */
export const requestScope = new AsyncLocalStorage<{ readonly requestId: string }>();

/**
 * The log: one JSON object a line on standard error. Headers and bodies are never passed to it, so tokens, keys and
 * note bodies cannot get into it.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const scope = requestScope.getStore();
        return scope ? { request_id: scope.requestId } : {};
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

/** Lets the framework write its own lines to the log; what it says of its start is of interest to developers only. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ detail: rest }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
