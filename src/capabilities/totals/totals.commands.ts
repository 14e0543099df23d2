import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { ONE_SUPPLIER, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { TotalsCheckService } from './totals-check.service.js';
import type { CheckedTotals } from './totals.types.js';
import { TotalsModule } from './totals.module.js';

interface CheckTotalsOptions {
  readonly repair?: boolean;
}

@SubCommand({
  name: 'check',
  description: 'count everything of a supplier and compare it with the totals',
  ...ONE_SUPPLIER,
})
@Options({ '--repair': 'correct totals that do not agree' })
export class CheckTotalsCommand extends OperatorCommand<[code: string], CheckTotalsOptions> {
  @Inject(TotalsCheckService) private readonly checks: TotalsCheckService;

  protected async execute([code]: [string], { repair }: CheckTotalsOptions): Promise<CommandResult> {
    const { agrees, totals, rows, wrong, isRepaired } =
      repair === true ? await this.checks.repair(code, this.context.operator) : await this.checks.check(code);
    const names = Object.keys(rows) as (keyof CheckedTotals)[];
    return {
      json: {
        ...{ import_supplier: code, agrees, totals, rows },
        ...{ misjudged: wrong.controls, mislisted: wrong.unloaded, repaired: isRepaired },
      },
      text: {
        head: ['', 'Totals', 'Rows', ''],
        rows: [
          ...names.map((name) => [name.replaceAll('_', ' '), totals[name], rows[name]] as const),
          ['accounts with a wrong result of their control totals', wrong.controls, 0] as const,
          ['accounts wrongly listed as with or without an import request', wrong.unloaded, 0] as const,
        ].map(([name, total, counted]) => [
          ...[name, total, counted],
          total === counted ? '' : isRepaired ? 'repaired' : 'differs',
        ]),
      },
      exitCode: agrees || isRepaired ? 0 : 1,
    };
  }
}

/** `totals …` */
export const COMMANDS = moduleCommands([TotalsModule], { totals: [CheckTotalsCommand] });
