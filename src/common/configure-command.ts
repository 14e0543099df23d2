import type { CommandRunner } from 'nest-commander';
import { CommandLineEnd, type HelpOutput } from './command-line.js';

/** commander's own command; nest-commander brings its own copy of commander and does not export its types. */
export type CommanderCommand = Parameters<CommandRunner['setCommand']>[0];

/** What every command has in common; commander hands none of it down to commands that are added ready-made. */
export function configureCommand(
  command: CommanderCommand,
  { printHelp, printUsageError }: HelpOutput,
): void {
  command
    .option('--json', 'print one JSON document on standard output')
    .allowExcessArguments(false)
    .showHelpAfterError('Add --help to see how it is used.')
    .configureOutput({ writeOut: printHelp, writeErr: printUsageError })
    .exitOverride(({ exitCode, code, message }) => {
      throw new CommandLineEnd(exitCode, code, message);
    });
}
