import { basename, relative } from 'node:path';
import { Option } from 'commander';
import { LOAD_OPTIONS, SERVICE_OPTIONS, type LoadFlags } from './options.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The next command, as it can be typed. It contains no secret, because keys are not arguments. It omits `--again`, which would start
 * over, and `--group`, because group numbers change when rows arrive.
 *
 * @param options from {@link optionsText}
 */
export function commandText(
  command: 'load' | 'retry' | 'failures' | 'verify' | 'map',
  folder: string | readonly string[],
  options: string,
  environment: Environment,
): string {
  const words = [...programWords(environment), command, ...[folder].flat()].map(quoted);
  return [...words, ...(options === '' ? [] : [options])].join(' ');
}

/** The options of `load`, `retry` and `verify` that differ from their defaults, as they can be typed. */
export function optionsText(flags: Partial<LoadFlags>): string {
  const given = new Map(Object.entries(flags));
  const words = [...SERVICE_OPTIONS, ...LOAD_OPTIONS].flatMap(([typed, , byDefault]) => {
    const option = new Option(typed);
    const value = given.get(option.attributeName());
    if (option.negate) return value === false ? [option.long ?? ''] : [];
    if (value === undefined || value === false || value === byDefault) return [];
    const values = Array.isArray(value) ? (value as readonly string[]) : [value];
    return values.flatMap((one) => [option.long ?? '', ...(one === true ? [] : [String(one)])]);
  });
  return words.map(quoted).join(' ');
}

/** The single-file program, and a package that is installed in a folder and started with npx, are not on the shell's path. */
function programWords({ npm_command: command }: Environment): string[] {
  const [, file = ''] = process.argv;
  if (basename(file) === 'data-import-loader.mjs' && !file.includes('node_modules'))
    return ['node', relative('', file)];
  return [...(command === 'exec' ? ['npx'] : []), 'data-import-loader'];
}

/** A word as it is typed in a shell. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
