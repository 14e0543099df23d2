import type { HelpOutput } from '../common/command-line.js';
import type { CommandHost } from './command-host.js';

/** Where help and complaints about the words of a command go. Under `--json` standard output is for the one document only. */
export function helpOutput(
  { stdout, stderr }: Pick<CommandHost, 'stdout' | 'stderr'>,
  asJson: boolean,
): HelpOutput {
  return {
    printHelp: (text) => {
      (asJson ? stderr : stdout).write(text);
    },
    printUsageError: (text) => {
      if (!asJson) stderr.write(text);
    },
  };
}
