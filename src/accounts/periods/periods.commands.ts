import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { isCalendarDay } from '../../infrastructure/clock/dates.js';
import {
  InvalidOptionError,
  ONE_ACCOUNT,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
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

const NOT_A_DAY = 'It must be a day, YYYY-MM-DD';

@SubCommand({
  name: 'set-period',
  description: 'change the open statement period of an imported account',
  ...ONE_ACCOUNT,
})
export class SetPeriodCommand extends OperatorCommand<
  [code: string, externalNumber: string],
  SetPeriodOptions
> {
  @Inject(PeriodsService) private readonly periods: PeriodsService;

  @Option({ flags: '--from <day>', description: 'first day, YYYY-MM-DD', required: true })
  parseFrom(text: string): string {
    if (!isCalendarDay(text)) throw new InvalidOptionError(`${NOT_A_DAY}.`);
    return text;
  }

  @Option({
    flags: '--to <day>',
    description: 'last day, or none to let the period end today (default: unchanged)',
  })
  parseTo(text: string): string {
    if (text !== 'none' && !isCalendarDay(text)) throw new InvalidOptionError(`${NOT_A_DAY}, or none.`);
    return text;
  }

  protected async execute(
    [code, number]: [string, string],
    { from, to }: SetPeriodOptions,
  ): Promise<CommandResult> {
    const ref = { importSupplier: code, externalAccountNumber: number };
    const period = await this.periods.set(
      ref,
      { from, to: to === 'none' ? null : to },
      this.context.operator,
    );
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
