import { SubCommand } from 'nest-commander';
import {
  AccountFileCommand,
  FILE_ARGUMENTS,
  type FileResult,
} from '../account-files/account-file.command.js';
import type { FileRun } from '../account-files/gather.js';
import type { NumberedReading } from '../account-files/line-reading.js';
import { CONTROL_LINES } from './control-line.js';
import { SetControlsService } from './set-controls.service.js';

@SubCommand({
  name: 'set-controls',
  description: 'set what the accounts in a file must hold, and list its bad lines',
  ...FILE_ARGUMENTS,
})
export class SetControlsCommand extends AccountFileCommand {
  protected readonly lines = CONTROL_LINES;

  constructor(private readonly controls: SetControlsService) {
    super();
  }

  protected async apply(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    run: FileRun,
  ): Promise<FileResult> {
    const { changed, unchanged, ...result } = await this.controls.setAll(code, readings, run);
    return { counts: { changed, unchanged }, ...result };
  }
}
