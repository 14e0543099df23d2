import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { printable } from '../../infrastructure/text/printable.js';
import {
  AccountFileCommand,
  FILE_ARGUMENTS,
  type FileResult,
  type ReadFile,
} from '../files/account-file.command.js';
import { STAGED_LINES } from './staged-record.js';
import { StagingService } from './staging.service.js';

@SubCommand({
  name: 'stage',
  description: 'check every line of a file, stage the valid ones and list the others with their errors',
  ...FILE_ARGUMENTS,
})
export class StageAccountsCommand extends AccountFileCommand {
  protected readonly lines = STAGED_LINES;

  @Inject(StagingService) private readonly staging: StagingService;

  protected async apply(...file: ReadFile): Promise<FileResult> {
    const outcome = await this.staging.stage(...file);
    const { staged, replaced, skipped, skippedNumbers, ...result } = outcome;
    if (skippedNumbers.length > 0) {
      const total = skipped > skippedNumbers.length ? ` (${skipped} lines in all)` : '';
      this.context.say(`Imported already, so skipped: ${printable(skippedNumbers.join(', '))}${total}.`);
    }
    return { counts: { staged, replaced, skipped }, ...result };
  }
}
