import { Option, SubCommand } from 'nest-commander';
import { isCalendarDay } from '../../common/dates.js';
import {
  choice,
  InvalidOptionError,
  OperatorCommand,
  type CommandResult,
} from '../../common/operator-command.js';
import { FILE_FORMATS, formatOf, readAccountFile, type FileFormat } from '../account-file/account-file.js';
import { badLinesAsText } from '../account-file/bad-lines.js';
import { openFile } from '../account-file/file-source.js';
import { PERIOD_LINES } from './period-line.js';
import { PeriodsService } from './periods.service.js';

interface SetPeriodOptions {
  readonly from: string;
  readonly to?: string;
}

interface SetPeriodsOptions {
  readonly format?: FileFormat;
}

const NOT_A_DAY = 'It must be a day, YYYY-MM-DD';

@SubCommand({
  name: 'set-period',
  description: 'change the open statement period of an imported account',
  arguments: '<code> <external-number>',
  argsDescription: {
    code: 'code of the supplier',
    'external-number': 'account number in the supplier’s own system',
  },
})
export class SetPeriodCommand extends OperatorCommand<
  [code: string, externalNumber: string],
  SetPeriodOptions
> {
  constructor(private readonly periods: PeriodsService) {
    super();
  }

  @Option({ flags: '--from <day>', description: 'first day, YYYY-MM-DD', required: true })
  parseFrom(text: string): string {
    if (!isCalendarDay(text)) throw new InvalidOptionError(`${NOT_A_DAY}.`);
    return text;
  }

  @Option({
    flags: '--to <day>',
    description: 'last day, or none to let the period end today (default: as it is)',
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
  description: 'set the open statement periods of the imported accounts in a file, and list its bad lines',
  arguments: '<code> <file>',
  argsDescription: {
    code: 'code of the supplier',
    file: 'NDJSON, or CSV when its name ends in .csv; - for standard input',
  },
})
export class SetPeriodsCommand extends OperatorCommand<[code: string, file: string], SetPeriodsOptions> {
  constructor(private readonly periods: PeriodsService) {
    super();
  }

  @Option({
    flags: '--format <format>',
    description: 'format of the file, whatever its name',
    choices: [...FILE_FORMATS],
  })
  parseFormat(text: string): FileFormat {
    return choice(FILE_FORMATS, text);
  }

  protected async execute(
    [code, file]: [string, string],
    options: SetPeriodsOptions,
  ): Promise<CommandResult> {
    const source = await openFile(file, this.context);
    try {
      const readings = readAccountFile(options.format ?? formatOf(file), source.chunks, PERIOD_LINES);
      const { operator, interrupted } = this.context;
      const { changed, unchanged, badLines, isInterrupted } = await this.periods.setAll(code, readings, {
        operator,
        interrupted,
      });
      if (isInterrupted)
        this.context.say('Interrupted: run the command again with the same file to complete it.');
      const summary = `Changed ${changed}, unchanged ${unchanged}, bad ${badLines.length}.`;
      return {
        json: { changed, unchanged, errors: badLines.drain() },
        text: badLines.length === 0 ? summary : badLinesAsText(badLines, summary),
        exitCode: badLines.length > 0 || isInterrupted ? 1 : 0,
      };
    } finally {
      source.close();
    }
  }
}
