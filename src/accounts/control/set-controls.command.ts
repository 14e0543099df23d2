import { Option, SubCommand } from 'nest-commander';
import { choice, OperatorCommand, type CommandResult } from '../../common/operator-command.js';
import { FILE_FORMATS, formatOf, readAccountFile, type FileFormat } from '../account-file/account-file.js';
import { badLinesAsText } from '../account-file/bad-lines.js';
import { openFile } from '../account-file/file-source.js';
import { CONTROL_LINES } from './control-line.js';
import { SetControlsService } from './set-controls.service.js';

interface SetControlsOptions {
  readonly format?: FileFormat;
}

@SubCommand({
  name: 'set-controls',
  description: 'set what the accounts in a file must hold, and list its bad lines',
  arguments: '<code> <file>',
  argsDescription: {
    code: 'code of the supplier',
    file: 'NDJSON, or CSV when its name ends in .csv; - for standard input',
  },
})
export class SetControlsCommand extends OperatorCommand<[code: string, file: string], SetControlsOptions> {
  constructor(private readonly controls: SetControlsService) {
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
    options: SetControlsOptions,
  ): Promise<CommandResult> {
    const source = await openFile(file, this.context);
    try {
      const readings = readAccountFile(options.format ?? formatOf(file), source.chunks, CONTROL_LINES);
      const { operator, interrupted } = this.context;
      const { changed, unchanged, badLines, isInterrupted } = await this.controls.setAll(code, readings, {
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
