import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { ONE_ACCOUNT, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { ImportProgressService } from './import-progress.service.js';
import { countRows } from '../../ingest/kinds/items.js';
import { TotalsModule } from './totals.module.js';

@SubCommand({
  name: 'show',
  description: 'show the details of one account',
  ...ONE_ACCOUNT,
})
export class ShowAccountCommand extends OperatorCommand<[code: string, externalNumber: string]> {
  @Inject(ImportProgressService) private readonly progress: ImportProgressService;

  protected async execute([code, number]: [string, string]): Promise<CommandResult> {
    const found = await this.progress.account({ importSupplier: code, externalAccountNumber: number });
    const { state: status, failure, ...account } = found;
    const createdAt = account.account_created_at && formatDateTime(account.account_created_at);
    const rows = [
      ['Import supplier', code],
      ['External number', number],
      ['Status', status],
      ...(failure === null ? [] : [['Failure', failure]]),
      ['Platform number', account.service_account_number ?? 'none'],
      ['Imported', createdAt ?? 'not yet'],
      ['Open period from', account.open_statement_from ?? 'the day of import'],
      ['Open period to', account.open_statement_to ?? 'today'],
      ...countRows(account.counts),
    ];
    return {
      json: {
        import_supplier: code,
        external_account_number: number,
        status,
        ...account,
        account_created_at: createdAt,
      },
      text: { head: [], rows },
    };
  }
}

export const COMMANDS = moduleCommands([TotalsModule], { accounts: [ShowAccountCommand] });
