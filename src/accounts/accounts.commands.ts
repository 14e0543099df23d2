import { Command, SubCommand } from 'nest-commander';
import { formatDateTime } from '../common/dates.js';
import { OperatorCommand, OperatorCommandGroup, type CommandResult } from '../common/operator-command.js';
import { SetControlsCommand } from './control/set-controls.command.js';
import { EraseAccountCommand } from './erasure/erase.commands.js';
import { AccountHistoryCommand } from './history/history.command.js';
import { ImportProgressService } from './import-progress.service.js';
import { ImportAccountsCommand } from './importing/import.command.js';
import { RetryAccountsCommand } from './importing/retry.command.js';
import { SetPeriodCommand, SetPeriodsCommand } from './periods/periods.commands.js';
import { StageAccountsCommand } from './staging/stage.command.js';
import { countRows } from '../items/items.js';

@SubCommand({
  name: 'show',
  description: 'show everything known of one account',
  arguments: '<code> <external-number>',
  argsDescription: {
    code: 'code of the supplier',
    'external-number': 'account number in the supplier’s own system',
  },
})
export class ShowAccountCommand extends OperatorCommand<[code: string, externalNumber: string]> {
  constructor(private readonly progress: ImportProgressService) {
    super();
  }

  protected async execute([code, number]: [string, string]): Promise<CommandResult> {
    const account = await this.progress.account({ importSupplier: code, externalAccountNumber: number });
    const createdAt = account.accountCreatedAt && formatDateTime(account.accountCreatedAt);
    const rows = [
      ['Import supplier', code],
      ['External number', number],
      ['Status', account.state],
      ...(account.failure === null ? [] : [['Failure', account.failure]]),
      ['Platform number', account.serviceAccountNumber ?? 'none'],
      ['Created at', createdAt ?? 'not yet'],
      ['Open period from', account.openStatementFrom ?? 'the day of import'],
      ['Open period to', account.openStatementTo ?? 'today'],
      ...countRows(account.counts),
    ];
    return {
      json: {
        import_supplier: code,
        external_account_number: number,
        status: account.state,
        service_account_number: account.serviceAccountNumber,
        account_created_at: createdAt,
        open_statement_from: account.openStatementFrom,
        open_statement_to: account.openStatementTo,
        counts: account.counts,
      },
      text: { head: [], rows },
    };
  }
}

/** `accounts …` (choices, section 6). */
@Command({
  name: 'accounts',
  description: 'accounts to import: stage, import, look up, change, erase',
  subCommands: [
    StageAccountsCommand,
    ImportAccountsCommand,
    RetryAccountsCommand,
    ShowAccountCommand,
    AccountHistoryCommand,
    SetPeriodCommand,
    SetPeriodsCommand,
    SetControlsCommand,
    EraseAccountCommand,
  ],
})
export class AccountsCommands extends OperatorCommandGroup {}
