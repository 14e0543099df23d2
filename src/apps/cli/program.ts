import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import type { CommanderCommand } from '../../infrastructure/commands/operator-command.js';
import { VERSION } from '../../infrastructure/config/version.js';
import { GROUPS } from './command-groups.js';

const EXAMPLES = `
Examples:
  data-import supplier create ACME --name "Acme Energy" --organisation Acme
  data-import accounts stage ACME accounts.ndjson
  data-import accounts import ACME
  data-import migration status ACME --json

Exit code: 0 success, 1 rejected or failed, 2 wrong usage, 130 or 143 ended by a signal.`;

/** Where commander prints: the requested help or version, and why a command line cannot be parsed. */
export type HelpOutput = Readonly<Record<'writeOut' | 'writeErr', (text: string) => void>>;

/** The command `data-import` itself. nest-commander has added the commands of the loaded groups to it. */
@Injectable()
export class Program {
  constructor(@InjectCommander() private readonly command: CommanderCommand) {}

  /**
   * Run the requested command.
   *
   * @param argv the words after `data-import`
   * @throws commander's error when it has printed the help or rejects the words
   */
  async parse(argv: readonly string[], output: HelpOutput): Promise<void> {
    this.command
      .name('data-import')
      .description('Operator commands of the data-import service')
      .version(VERSION, '--version', 'print the version of the service')
      .addHelpText('after', EXAMPLES);
    const loaded = new Set(this.command.commands.map((group) => group.name()));
    for (const [name, { description }] of Object.entries(GROUPS)) {
      if (!loaded.has(name)) this.command.command(name).description(description);
    }
    configure(this.command, output);
    await this.command.parseAsync(argv, { from: 'user' });
  }
}

/** Set the options that every command has. Commander passes them only to commands made later, so this sets them on each. */
function configure(command: CommanderCommand, output: HelpOutput): void {
  command
    .option('--json', 'print one JSON document on standard output')
    .allowExcessArguments(false)
    .showHelpAfterError('Add --help to see how it is used.')
    .configureOutput(output)
    .exitOverride();
  for (const option of command.options) if (option.mandatory) option.description += ' (required)';
  for (const below of command.commands) configure(below, output);
}
