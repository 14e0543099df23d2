import { Inject, type Type } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';
import { CommandContext, INVALID_ARGUMENT, type CommandResult } from './command-line.js';

/** commander's own command; nest-commander brings its own copy of commander and does not export its types. */
export type CommanderCommand = Parameters<CommandRunner['setCommand']>[0];

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

  override run(args: Arguments, options: Options): Promise<void> {
    return this.context.complete(() => this.execute(args, options));
  }

  /** End the command as commander does for an argument that it refuses. */
  protected refuseArgument(name: string, value: string, reason: string): never {
    return this.command.error(`error: the ${name} '${value}' is invalid. ${reason}`, INVALID_ARGUMENT);
  }
}

/** Commands by the name of their group, and the modules whose services they call. */
export interface ModuleCommands {
  readonly modules: readonly Type[];
  readonly commands: Readonly<Record<string, readonly Type<CommandRunner>[]>>;
}

/** The commands of a module. @param modules without a controller or a resolver */
export function moduleCommands(
  modules: ModuleCommands['modules'],
  commands: ModuleCommands['commands'],
): ModuleCommands {
  return { modules, commands };
}

/** A command that only holds subcommands. */
export abstract class OperatorCommandGroup extends CommandRunner {
  override setCommand(command: CommanderCommand): this {
    // nest-commander gives every command an action. A group without one is answered by commander itself: with its help,
    // or with the name that is nearest to an unknown subcommand.
    command.action = () => command;
    return super.setCommand(command);
  }

  override run(): Promise<void> {
    return Promise.resolve();
  }
}
