import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { ONE_SUPPLIER, wholeNumber, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { ImportingService } from './importing.service.js';
import { StageAccountsCommand } from '../staging/stage.command.js';
import { ImportingModule } from './importing.module.js';
import { RetryAccountsCommand } from './retry.command.js';

/** Maximum and default number of importers that one command runs at the same time. */
const CONCURRENCY_MAX = 16;
const CONCURRENCY_DEFAULT = 2;

interface ImportOptions {
  readonly limit?: number;
  readonly concurrency: number;
}

@SubCommand({
  name: 'import',
  description:
    'create platform accounts for pending accounts; can run in parallel, be stopped and be repeated',
  ...ONE_SUPPLIER,
})
@Options({
  '--limit <n>': { description: 'stop after this number of accounts', parse: wholeNumber() },
  '--concurrency <n>': {
    description: `importers that run at the same time, 1 to ${CONCURRENCY_MAX}, and no more than DATABASE_POOL_MAX`,
    parse: wholeNumber(CONCURRENCY_MAX),
    defaultValue: CONCURRENCY_DEFAULT,
  },
})
export class ImportAccountsCommand extends OperatorCommand<[code: string], ImportOptions> {
  @Inject(ImportingService) private readonly importing: ImportingService;

  protected async execute([code]: [string], options: ImportOptions): Promise<CommandResult> {
    const pending = await this.importing.countPending(code);
    const total = Math.min(pending, options.limit ?? Infinity);
    const progress = this.context.progress({ total, unit: 'accounts' });
    const { operator, interrupted } = this.context;
    const { limit, concurrency } = options;
    const { imported, failed, remaining, erasing } = await this.importing
      .import(code, { operator, limit, concurrency, interrupted, onProgress: progress.advance })
      .finally(progress.stop);
    if (interrupted.aborted) {
      this.context.say('Interrupted: run the command again to import the remaining accounts.');
    }
    if (erasing > 0) {
      const which =
        erasing === 1
          ? '1 account is not imported: its number is'
          : `${erasing} accounts are not imported: their numbers are`;
      this.context.say(`${which} being erased. Repeat the command when the erasure is complete.`);
    }
    return {
      json: { imported, failed, remaining },
      text: `Imported ${imported}, failed ${failed}, remaining ${remaining}.`,
      exitCode: interrupted.aborted || erasing > 0 ? 1 : 0,
    };
  }
}

export const COMMANDS = moduleCommands([ImportingModule], {
  accounts: [StageAccountsCommand, ImportAccountsCommand, RetryAccountsCommand],
});
