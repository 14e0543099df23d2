import { createRequire } from 'node:module';
import type { HelpOutput } from '../common/command-line.js';
import { configureCommand, type CommanderCommand } from '../common/configure-command.js';

/** A command as its help describes it. */
export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
  /** As they are written behind the command: `<code>`, `[file]`. */
  readonly arguments: readonly Described[];
  readonly options: readonly DescribedOption[];
  readonly commands: readonly DescribedCommand[];
}

interface Described {
  readonly syntax: string;
  readonly description: string;
}

interface DescribedOption extends Described {
  readonly isRequired: boolean;
}

/** The options that every command has. */
const COMMON = new Set(['--json', '--help']);

/** Describe a command of nest-commander, and those below it. */
export function describeCommand(command: CommanderCommand): DescribedCommand {
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return {
        syntax: argument.required ? `<${name}>` : `[${name}]`,
        description: argument.description,
      };
    }),
    options: command.options
      .filter(({ long }) => long === undefined || !COMMON.has(long))
      .map(({ flags, description, mandatory }) => ({ syntax: flags, description, isRequired: mandatory })),
    commands: command.commands.map(describeCommand),
  };
}

/**
 * Make a command of its description: it understands the same words, and runs nothing.
 *
 * @param invoked called with the names that lead to the command whose words were understood
 */
export function describedCommand(
  described: DescribedCommand,
  output: HelpOutput,
  invoked: (path: readonly string[]) => void,
  path: readonly string[] = [],
): CommanderCommand {
  const command = newCommand(described.name).description(described.description);
  configureCommand(command, output);
  for (const { syntax, description } of described.arguments) command.argument(syntax, description);
  for (const { syntax, description, isRequired } of described.options) {
    if (isRequired) command.requiredOption(syntax, `${description} (required)`);
    else command.option(syntax, description);
  }
  for (const sub of described.commands)
    command.addCommand(describedCommand(sub, output, invoked, [...path, sub.name]));
  if (described.commands.length === 0)
    command.action(() => {
      invoked(path);
    });
  return command;
}

/** Of the copy of commander that nest-commander brings, so that every complaint has the same words. */
function newCommand(name: string): CommanderCommand {
  const nestCommander = createRequire(import.meta.url).resolve('nest-commander');
  const { Command } = createRequire(nestCommander)('commander') as {
    Command: new (name: string) => CommanderCommand;
  };
  return new Command(name);
}
