import { Option, SubCommand } from 'nest-commander';
import { choice, OperatorCommand, type CommandResult } from '../../common/operator-command.js';
import { printable } from '../../common/printable.js';
import { FILE_FORMATS, formatOf, readAccountFile, type FileFormat } from '../account-file/account-file.js';
import { badLinesAsText } from '../account-file/bad-lines.js';
import { openFile } from '../account-file/file-source.js';
import { STAGED_LINES } from './staged-record.js';
import { StagingService, type StagingOutcome } from './staging.service.js';

interface StageOptions {
  readonly format?: FileFormat;
}

@SubCommand({
  name: 'stage',
  description: 'check every line of a file, stage the valid ones and list the others with their errors',
  arguments: '<code> <file>',
  argsDescription: {
    code: 'code of the supplier',
    file: 'NDJSON, or CSV when its name ends in .csv; - for standard input',
  },
})
export class StageAccountsCommand extends OperatorCommand<[code: string, file: string], StageOptions> {
  constructor(private readonly staging: StagingService) {
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

  protected async execute([code, file]: [string, string], options: StageOptions): Promise<CommandResult> {
    const source = await openFile(file, this.context);
    try {
      const readings = readAccountFile(options.format ?? formatOf(file), source.chunks, STAGED_LINES);
      const { operator, interrupted } = this.context;
      return this.toResult(await this.staging.stage(code, readings, { operator, interrupted }));
    } finally {
      source.close();
    }
  }

  private toResult(outcome: StagingOutcome): CommandResult {
    const { staged, replaced, skipped, skippedNumbers, badLines, isInterrupted } = outcome;
    if (skippedNumbers.length > 0) {
      const total = skipped > skippedNumbers.length ? ` (${skipped} lines in all)` : '';
      this.context.say(`Imported already, so skipped: ${printable(skippedNumbers.join(', '))}${total}.`);
    }
    if (isInterrupted) this.context.say('Interrupted: stage the file again to complete it.');
    const summary = `Staged ${staged}, replaced ${replaced}, skipped ${skipped}, bad ${badLines.length}.`;
    return {
      json: { staged, replaced, skipped, errors: badLines.drain() },
      text: badLines.length === 0 ? summary : badLinesAsText(badLines, summary),
      exitCode: badLines.length > 0 || isInterrupted ? 1 : 0,
    };
  }
}
