import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = process.cwd();
const PAGE = 'docs/your-first-change.md';
const TIMEOUT_MS = 600_000;
/** Incremental, so that the first check speeds up the second. */
const TYPE_CHECK = ['npx', 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'checked.tsbuildinfo'];

/** A diff on the page: the file last named before it, and the lines with their marks. */
interface Change {
  readonly path: string;
  readonly lines: readonly string[];
}

function changesOf(page: string): Change[] {
  return [...page.matchAll(/```diff\n([\s\S]*?)```/g)].map(({ index, 1: text = '' }) => {
    const named = [...page.slice(0, index).matchAll(/`((?:src|test|docs)\/[\w./-]+\.\w+)`/g)].at(-1)?.[1];
    if (named === undefined) throw new Error('A change names no file.');
    return { path: named, lines: text.trimEnd().split('\n') };
  });
}

/** Insert the lines marked with + after the lines shown before them; ` ...` stands for any lines. */
function apply(before: string, { path, lines }: Change): string {
  const result = before === '' ? [] : before.split('\n');
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (line === ' ...') continue;
    if (line.startsWith('+')) {
      // In a diff that begins with additions, the lines after them show the position.
      const follows = lines.slice(index).find((next) => !next.startsWith('+'));
      if (at === 0 && follows !== undefined) at = find(result, 0, follows.slice(1), path);
      result.splice(at, 0, line.slice(1));
      at += 1;
    } else {
      at = find(result, at, line.slice(1), path) + 1;
    }
  }
  return result.join('\n');
}

function find(lines: readonly string[], from: number, wanted: string, path: string): number {
  const at = lines.indexOf(wanted, from);
  if (at === -1) throw new Error(`${path} has no line "${wanted}" there.`);
  return at;
}

/** Copy the project, sharing its node_modules. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'data-import-first-change-'));
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, maxBuffer: 1e8 },
  );
  for (const path of stdout.split('\0').filter(Boolean)) await cp(join(ROOT, path), join(copy, path));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

describe('docs/your-first-change.md', () => {
  let copy: string;
  const run = (...command: string[]): { code: number | null; output: string } => {
    const [program = '', ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  };
  beforeAll(async () => {
    copy = await copyProject();
  }, TIMEOUT_MS);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it(
    'adds a field by hand in eight files and a migration, and everything else follows',
    async () => {
      const changes = changesOf(await readFile(join(ROOT, PAGE), 'utf8'));
      // Together with the choices and the changelog, these are eight files and the migration.
      expect(new Set(changes.map(({ path }) => path)).size + 2).toBe(9);
      for (const change of changes) {
        const path = join(copy, change.path);
        const before = await readFile(path, 'utf8').catch(() => '');
        await writeFile(path, apply(before, change));
        // The type check must fail here: an undescribed field could be forgotten in the digest.
        if (change.path === 'src/notes/notes.dto.ts') {
          expect(run(...TYPE_CHECK).output).toContain('isNotDescribed');
        }
      }
      expect(run(...TYPE_CHECK)).toEqual({ code: 0, output: '' });
      expect(run('node', 'scripts/contract.mjs').code).toBe(0);
      // The client's types and the loader's fields are generated from the OpenAPI description.
      for (const generated of ['packages/client/src', 'packages/loader/src/kinds']) {
        expect(await readFile(join(copy, generated, 'contract.generated.ts'), 'utf8')).toContain('category');
      }
      expect(await readFile(join(copy, 'contract', 'schema.sql'), 'utf8')).toContain('category text');
    },
    TIMEOUT_MS,
  );
});
