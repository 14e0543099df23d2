import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { printable } from '../../infrastructure/text/printable.js';
import {
  AccountFileCommand,
  FILE_ARGUMENTS,
  type FileResult,
  type ReadFile,
} from '../files/account-file.command.js';
import { StagingService } from './staging.service.js';

/** The number of repeated lines to name. */
const NAMED_MAX = 20;

@SubCommand({
  name: 'stage',
  description: 'check every line of a file, stage the valid ones and list the others with their errors',
  ...FILE_ARGUMENTS,
})
export class StageAccountsCommand extends AccountFileCommand {
  protected override readonly isReadAgain = true;

  @Inject(StagingService) private readonly staging: StagingService;

  protected async apply(...file: ReadFile): Promise<FileResult> {
    const outcome = await this.staging.stage(...file);
    const { staged, replaced, skipped, skippedNumbers, repeated, ...result } = outcome;
    this.sayOf('Imported already, so skipped', skippedNumbers, skipped - repeated.length);
    const lines: string[] = [];
    for await (const { line, first_line: first } of repeated) {
      if (lines.push(`line ${line} (as line ${first})`) === NAMED_MAX) break;
    }
    this.sayOf('Repeated with the same content, so skipped', lines, repeated.length);
    return { counts: { staged, replaced, skipped }, lists: { repeated }, ...result };
  }

  /** @param named some of those that the sentence is about, or all */
  private sayOf(sentence: string, named: readonly string[], count: number): void {
    const total = count > named.length ? ` (${count} lines in all)` : '';
    if (count > 0) this.context.say(`${sentence}: ${printable(named.join(', '))}${total}.`);
  }
}
