import { Command } from 'nest-commander';
import { BackupDatabaseCommand, RestoreDatabaseCommand } from '../backup/backup.commands.js';
import { OperatorCommandGroup } from '../common/operator-command.js';
import { MigrateDatabaseCommand } from '../database/migrate-database.command.js';
import {
  CheckNumbersCommand,
  DatabaseNodesCommand,
  DistributeDatabaseCommand,
} from '../distribution/distribution.commands.js';
import {
  CreateSupplierCommand,
  GrantSupplierCommand,
  ListSuppliersCommand,
  RevokeSupplierCommand,
  SetSupplierCommand,
  ShowSupplierCommand,
} from '../import-suppliers/import-suppliers.commands.js';
import { ListAccountsCommand } from '../account-lists/list-accounts.command.js';
import { SetControlsCommand } from '../control-totals/set-controls.command.js';
import { EraseAccountCommand, EraseSupplierCommand } from '../erasure/erase.commands.js';
import { AccountHistoryCommand } from '../history/history.command.js';
import { ImportAccountsCommand } from '../importing/import.command.js';
import { RetryAccountsCommand } from '../importing/retry.command.js';
import { StageAccountsCommand } from '../importing/stage.command.js';
import { SetPeriodCommand, SetPeriodsCommand } from '../periods/periods.commands.js';
import { ShowAccountCommand } from '../totals/show-account.command.js';

/** `supplier …` (choices, section 6). */
@Command({
  name: 'supplier',
  description: 'import suppliers: their settings, who may see them, and the erasure of their accounts',
  subCommands: [
    CreateSupplierCommand,
    ListSuppliersCommand,
    ShowSupplierCommand,
    SetSupplierCommand,
    GrantSupplierCommand,
    RevokeSupplierCommand,
    EraseSupplierCommand,
  ],
})
export class SupplierCommands extends OperatorCommandGroup {}

/** `accounts …` (choices, section 6). */
@Command({
  name: 'accounts',
  description: 'accounts to import: stage, import, list, look up, change, erase',
  subCommands: [
    StageAccountsCommand,
    ImportAccountsCommand,
    RetryAccountsCommand,
    ListAccountsCommand,
    ShowAccountCommand,
    AccountHistoryCommand,
    SetPeriodCommand,
    SetPeriodsCommand,
    SetControlsCommand,
    EraseAccountCommand,
  ],
})
export class AccountsCommands extends OperatorCommandGroup {}

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
