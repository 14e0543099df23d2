import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../common/dates.js';
import type { CommandResult } from '../common/command-line.js';
import { OperatorCommand } from '../common/operator-command.js';
import { ImportProgressService } from './import-progress.service.js';
import { countRows } from '../items/items.js';

@SubCommand({
  name: 'status',
  description: 'show accounts by state, the items stored for them and the last error',
  arguments: '<code>',
  argsDescription: { code: 'code of the supplier' },
})
export class ShowImportProgressCommand extends OperatorCommand<[code: string]> {
  constructor(private readonly progress: ImportProgressService) {
    super();
  }

  protected async execute([code]: [string]): Promise<CommandResult> {
    const { status, accounts, items, control, lastError } = await this.progress.supplier(code);
    const rows = [
      ['Import supplier', code],
      ['Status', status],
      ['Accounts pending', accounts.pending],
      ['In progress', accounts.in_progress],
      ['Imported', accounts.imported],
      ['Failed', accounts.failed],
      ...countRows(items),
      ['With control totals', control.with],
      ['Differ from them', control.differ],
      ['Last error', lastError ? `${lastError.externalAccountNumber}: ${lastError.failure}` : 'none'],
    ];
    return {
      json: {
        import_supplier: code,
        status,
        accounts,
        loads: items,
        control: {
          with: control.with,
          agree: control.with - control.differ,
          differ: control.differ,
          at: control.at && formatDateTime(control.at),
        },
        last_error: lastError
          ? { external_account_number: lastError.externalAccountNumber, detail: lastError.failure }
          : null,
      },
      text: { head: [], rows },
    };
  }
}
