import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import type { CommandInput } from '../../infrastructure/commands/command-line.js';

/** A stream that may be a terminal. */
export type CommandOutput = Writable & { readonly isTTY?: boolean };

/** The process that a command runs in. A test passes its own. */
export interface CommandHost {
  readonly stdin: CommandInput;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Directory in which the operator typed the command. */
  readonly cwd: string;
  /** Environment variables, read when a command first needs a setting, so that help and usage errors need none. */
  readonly variables: () => NodeJS.ProcessEnv;
  /** Emits `SIGINT` and `SIGTERM`. */
  readonly signals: EventEmitter;
  /** End the process at once. */
  readonly exit: (exitCode: number) => void;
}
