import type { Logger } from 'pino';
import { createLogger } from '../../src/infrastructure/log/logger.js';

/** A log that a test can read. */
export interface MemoryLog {
  readonly logger: Logger;
  readonly lines: () => Record<string, unknown>[];
  readonly text: () => string;
}

export function memoryLog(level = 'trace'): MemoryLog {
  let written = '';
  const destination = {
    write: (line: string) => {
      written += line;
    },
  };
  return {
    logger: createLogger(level, destination),
    text: () => written,
    lines: () =>
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
