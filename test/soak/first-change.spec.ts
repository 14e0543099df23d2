import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = process.cwd();
const PAGE = 'docs/change-the-code.md';
const TIMEOUT_MS = 600_000;
/** The parts of the project that a field of an item can break. */
const CHECKED = ['src', 'packages/*/src', 'test/*/ingest', 'test/support/query-values.ts'];

/** A diff on the page: the file last named before it, and the lines with their marks. */
interface Change {
  readonly path: string;
  readonly lines: readonly string[];
}

function changesOf(page: string): Change[] {
  return [...page.matchAll(/```diff\n([\s\S]*?)```/g)].map(({ index, 1: text = '' }) => {
    const named = [...page.slice(0, index).matchAll(/`((?:src|test|docs|packages)\/[\w./-]+\.\w+)`/g)].at(
      -1,
    )?.[1];
    if (named === undefined) throw new Error('A change names no file.');
    return { path: named, lines: text.trimEnd().split('\n') };
  });
}

/** Adds the lines marked with + behind the lines that are shown before them, and removes those marked with -; ` ...` stands for any lines. */
function apply(before: string, { path, lines }: Change): string {
  const result = before === '' ? [] : before.split('\n');
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (line === ' ...') {
      at = find(
        result,
        at,
        lines
          .slice(index)
          .find((next) => /^ (?!\.)/.test(next))
          ?.slice(1) ?? '',
        path,
      );
    } else if (line.startsWith('+')) {
      // A change that begins with additions says below them where they belong.
      const follows = lines.slice(index).find((next) => !next.startsWith('+'));
      if (at === 0 && follows !== undefined) at = find(result, 0, follows.slice(1), path);
      result.splice(at, 0, line.slice(1));
      at += 1;
    } else {
      at = find(result, at, line.slice(1), path);
      if (line.startsWith('-')) result.splice(at, 1);
      else at += 1;
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

describe('docs/change-the-code.md', () => {
  let copy: string;
  const run = (...command: string[]): { code: number | null; output: string } => {
    const [program = '', ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  };
  /** Type errors, of less than the whole project: that takes a minute. */
  const typeErrors = async (part: Record<'files' | 'include', string[]>): Promise<string> => {
    await writeFile(join(copy, 'checked.json'), JSON.stringify({ extends: './tsconfig.json', ...part }));
    return run('npx', 'tsc', '--noEmit', '--project', 'checked.json').output;
  };
  beforeAll(async () => {
    copy = await copyProject();
  }, TIMEOUT_MS);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it(
    'adds a field by hand in eight files, and one of identity in ten, and everything else follows',
    async () => {
      const changes = changesOf(await readFile(join(ROOT, PAGE), 'utf8'));
      const identity = changes.findIndex(({ lines }) => lines.some((line) => line.startsWith('-')));
      const filesOf = (part: readonly Change[]): number => new Set(part.map(({ path }) => path)).size;
      // With the choices and the changelog.
      expect([filesOf(changes.slice(0, identity)) + 2, filesOf(changes) + 2]).toEqual([8, 10]);
      for (const change of changes) {
        const path = join(copy, change.path);
        const before = await readFile(path, 'utf8').catch(() => '');
        await writeFile(path, apply(before, change));
        // The type check must fail here: an undescribed field could be forgotten in the digest.
        if (change.path === 'src/notes/notes.dto.ts') {
          expect(await typeErrors({ files: [change.path], include: [] })).toContain('isNotDescribed');
        }
      }
      expect(run('node', 'scripts/contract.mjs').code).toBe(0);
      // The loader's key may have a field only when it was generated.
      const files = changes.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
      expect(await typeErrors({ files, include: CHECKED })).toBe('');
      // From the description of the interface follow the types of the client and the fields of the loader.
      for (const generated of ['packages/client/src', 'packages/loader/src/kinds']) {
        expect(await readFile(join(copy, generated, 'contract.generated.ts'), 'utf8')).toContain(
          'ink_colour',
        );
      }
      const published = await readFile(join(copy, 'contract', 'openapi.json'), 'utf8');
      expect(published).toContain('list of paths), `ink_colour` and, if `created_at` is sent');
      const schema = await readFile(join(copy, 'contract', 'schema.sql'), 'utf8');
      expect(schema).toContain('ink_colour text');
      expect(schema).toContain('note_content_hash(body, document_paths, ink_colour)');
    },
    TIMEOUT_MS,
  );
});
