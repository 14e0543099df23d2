import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import type { CommanderCommand } from '../../infrastructure/commands/operator-command.js';
import { VERSION } from '../../infrastructure/config/version.js';
import { GROUPS } from './command-groups.js';

/** The end of the program's help, after the commands of a migration. */
const MORE = `
Maintenance:
${Object.entries(GROUPS)
  .filter(([, { isMaintenance }]) => isMaintenance)
  .map(([name, { description }]) => `  ${name.padEnd(14)}  ${description}`)
  .join('\n')}

A migration from its beginning to its end:
  data-import organisation create Acme
  data-import api-key issue Acme --expires-in 90d
  data-import supplier create ACME --name "Acme Energy" --organisation Acme
  data-import accounts stage ACME accounts.ndjson
  data-import accounts import ACME
  data-import migration status ACME
  data-import migration complete ACME

Exit code: 0 success, 1 rejected or failed, 2 wrong usage, 130 or 143 ended by a signal.`;

/** The code of commander's error. */
export const UNKNOWN_COMMAND = 'commander.unknownCommand';

/** Where commander prints the requested help or version. */
export type HelpOutput = Readonly<Record<'writeOut' | 'writeErr', (text: string) => void>>;

/** The command `data-import` itself. nest-commander has added the commands of the loaded groups to it. */
@Injectable()
export class Program {
  constructor(@InjectCommander() private readonly command: CommanderCommand) {}

  /** The commands of the loaded groups, for example `supplier show`. */
  get names(): string[] {
    return this.command.commands.flatMap((group) =>
      group.commands.map((command) => `${group.name()} ${command.name()}`),
    );
  }

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
      .addHelpCommand('help [command...]', 'show the help of a command')
      .addHelpText('after', MORE);
    const loaded = new Set(this.command.commands.map((group) => group.name()));
    for (const [name, { description, isMaintenance: hidden = false }] of Object.entries(GROUPS)) {
      if (!loaded.has(name)) this.command.command(name, { hidden }).description(description);
    }
    configure(this.command, output);
    const [first, ...words] = wordsOf(argv);
    if (first === 'help') this.help(words);
    await this.command.parseAsync(argv, { from: 'user' });
  }

  /** Print the help of a command. Commander's own `help` knows only the groups. */
  private help(words: readonly string[]): never {
    let { command } = this;
    for (const word of words) {
      command =
        command.commands.find((below) => below.name() === word) ??
        command.error(`error: unknown command '${word}'`, { code: UNKNOWN_COMMAND });
    }
    return command.help();
  }
}

/** The words of a command line that are no options. The first of them name the command. */
export function wordsOf(argv: readonly string[]): string[] {
  return argv.filter((word) => !word.startsWith('-'));
}

/** Set the options that every command has. Commander passes them only to commands made later, so this sets them on each. */
function configure(command: CommanderCommand, output: HelpOutput): void {
  command
    .option('--json', 'print one JSON document on standard output')
    .allowExcessArguments(false)
    // The caller prints errors.
    .configureOutput({ ...output, outputError: () => undefined })
    .exitOverride();
  for (const option of command.options) if (option.mandatory) option.description += ' (required)';
  for (const below of command.commands) configure(below, output);
}
