import { parseDateTime } from '../clock/dates.js';
import { isName, NAME_RULE } from '../text/names.js';
import type { Readable } from 'node:stream';

/** Standard input. `fd` is absent if it is not a file descriptor of the process. */
export type CommandInput = Readable & { readonly fd?: number };

/** The process as a command sees it. This class is the injection token; the implementation is in `cli/`. */
export abstract class CommandContext {
  /** Directory in which the operator typed the command; relative file names start there. */
  abstract readonly cwd: string;
  abstract readonly stdin: CommandInput;
  /** The name that the audit log records. */
  abstract readonly operator: string;
  /**
   * Fires on Ctrl-C: finish the current step, then end. If a command never reads this property, it is killed at once, in the
   * middle of its work.
   */
  abstract readonly interrupted: AbortSignal;
  /** Print a sentence for people to standard error. */
  abstract say(sentence: string): void;
  /** Show a progress bar on standard error, only on a terminal and never with `--json`. */
  abstract progress(options: ProgressOptions): Progress;
  /** Wait for a command, print its result and set its exit code. */
  abstract complete(command: () => Promise<CommandResult>): Promise<void>;
}

export interface ProgressOptions {
  /** The total amount of work. */
  readonly total: number;
  /** The unit of the total, for example `accounts`. */
  readonly unit: string;
}

export interface Progress {
  /** @param done the amount of work done since the last call */
  readonly advance: (done: number) => void;
  readonly stop: () => void;
}

/** The result of a command: the document for `--json`, and the same for people. */
export interface CommandResult {
  /**
   * An AsyncIterable, as the document or as one of its members, is written as a list, item by item, however long. Members after
   * it are read when it has ended.
   */
  readonly json: unknown;
  /** Text without a final line end, or pieces of such a text, or a table. */
  readonly text: string | AsyncIterable<string> | Table;
  /** 1 if the command ran but not everything succeeded (choices, section 6); 0 by default. Read after everything is printed. */
  readonly exitCode?: 0 | 1;
}

/** Rows below a header. A header without cells is not printed. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: Iterable<TableRow> | AsyncIterable<TableRow>;
  /** The sentence in place of a table without rows; without it, the header is printed. */
  readonly none?: string;
}

export type TableRow = readonly (string | number)[];

/** Marks an error as a rejected value. Commander recognises it by these members, not by the class. */
export const INVALID_ARGUMENT = { code: 'commander.invalidArgument', exitCode: 1 };

/** Thrown by the parser of an option. Commander prints the option and the value before the message. */
export class InvalidOptionError extends Error {
  readonly code = INVALID_ARGUMENT.code;
  readonly exitCode = INVALID_ARGUMENT.exitCode;
}

/** The choices and the parser of an option with fixed values. nest-commander shows choices in the help, but does not check them. */
export function oneOf(values: readonly string[]): {
  readonly choices: string[];
  readonly parse: (text: string) => string;
} {
  const parse = (text: string): string => {
    if (!values.includes(text)) throw new InvalidOptionError(allowedChoices(values));
    return text;
  };
  return { choices: [...values], parse };
}

/** Commander's sentence for a value that is not one of the choices. */
export function allowedChoices(values: readonly string[]): string {
  return `Allowed choices are ${values.join(', ')}.`;
}

/** The arguments of a command about a supplier. */
export const ONE_SUPPLIER = { arguments: '<code>', argsDescription: { code: 'code of the supplier' } };

/** The arguments of a command about an account. */
export const ONE_ACCOUNT = {
  arguments: '<code> <external-number>',
  argsDescription: {
    ...ONE_SUPPLIER.argsDescription,
    'external-number': 'account number in the supplier’s own system',
  },
};

/** The option `--reason`. */
export const REASON = { description: 'reason; recorded permanently', parse: someText, required: true };

/** The option `--reason` of a removal. */
export const REASON_OF_REMOVAL = {
  ...REASON,
  description: 'reason; recorded permanently, so it must not name the customer',
};

/** The parser of an option that requires text. @throws InvalidOptionError */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidOptionError('It must not be empty.');
  return text;
}

/** The parser of an option that is a name. @throws InvalidOptionError */
export function nameOf(text: string): string {
  if (!isName(text)) throw new InvalidOptionError(NAME_RULE);
  return text;
}

/** The parser of an option that is a whole number of at least 1. It throws an {@link InvalidOptionError}. */
export function wholeNumber(max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? 'from 1 on' : `from 1 to ${max}`;
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
    throw new InvalidOptionError(`It must be a whole number ${range}.`);
  };
}

/** The parser of an option that is a date-time. @throws InvalidOptionError */
export function dateTimeOf(text: string): Date {
  const milliseconds = parseDateTime(text);
  if (milliseconds === undefined) {
    throw new InvalidOptionError('Expected a date-time in the form YYYY-MM-DDTHH:MM:SSZ.');
  }
  return new Date(milliseconds);
}
