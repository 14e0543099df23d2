import { readFileSync } from 'node:fs';
import { GROUPS } from '../../src/apps/cli/command-groups.js';
import { commandNames, runCommand, runJson, refusedWith } from '../support/cli.js';
import { filesIn, loadedBy } from './sources.js';

/** The output of a command without a database and settings. */
async function printed(...args: string[]): Promise<string> {
  const variables = (): never => {
    throw new Error('A setting was read.');
  };
  return (await runCommand({ url: '' }, args, '', {}, { variables })).stdout;
}

/** A text without commander's line breaks. */
function inOneLine(text = ''): string {
  return text.replaceAll(/\s+/g, ' ');
}

describe('the operator commands', () => {
  let names: string[];
  beforeAll(async () => {
    names = await commandNames();
  });

  it('are listed by the help of the program (section 6)', async () => {
    const lines = Object.entries(GROUPS).map(
      ([name, { description }]) => ` ${name} [options] ${description}`,
    );
    const program = inOneLine(await printed('--help'));
    expect(lines.filter((line) => !program.includes(line))).toEqual([]);
  });

  it('are all in the reference, which has no others', () => {
    const reference = readFileSync('docs/operating/commands.md', 'utf8');
    const documented = [...reference.matchAll(/`([a-z-]+ [a-z-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => Object.hasOwn(GROUPS, name.split(' ')[0] ?? ''));
    expect([...new Set(documented)].sort()).toEqual(names.toSorted());
  });

  it('end with 2 and one document for an unknown option or argument (section 6)', async () => {
    expect(names.length).toBeGreaterThan(40);
    for (const wrong of [['nothing'], ...names.map((name) => [...name.split(' '), '--nothing'])]) {
      const { exitCode, stderr, json } = await runJson({ url: '' }, wrong);
      expect({ wrong, exitCode, stderr, json }).toMatchObject(refusedWith('wrong_usage'));
    }
  });

  it('have classes with different names, because nest-commander finds them by name', () => {
    const classes = filesIn('src').flatMap(({ text }) =>
      [...text.matchAll(/class (\w+) extends OperatorCommand/g)].map(([, name]) => name),
    );
    expect(classes.length).toBeGreaterThan(40);
    expect(classes.filter((name, index) => classes.indexOf(name) !== index)).toEqual([]);
  });
});

it('the version is printed without loading a package, which would take longer than the answer', () => {
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
  visit('src/apps/cli/main.ts');
  expect([...packages]).toEqual([]);
});
