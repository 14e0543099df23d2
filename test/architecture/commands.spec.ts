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

  it('are listed by the help of the program, those that repair after those that a migration needs (section 6)', async () => {
    const [needed = '', repairs = ''] = inOneLine(await printed('help')).split(' Maintenance: ');
    for (const [name, { description, isMaintenance }] of Object.entries(GROUPS)) {
      const line = isMaintenance ? ` ${name} ${description}` : ` ${name} [options] ${description}`;
      expect(` ${isMaintenance ? repairs : needed}`).toContain(line);
    }
  });

  it('have a help of their own (section 6)', async () => {
    for (const name of ['accounts stage', 'supplier', 'database restored']) {
      const help = await printed('help', ...name.split(' '));
      expect(help).toMatch(new RegExp(`^Usage: data-import ${name} \\[options\\]`));
      expect(help).toBe(await printed(...name.split(' '), '--help'));
    }
  });

  it.each([
    ['status', 'migration status or feed status'],
    ['supplier status ACME', 'migration status or feed status'],
    ['help stage', 'accounts stage'],
    ['acounts stage ACME', 'accounts'],
    ['supplier lits', 'supplier list'],
    ['supplier anything', ''],
  ])('answer unknown words with the command that was meant: %s (section 6)', async (words, meant) => {
    const { exitCode, stderr } = await runCommand({ url: '' }, words.split(' '));
    const unknown = /^(?:help )?(?:supplier )?(\w+)/.exec(words)?.[1];
    const hint = meant && `. Did you mean ${meant}?`;
    const lines = [`error: unknown command '${unknown}'${hint}`, 'Add --help to see how it is used.', ''];
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: lines.join('\n') });
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
