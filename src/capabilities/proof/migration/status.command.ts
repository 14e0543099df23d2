import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { ONE_SUPPLIER, type CommandResult } from '../../../infrastructure/commands/command-line.js';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { OperatorCommand } from '../../../infrastructure/commands/operator-command.js';
import { countRows } from '../../../ingest/kinds/items.js';
import { DIFFERENCE_NAMES, DIFFERENCES } from '../../../accounts/counts/account-counts.types.js';
import { forecastWords } from '../../totals/forecast.js';
import { conditionText } from '../../conditions/conditions.js';
import { cutOverText } from '../../conditions/cut-over.js';
import { MigrationStatusService, type MigrationStatus } from './migration-status.service.js';

@SubCommand({
  name: 'status',
  description:
    'show the progress of a migration: accounts, rows, control totals, the forecast, the last error and the next command',
  ...ONE_SUPPLIER,
})
export class MigrationStatusCommand extends OperatorCommand<[code: string]> {
  @Inject(MigrationStatusService) private readonly migrations: MigrationStatusService;

  protected async execute([code]: [string]): Promise<CommandResult> {
    const status = await this.migrations.status(code);
    return { json: asJson(code, status), text: { head: [], rows: asRows(code, status) } };
  }
}

function asJson(code: string, { status, totals, rows, forecast, lastError, next }: MigrationStatus): object {
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
    next: { command: next.command, reason: next.reason },
  };
}

function asRows(
  code: string,
  { status, totals, rows, forecast, lastError, next, judged, cutOver }: MigrationStatus,
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
    ...(cutOver ? [['Cut-over', cutOverText(cutOver)]] : []),
    ...judged.conditions.map((found) => [
      found.state === 'problem' ? 'Problem' : 'Waiting',
      conditionText(found),
    ]),
    ...(judged.conditions.some(({ name }) => name === 'refused' || name === 'rows_missing')
      ? [['Rejected requests', `Failures in the console; data-import imports list ${code} --runs`]]
      : []),
    ['Last error', lastError ? `${lastError.externalAccountNumber}: ${lastError.failure}` : 'none'],
    ['Next command', next.command ? `data-import ${next.command}` : 'none'],
    ['', next.reason],
  ];
}
