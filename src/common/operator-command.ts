import type { Readable } from 'node:stream';
import { Inject } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';

/** commander's own command; nest-commander brings its own copy of commander and does not export its types. */
export type CommanderCommand = Parameters<CommandRunner['setCommand']>[0];

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
  /** Print the requested help. */
  abstract printHelp(text: string): void;
  /** Print why the words of a command cannot be understood. */
  abstract printUsageError(text: string): void;
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

/**
 * An operator command: reads its arguments and options, calls a service and returns what to print. It decides nothing.
 *
 * nest-commander finds subcommands by their class names, so these are unique over the program.
 */
export abstract class OperatorCommand<
  Arguments extends string[] = [],
  Options extends object = object,
> extends CommandRunner {
  @Inject(CommandContext) protected readonly context: CommandContext;

  /** @param args as many as the command declares, for commander refuses others */
  protected abstract execute(args: Arguments, options: Options): Promise<CommandResult>;

  override setCommand(command: CommanderCommand): this {
    configureCommand(command, this.context);
    return super.setCommand(command);
  }

  override run(args: Arguments, options: Options): Promise<void> {
    return this.context.complete(() => this.execute(args, options));
  }

  /** End the command as commander does for an argument that it refuses. */
  protected refuseArgument(name: string, value: string, reason: string): never {
    return this.command.error(
      `error: command-argument value '${value}' is invalid for argument '${name}'. ${reason}`,
      INVALID_ARGUMENT,
    );
  }
}

/** A command that only holds subcommands. */
export abstract class OperatorCommandGroup extends CommandRunner {
  @Inject(CommandContext) protected readonly context: CommandContext;

  override setCommand(command: CommanderCommand): this {
    configureCommand(command, this.context);
    // nest-commander gives every command an action. A group without one is answered by commander itself: with its help,
    // or with the name that is nearest to an unknown subcommand.
    command.action = () => command;
    return super.setCommand(command);
  }

  override run(): Promise<void> {
    return Promise.resolve();
  }
}

/** What every command has in common; commander hands none of it down to commands that are added ready-made. */
export function configureCommand(command: CommanderCommand, context: CommandContext): void {
  command
    .option('--json', 'print one JSON document on standard output')
    .allowExcessArguments(false)
    .showHelpAfterError('Add --help to see how it is used.')
    .configureOutput({
      writeOut: (text) => {
        context.printHelp(text);
      },
      writeErr: (text) => {
        context.printUsageError(text);
      },
    })
    .exitOverride(({ exitCode, code, message }) => {
      throw new CommandLineEnd(exitCode, code, message);
    });
}

/** commander ended the command: it printed the help (exit code 0), or refused its words. */
export class CommandLineEnd extends Error {
  /** @param code commander's own, for example `commander.unknownOption` */
  constructor(
    readonly exitCode: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** How commander marks the refusal of a value, which it recognises by these members and not by the class. */
const INVALID_ARGUMENT = { code: 'commander.invalidArgument', exitCode: 1 };

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
