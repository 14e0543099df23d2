import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A small program that prints its build, which the project's scripts build and start in these tests. */
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

/** A process started by one of the scripts. */
interface Started {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: Interface;
  readonly ended: Promise<unknown[]>;
}

describe('npm start, which builds what has changed', () => {
  /** A project with the real scripts and settings, but its own sources. */
  let project: string;
  const started: Started[] = [];

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'data-import-builds-'));
    await cp('scripts', join(project, 'scripts'), { recursive: true });
    const copied = [
      '.swcrc',
      'nest-cli.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      'package-lock.json',
      'contract',
      'docs',
      'packages',
      'src/apps/console/assets',
    ];
    for (const name of copied) {
      await cp(name, join(project, name), { recursive: true });
    }
    await symlink(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'src', 'main.ts'), PROGRAM);
    await change('one');
  });
  afterAll(async () => {
    for (const { process: child, ended } of started) {
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

  function start(): Started {
    const child = spawn(process.execPath, [join(project, 'scripts', 'start.mjs')], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const one = { process: child, lines: createInterface(child.stdout), ended: once(child, 'close') };
    started.push(one);
    return one;
  }

  /** The next output line that is not about the build. */
  async function answer({ lines, ended }: Started): Promise<string> {
    const end = ended.then(() => ['the end']);
    for (;;) {
      const [line] = (await Promise.race([once(lines, 'line'), end])) as [string];
      if (!line.startsWith('Building')) return line;
    }
  }

  async function request(one: Started, word: string): Promise<string> {
    one.process.stdin.write(`${word}\n`);
    return answer(one);
  }

  const builds = (): Promise<string[]> => readdir(join(project, 'builds'));

  it('builds even if nobody reads its messages, and after an interrupted build (section 6)', async () => {
    await mkdir(join(project, 'builds', 'new', 'src'), { recursive: true });
    await writeFile(join(project, 'builds', 'new', 'src', 'main.js'), 'process.exit(7);');
    await writeFile(join(project, '.prepare.lock'), '999999999');
    const unread = start();
    unread.process.stdout.destroy();
    unread.process.stdin.write('exit\n');
    expect(await unread.ended).toEqual([5, null]);
  });

  it('keeps a running process on its build, even for later imports, and builds once for several processes (section 6)', async () => {
    const first = start();
    expect(await answer(first)).toBe('started one');
    await change('two');
    const next = [start(), start(), start()];
    const answers = next.map(async (one) => [await answer(one), await request(one, 'later')]);
    expect(await Promise.all(answers)).toEqual(Array(3).fill(['started two', 'later two']));
    expect(await request(first, 'later')).toBe('later one');
    expect(await builds()).toHaveLength(2);
  });

  it('keeps the five newest builds, and builds again after a change is reverted (section 6)', async () => {
    for (const digit of [1, 2, 3, 4, 5]) await mkdir(join(project, 'builds', `100000000000${digit}`));
    await change('one');
    expect(await answer(start())).toBe('started one');
    const kept = await builds();
    expect(kept).toHaveLength(5);
    expect(kept).toEqual(expect.arrayContaining(['1000000000004', '1000000000005']));
  });

  it('keeps the previous build when a new one fails, and reports the error (section 6)', async () => {
    const before = await builds();
    await writeFile(join(project, 'src', 'version.ts'), 'export const = 1;\n');
    const broken = start();
    const said = text(broken.process.stderr);
    expect(await broken.ended).toEqual([1, null]);
    expect(await said).toMatch(/version\.ts[^]*nest\.js build --silent failed\.\n$/);
    expect((await builds()).filter((name) => name !== 'new')).toEqual(before);
    expect(await readdir(project)).not.toContain('.prepare.lock');
  });

  it('starts a release unchanged, without sources and compiler (section 6)', async () => {
    await change('three');
    expect(await answer(start())).toBe('started three');
    const before = await builds();
    await rename(join(project, 'src'), join(project, 'elsewhere'));
    await rm(join(project, 'node_modules'));
    const release = start();
    expect(await answer(release)).toBe('started three');
    expect(await request(release, 'later')).toBe('later three');
    expect(await builds()).toEqual(before);
  });
});
