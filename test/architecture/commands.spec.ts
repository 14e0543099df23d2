import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandFiles } from '../../src/cli/describe-commands.js';
import { COMMANDS } from '../../src/cli/commands.generated.js';
import { GROUPS } from '../../src/cli/command-groups.js';
import { filesIn, loadedBy } from './sources.js';

it('help, wrong usage and completions describe the commands as they are (else: npm run commands)', async () => {
  for (const [path, text] of Object.entries(await commandFiles()))
    expect({ path, text: readFileSync(path, 'utf8') }).toEqual({ path, text });
  expect(COMMANDS.commands.map(({ name }) => name)).toEqual(Object.keys(GROUPS));
});

it('help and wrong usage load no package: they take longer than the answer', () => {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { written, target } of filesIn(path).flatMap(loadedBy)) {
      if (target !== undefined) visit(target);
      else if (!written.startsWith('node:')) packages.add(written);
    }
  };
  visit('src/cli/main.ts');
  expect([...packages]).toEqual([]);
});

describe('the completion of bash', () => {
  it.each([
    [['supplier', 'gr'], ['grant']],
    [['supplier', 'create', 'ACME', '--na'], ['--name']],
    [['--ver'], ['--version']],
    [
      ['accounts', 'retry', '--'],
      ['--all', '--json', '--help'],
    ],
    [['nothing'], []],
  ])('completes %j by %j', (words, expected) => {
    const script = [
      '. completions/data-import.bash',
      `COMP_WORDS=(data-import ${words.join(' ')})`,
      'COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
      '_data_import',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    const completed = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(completed.split('\n').filter(Boolean)).toEqual(expected);
  });
});
