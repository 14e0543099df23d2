import { CommandLineEnd, type HelpOutput } from '../common/command-line.js';
import { COMMANDS } from './commands.generated.js';
import type { CommandHost } from './command-host.js';
import { describedCommand } from './command-tree.js';
import { printEnd } from './failure.js';
import { helpOutput } from './help-output.js';
import { addProgramHelp } from './program-help.js';

/**
 * Run one operator command. A command that does not handle interruption ends at the first SIGINT or SIGTERM, any other at
 * a second one. Help, version and words that no command understands need neither Nest nor a database, which take most of the time of
 * a command: they are answered from the descriptions of the commands.
 *
 * @param argv the words after `data-import`
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 128 and the signal's number when a signal ended it
 * Source: choices, section 6.
 */
export async function run(argv: readonly string[], host: CommandHost): Promise<number> {
  const asJson = wantsJson(argv);
  try {
    const group = groupOf(argv, helpOutput(host, asJson));
    const { execute } = await import('./execute.js');
    return await execute(argv, group, host, asJson);
  } catch (error) {
    if (!(error instanceof CommandLineEnd)) throw error;
    return printEnd(error, host, asJson);
  }
}

/** The first word of the command that is asked for. @throws CommandLineEnd when the words are those of none */
function groupOf(argv: readonly string[], output: HelpOutput): string {
  let group: string | undefined;
  const program = describedCommand(COMMANDS, output, ([first]) => {
    group = first;
  });
  addProgramHelp(program);
  program.parse(argv, { from: 'user' });
  if (group === undefined) throw new Error(`No command for ${argv.join(' ')}.`);
  return group;
}

/** After `--` a word that looks like an option is none. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}
