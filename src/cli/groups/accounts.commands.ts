import { ListAccountsCommand } from '../../account-lists/list-accounts.command.js';
import { Command } from 'nest-commander';
import { OperatorCommandGroup } from '../../common/operator-command.js';
import { SetControlsCommand } from '../../control-totals/set-controls.command.js';
import { EraseAccountCommand } from '../../erasure/erase.commands.js';
import { AccountHistoryCommand } from '../../history/history.command.js';
import { ImportAccountsCommand } from '../../importing/import.command.js';
import { RetryAccountsCommand } from '../../importing/retry.command.js';
import { StageAccountsCommand } from '../../importing/stage.command.js';
import { SetPeriodCommand, SetPeriodsCommand } from '../../periods/periods.commands.js';
import { ShowAccountCommand } from '../../totals/show-account.command.js';

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
