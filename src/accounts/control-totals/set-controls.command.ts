import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import {
  AccountFileCommand,
  FILE_ARGUMENTS,
  type FileResult,
  type ReadFile,
} from '../files/account-file.command.js';
import { CONTROL_LINES } from './control-line.js';
import { SetControlsService } from './set-controls.service.js';
import { moduleCommands } from '../../infrastructure/commands/operator-command.js';
import { ControlTotalsModule } from './control-totals.module.js';

@SubCommand({
  name: 'set-controls',
  description: 'set the control totals of the accounts in a file, and list its invalid lines',
  ...FILE_ARGUMENTS,
})
export class SetControlsCommand extends AccountFileCommand {
  @Inject(SetControlsService) private readonly controls: SetControlsService;

  protected apply(...[code, read, run]: ReadFile): Promise<FileResult> {
    return this.controls.setAll(code, read(CONTROL_LINES), run);
  }
}

export const COMMANDS = moduleCommands([ControlTotalsModule], { accounts: [SetControlsCommand] });
