import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { isCalendarDay } from '../../infrastructure/clock/dates.js';
import {
  InvalidOptionError,
  ONE_ACCOUNT,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import {
  AccountFileCommand,
  FILE_ARGUMENTS,
  type FileResult,
  type ReadFile,
} from '../files/account-file.command.js';
import { PERIOD_LINES } from './period-line.js';
import { PeriodsService } from './periods.service.js';
import { PeriodsModule } from './periods.module.js';

interface SetPeriodOptions {
  readonly from: string;
  readonly to?: string;
}

function dayOf(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidOptionError('It must be a day, YYYY-MM-DD.');
}

@SubCommand({
  name: 'set-period',
  description: 'change the open statement period of an imported account',
  ...ONE_ACCOUNT,
})
@Options({
  '--from <day>': { description: 'first day, YYYY-MM-DD', parse: dayOf, required: true },
  '--to <day>': {
    description: 'last day, or none to let the period end today (default: unchanged)',
    parse: (text) => (text === 'none' ? text : dayOf(text)),
  },
})
export class SetPeriodCommand extends OperatorCommand<
  [code: string, externalNumber: string],
  SetPeriodOptions
> {
  @Inject(PeriodsService) private readonly periods: PeriodsService;

  protected async execute(
    [code, number]: [string, string],
    { from, to }: SetPeriodOptions,
  ): Promise<CommandResult> {
    const ref = { importSupplier: code, externalAccountNumber: number };
    const change = { from, to: to === 'none' ? null : to };
    const period = await this.periods.set(ref, change, this.context.operator);
    const { open_statement_from, open_statement_to } = period;
    return {
      json: {
        import_supplier: code,
        external_account_number: number,
        open_statement_from,
        open_statement_to,
      },
      text: `The open statement period is from ${open_statement_from} to ${open_statement_to ?? 'today'}.`,
    };
  }
}

@SubCommand({
  name: 'set-periods',
  description:
    'set the open statement periods of the imported accounts in a file, and list its invalid lines',
  ...FILE_ARGUMENTS,
})
export class SetPeriodsCommand extends AccountFileCommand {
  @Inject(PeriodsService) private readonly periods: PeriodsService;

  protected apply(...[code, read, run]: ReadFile): Promise<FileResult> {
    return this.periods.setAll(code, read(PERIOD_LINES), run);
  }
}

export const COMMANDS = moduleCommands([PeriodsModule], { accounts: [SetPeriodCommand, SetPeriodsCommand] });
