import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { CommandContext } from '../common/command-line.js';
import { configureCommand, type CommanderCommand } from '../common/configure-command.js';
import { describeCommand, type DescribedCommand } from './command-tree.js';

/** The command `data-import` itself, to which nest-commander adds every other one. */
@Injectable()
export class Program {
  constructor(
    @InjectCommander() private readonly command: CommanderCommand,
    context: CommandContext,
  ) {
    configureCommand(command, context.help);
  }

  /** Every command below it. */
  get description(): DescribedCommand {
    return describeCommand(this.command);
  }

  /** @param argv the words after `data-import` */
  async parse(argv: readonly string[]): Promise<void> {
    await this.command.parseAsync(argv, { from: 'user' });
  }
}
