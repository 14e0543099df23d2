import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { CommandContext, configureCommand, type CommanderCommand } from '../common/operator-command.js';

const EXAMPLES = `
Examples:
  data-import supplier create ACME --name "Acme Energy" --organisation Acme
  data-import accounts stage ACME accounts.ndjson
  data-import accounts import ACME
  data-import migration status ACME --json

Exit code: 0 done, 1 refused or failed, 2 wrong usage, 130 or 143 ended by a signal.`;

/** The command `data-import` itself, to which nest-commander adds every other one. */
@Injectable()
export class Program {
  constructor(
    @InjectCommander() private readonly command: CommanderCommand,
    context: CommandContext,
  ) {
    command
      .name('data-import')
      .description('Operator commands of the data-import service')
      .addHelpText('after', EXAMPLES);
    configureCommand(command, context);
  }

  /** @param argv the words after `data-import` */
  async parse(argv: readonly string[]): Promise<void> {
    await this.command.parseAsync(argv, { from: 'user' });
  }
}
