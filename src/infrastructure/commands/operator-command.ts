import { Inject } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';
import { CommandContext, INVALID_ARGUMENT, type CommandResult } from './command-line.js';

/** Commander's own command class. nest-commander has its own copy of commander and does not export its types. */
export type CommanderCommand = Parameters<CommandRunner['setCommand']>[0];

/**
 * An operator command. It reads its arguments and options, calls a service and returns what to print. It makes no decisions.
 *
 * nest-commander finds subcommands by class name, so class names must be unique across the program.
 */
export abstract class OperatorCommand<
  Arguments extends string[] = [],
  Options extends object = object,
> extends CommandRunner {
  @Inject(CommandContext) protected readonly context: CommandContext;

  /** @param args exactly the declared ones; commander rejects others */
  protected abstract execute(args: Arguments, options: Options): Promise<CommandResult>;

  override run(args: Arguments, options: Options): Promise<void> {
    return this.context.complete(() => this.execute(args, options));
  }

  /** End the command the way commander does for an invalid argument. */
  protected refuseArgument(name: string, value: string, reason: string): never {
    return this.command.error(`error: the ${name} '${value}' is invalid. ${reason}`, INVALID_ARGUMENT);
  }
}

/** A command that only groups subcommands. */
export abstract class OperatorCommandGroup extends CommandRunner {
  override setCommand(command: CommanderCommand): this {
    // nest-commander gives every command an action. Without one, commander itself answers for a group: with its help, or with the
    // name nearest to an unknown subcommand.
    command.action = () => command;
    return super.setCommand(command);
  }

  override run(): Promise<void> {
    return Promise.resolve();
  }
}
