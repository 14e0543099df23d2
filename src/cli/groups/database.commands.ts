import { Command } from 'nest-commander';
import { OperatorCommandGroup } from '../../common/operator-command.js';
import { MigrateDatabaseCommand } from '../../database/migrate-database.command.js';
import {
  CheckNumbersCommand,
  DatabaseNodesCommand,
  DistributeDatabaseCommand,
} from '../../distribution/distribution.commands.js';
import { BackupDatabaseCommand, RestoredDatabaseCommand } from '../../restored/restored.commands.js';

/** `database …` (choice O5; choices, section 6). */
@Command({
  name: 'database',
  description: 'the schema and the nodes of the database, and copies and restores',
  subCommands: [
    MigrateDatabaseCommand,
    DistributeDatabaseCommand,
    DatabaseNodesCommand,
    CheckNumbersCommand,
    BackupDatabaseCommand,
    RestoredDatabaseCommand,
  ],
})
export class DatabaseCommands extends OperatorCommandGroup {}
