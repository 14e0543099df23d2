import { Command } from 'nest-commander';
import { BackupDatabaseCommand, RestoreDatabaseCommand } from '../../backup/backup.commands.js';
import { OperatorCommandGroup } from '../../common/operator-command.js';
import { MigrateDatabaseCommand } from '../../database/migrate-database.command.js';
import {
  CheckNumbersCommand,
  DatabaseNodesCommand,
  DistributeDatabaseCommand,
} from '../../distribution/distribution.commands.js';

/** `database …` (choice O5; choices, section 6). */
@Command({
  name: 'database',
  description: 'the schema and the nodes of the database, and backups of the embedded one',
  subCommands: [
    MigrateDatabaseCommand,
    DistributeDatabaseCommand,
    DatabaseNodesCommand,
    CheckNumbersCommand,
    BackupDatabaseCommand,
    RestoreDatabaseCommand,
  ],
})
export class DatabaseCommands extends OperatorCommandGroup {}
