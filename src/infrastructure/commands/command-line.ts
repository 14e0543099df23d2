import type { Readable } from 'node:stream';

/** Standard input; `fd` is absent when it is not a file descriptor of the process. */
export type CommandInput = Readable & { readonly fd?: number };

/** What a command knows of the process it runs in. Injection token; the implementation is in `cli/`. */
export abstract class CommandContext {
  /** Directory in which the operator typed the command; relative file names start there. */
  abstract readonly cwd: string;
  abstract readonly stdin: CommandInput;
  /** Name that is recorded for a change. */
  abstract readonly operator: string;
  /**
   * Fires on Ctrl-C: finish the current step, then end. A command that never reads this property is ended at once, in the
   * middle of its work.
   */
  abstract readonly interrupted: AbortSignal;
  /** Print a sentence for people on standard error. */
  abstract say(sentence: string): void;
  /** Show a progress bar on standard error; only on a terminal and never under `--json`. */
  abstract progress(options: ProgressOptions): Progress;
  /** Wait for a command, print its result and keep its exit code. */
  abstract complete(command: () => Promise<CommandResult>): Promise<void>;
}

export interface ProgressOptions {
  /** How much there is to do. */
  readonly total: number;
  /** What is counted, for example `accounts`. */
  readonly unit: string;
}

/** A progress bar. */
export interface Progress {
  /** @param done how much more was done since the last call */
  readonly advance: (done: number) => void;
  readonly stop: () => void;
}

/** What a command returns: the document of `--json`, and the same for people. */
export interface CommandResult {
  /**
   * An AsyncIterable, as the document or as a member of it, is written as a list, item by item, however long; the members
   * after it are read when it has ended.
   */
  readonly json: unknown;
  /** Text without a line end at its end, or pieces of it, or a table. */
  readonly text: string | AsyncIterable<string> | Table;
  /** 1 when the command ran but not everything succeeded (choices, section 6); 0 by default. Read when all is printed. */
  readonly exitCode?: 0 | 1;
}

/** Rows under a head; a head without cells is not printed. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** How commander marks the refusal of a value, which it recognises by these members and not by the class. */
export const INVALID_ARGUMENT = { code: 'commander.invalidArgument', exitCode: 1 };

/** Thrown by the parser of an option: commander names the option and the value before the reason. */
export class InvalidOptionError extends Error {
  readonly code = INVALID_ARGUMENT.code;
  readonly exitCode = INVALID_ARGUMENT.exitCode;
}

/**
 * The parser of an option with a fixed set of values. nest-commander's `choices` are shown in the help and not checked.
 *
 * @throws InvalidOptionError
 */
export function choice<const Value extends string>(values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new InvalidOptionError(allowedChoices(values));
  return found;
}

/** The sentence of commander for a value that is none of the choices. */
export function allowedChoices(values: readonly string[]): string {
  return `Allowed choices are ${values.join(', ')}.`;
}
