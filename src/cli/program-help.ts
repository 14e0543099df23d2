import type { CommanderCommand } from '../common/configure-command.js';
import { VERSION } from '../config/version.js';

const EXAMPLES = `
Examples:
  data-import supplier create ACME --name "Acme Energy" --organisation Acme
  data-import accounts stage ACME accounts.ndjson
  data-import accounts import ACME
  data-import migration status ACME --json

Exit code: 0 success, 1 rejected or failed, 2 wrong usage, 130 or 143 ended by a signal.`;

/** What the command `data-import` itself says of the program. */
export function addProgramHelp(command: CommanderCommand): void {
  command
    .name('data-import')
    .description('Operator commands of the data-import service')
    .version(VERSION, '--version', 'print the version of the service')
    .addHelpText('after', EXAMPLES);
}
