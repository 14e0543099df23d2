import type { SendingFlags } from './options.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A command that comes next, as it can be typed. It has no secret, since keys are no arguments, and not `--again`, which
 * would begin from the start, nor `--group`, since the numbers of the groups change when rows arrive.
 *
 * @param options from {@link optionsText}
 */
export function commandText(
  command: 'load' | 'retry' | 'failures' | 'verify',
  folder: string | readonly string[],
  options: string,
  environment: Environment,
): string {
  const words = [...programWords(environment), command, ...[folder].flat()].map(quoted);
  return [...words, ...(options === '' ? [] : [options])].join(' ');
}

/** The options of `load`, `retry` and `verify` that differ from their defaults, as they can be typed. */
export function optionsText(flags: Partial<SendingFlags>): string {
  const words: string[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) words.push(name, value);
  };
  add('--base-url', flags.baseUrl);
  add('--supplier', flags.supplier);
  add('--api-key-file', flags.apiKeyFile);
  add('--kinds', flags.kinds);
  if (flags.concurrency !== '8') add('--concurrency', flags.concurrency);
  if (flags.itemsPerRequest !== '500') add('--items-per-request', flags.itemsPerRequest);
  add('--max-errors', flags.maxErrors);
  if (flags.giveUpAfter !== '10m') add('--give-up-after', flags.giveUpAfter);
  add('--mapping', flags.mapping);
  add('--force-add-to-current-statement', flags.forceAddToCurrentStatement);
  add('--report', flags.report);
  if (flags.json) words.push('--json');
  if (flags.dryRun) words.push('--dry-run');
  return words.map(quoted).join(' ');
}

/** A package that is installed in a folder and started with npx is on no path of the shell. */
function programWords({ npm_command: command }: Environment): string[] {
  return [...(command === 'exec' ? ['npx'] : []), 'data-import-loader'];
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
