import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../common/dates.js';
import type { CommandResult } from '../common/command-line.js';
import { OperatorCommand } from '../common/operator-command.js';
import { DIFFERENCE_NAMES, DIFFERENCES } from './account-counts.types.js';
import { forecastWords } from './forecast.js';
import type { ImportProgress } from './import-progress.types.js';
import { ImportProgressService } from './import-progress.service.js';
import { countRows } from '../items/items.js';

@SubCommand({
  name: 'status',
  description: 'show how far a migration is: accounts, rows, control totals, the forecast and the last error',
  arguments: '<code>',
  argsDescription: { code: 'code of the supplier' },
})
export class ShowImportProgressCommand extends OperatorCommand<[code: string]> {
  constructor(private readonly progress: ImportProgressService) {
    super();
  }

  protected async execute([code]: [string]): Promise<CommandResult> {
    const progress = await this.progress.supplier(code);
    return { json: asJson(code, progress), text: { head: [], rows: asRows(code, progress) } };
  }
}

function asJson(code: string, { status, totals, rows, forecast, lastError }: ImportProgress): object {
  const { accounts, loadedAccounts, items, control } = totals;
  return {
    import_supplier: code,
    status,
    accounts,
    loaded_accounts: loadedAccounts,
    loads: items,
    rows: rows ?? null,
    control: {
      with: control.with,
      agree: control.with - control.differ,
      differ: control.differ,
      ...Object.fromEntries(DIFFERENCES.map((state) => [state, control[state]])),
      at: control.at && formatDateTime(control.at),
    },
    forecast: Object.fromEntries(
      Object.entries(forecast).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Date ? formatDateTime(value) : value,
      ]),
    ),
    last_error: lastError
      ? { external_account_number: lastError.externalAccountNumber, detail: lastError.failure }
      : null,
  };
}

function asRows(
  code: string,
  { status, totals, rows, forecast, lastError }: ImportProgress,
): (string | number)[][] {
  const { accounts, loadedAccounts, items, control } = totals;
  const { before, at, after } = forecastWords(forecast);
  return [
    ['Import supplier', code],
    ['Status', status],
    ['Accounts pending', accounts.pending],
    ['In progress', accounts.in_progress],
    ['Imported', accounts.imported],
    ['Failed', accounts.failed],
    ['With at least one import', loadedAccounts],
    ...countRows(items),
    ...(rows ? [['Of the expected rows', `${rows.percent} % (${rows.stored} of ${rows.expected})`]] : []),
    ['With control totals', control.with],
    ...(control.with > 0 ? DIFFERENCES.map((state) => [DIFFERENCE_NAMES[state], control[state]]) : []),
    ['Forecast', `${before}${at ? ` ${formatDateTime(at)}` : ''}${after}`],
    ['Last error', lastError ? `${lastError.externalAccountNumber}: ${lastError.failure}` : 'none'],
  ];
}
