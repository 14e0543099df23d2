import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { waitUntil } from '../support/wait-until.js';

/** What the project's own scripts build and start here: small, and telling which build it is of. */
const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { VERSION } from './version.js';
  process.stdout.write(\`started \${VERSION}\\n\`);
  for await (const word of createInterface({ input: process.stdin })) {
    if (word === 'exit') process.exit(5);
    const later = await import('./later.js');
    process.stdout.write(\`\${word} \${later.VERSION}\\n\`);
  }
`;

/** A process that was started with scripts/start.mjs. */
interface Started {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: Interface;
  readonly ended: Promise<unknown[]>;
}

describe('what is built', () => {
  /** A project with our scripts and settings, and sources of its own. */
  let project: string;
  const started: Started[] = [];

  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'data-import-builds-'));
    for (const name of ['scripts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json']) {
      await cp(name, join(project, name), { recursive: true });
    }
    for (const name of ['package.json', 'package-lock.json']) await cp(name, join(project, name));
    await symlink(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'ormconfig.ts'), 'export {};\n');
    await mkdir(join(project, 'src'));
    await writeFile(join(project, 'src', 'main.ts'), PROGRAM);
    await change('one');
  });
  afterEach(async () => {
    for (const { process: child, ended } of started.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
    await rm(project, { recursive: true, force: true });
  });

  async function change(version: string): Promise<void> {
    for (const name of ['version.ts', 'later.ts']) {
      await writeFile(join(project, 'src', name), `export const VERSION: string = '${version}';\n`);
    }
  }

  function start(script = 'start.mjs'): Started {
    const child = spawn(process.execPath, [join(project, 'scripts', script)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    child.stderr.resume();
    const one = { process: child, lines: createInterface(child.stdout), ended: once(child, 'close') };
    started.push(one);
    return one;
  }

  /** The next line that does not tell of the build. */
  async function answer({ lines, ended }: Started): Promise<string> {
    const isOver = ended.then(() => ['the end']);
    for (;;) {
      const [line] = (await Promise.race([once(lines, 'line'), isOver])) as [string];
      if (!line.startsWith('Building')) return line;
    }
  }

  async function ask(one: Started, word: string): Promise<string> {
    one.process.stdin.write(`${word}\n`);
    return answer(one);
  }

  async function build(): Promise<void> {
    expect(await start('build.mjs').ended).toEqual([0, null]);
  }

  it('stays as it is for whoever runs from it, also what is loaded later (6)', async () => {
    const first = start();
    expect(await answer(first)).toBe('started one');
    await change('two');
    const second = start();
    expect(await answer(second)).toBe('started two');
    expect(await ask(first, 'later')).toBe('later one');
    expect(await ask(second, 'later')).toBe('later two');
  });

  it('is whole for every process when several find a change at once (6)', async () => {
    await build();
    await change('two');
    const answers = [start(), start(), start()].map(async (one) => [
      await answer(one),
      await ask(one, 'later'),
    ]);
    expect(await Promise.all(answers)).toEqual(Array(3).fill(['started two', 'later two']));
  });

  it('does not need anybody to read that it is built (6)', async () => {
    const unheard = start();
    unheard.process.stdout.destroy();
    unheard.process.stdin.write('exit\n');
    expect(await unheard.ended).toEqual([5, null]);
  });

  it('is built anew when building was interrupted, or was done by an older version (6)', async () => {
    await mkdir(join(project, 'dist', 'src'), { recursive: true });
    await writeFile(join(project, 'dist', 'src', 'main.js'), 'process.exit(7);');
    const interrupted = start();
    await waitUntil('building has begun', async () => (await builds()).length === 1);
    const [draft] = await builds();
    process.kill(-interrupted.process.pid!, 'SIGKILL');
    await interrupted.ended;
    const next = start();
    expect(await answer(next)).toBe('started one');
    expect(await builds()).not.toContain(draft);
  });

  it('is kept for as long as four newer ones have been built, and not for ever (6)', async () => {
    const old = ['1', '2', '3', '4', '5', '6'].map((number) => `service-${number}`);
    const [abandoned, begun] = ['service-7.999999999', `service-8.${process.pid}`];
    for (const [index, name] of [...old, abandoned, begun].entries()) {
      await mkdir(join(project, 'builds', name), { recursive: true });
      await utimes(join(project, 'builds', name), index, index);
    }
    await build();
    expect(await builds()).toEqual(expect.arrayContaining([...old.slice(2), begun]));
    expect(await builds()).toHaveLength(6);
    // One that is wanted again is the newest again.
    await change('two');
    await build();
    await change('one');
    await build();
    expect(await answer(start())).toBe('started one');
    expect(await builds()).toEqual(expect.arrayContaining([...old.slice(3), begun]));
  });

  async function builds(): Promise<string[]> {
    return readdir(join(project, 'builds')).catch(() => []);
  }
});
