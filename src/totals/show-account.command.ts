import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../common/dates.js';
import type { CommandResult } from '../common/command-line.js';
import { ONE_ACCOUNT } from '../common/command-words.js';
import { OperatorCommand } from '../common/operator-command.js';
import { ImportProgressService } from './import-progress.service.js';
import { countRows } from '../items/items.js';

@SubCommand({
  name: 'show',
  description: 'show the details of one account',
  ...ONE_ACCOUNT,
})
export class ShowAccountCommand extends OperatorCommand<[code: string, externalNumber: string]> {
  @Inject(ImportProgressService) private readonly progress: ImportProgressService;

  protected async execute([code, number]: [string, string]): Promise<CommandResult> {
    const account = await this.progress.account({ importSupplier: code, externalAccountNumber: number });
    const createdAt = account.accountCreatedAt && formatDateTime(account.accountCreatedAt);
    const rows = [
      ['Import supplier', code],
      ['External number', number],
      ['Status', account.state],
      ...(account.failure === null ? [] : [['Failure', account.failure]]),
      ['Platform number', account.serviceAccountNumber ?? 'none'],
      ['Imported', createdAt ?? 'not yet'],
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
