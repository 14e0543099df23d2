import { whyOf } from '../common/system-error.js';
import type { Clock } from '../common/clock.js';

/** Where a command writes, and what it knows of its surroundings. */
export interface Terminal {
  /** What the command was asked for. */
  readonly print: (text: string) => void;
  /** A sentence for the person who runs it, on standard error. */
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

/** What is said of an error that nothing expects; one of the system is said in words. */
export function failureText(error: unknown): string {
  const { path = 'A file of the loader', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall !== undefined) return `${path} cannot be used: ${whyOf(error)}.`;
  return `The loader has failed: ${(error instanceof Error ? error.message : String(error)).replace(/[.\s]+$/, '')}.`;
}
