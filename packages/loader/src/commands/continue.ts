import type { SendingFlags } from './options.js';

/**
 * The command that continues, as it can be typed. It has no secret, since keys are no arguments, and not `--again`, which
 * would begin from the start, nor `--group`, since the numbers of the groups change when rows arrive.
 */
export function commandText(command: 'load' | 'retry', folder: string, flags: SendingFlags): string {
  const words = ['data-import-loader', command, folder];
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

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
