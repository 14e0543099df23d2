import { whyOf } from '@data-import/files';
import type { Clock } from '../common/clock.js';

/** A command's output and environment. */
export interface Terminal {
  /** Prints the command's result on standard output. */
  readonly print: (text: string) => void;
  /** Prints a sentence for the person who runs it on standard error. */
  readonly say: (sentence: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard error, for progress bars. */
  readonly errors: NodeJS.WriteStream;
  readonly clock: Clock;
  /** End the process at once. */
  readonly exit: (code: number) => void;
  /** Calls back at each Ctrl-C or SIGTERM until the returned function is called. */
  readonly onInterrupt: (handle: () => void) => () => void;
}

/** Exit codes (choice L8). */
export const EXIT = { complete: 0, failed: 1, usage: 2, stopped: 3 } as const;

/** The message of an unexpected error. A system error is put into words. */
export function failureText(error: unknown): string {
  const { path = 'A file of the loader', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall !== undefined) return `${path} cannot be used: ${whyOf(error)}.`;
  return `The loader has failed: ${(error instanceof Error ? error.message : String(error)).replace(/[.\s]+$/, '')}.`;
}
