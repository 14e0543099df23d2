import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import type { CommandResult } from '../commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../commands/operator-command.js';
import { CommandDatabase } from './command-database.js';

@SubCommand({ name: 'migrate', description: 'bring the database to the schema of this version' })
export class MigrateDatabaseCommand extends OperatorCommand {
  @Inject(CommandDatabase) private readonly database: CommandDatabase;

  protected async execute(): Promise<CommandResult> {
    const applied = await this.database.migrate();
    const text =
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied ${applied.length} migrations:\n${applied.map((name) => `  ${name}`).join('\n')}`;
    return { json: { applied }, text };
  }
}

export const COMMANDS = moduleCommands([], { database: [MigrateDatabaseCommand] });
