import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { StartError } from '../config/env.js';
import { secretFile } from './secret-file.js';
import { folderWith } from '../../../test/support/folders.js';

/** Time limit of a process. */
const PATIENCE_MS = 60_000;

/** Let another process create secrets, one after the other. @param limit a shell command to run first */
function make(
  paths: string[],
  limit = 'true',
): { output: Promise<string>; ended: Promise<unknown[]>; deadlineMs: number } {
  const module = pathToFileURL(resolve('dist/src/infrastructure/files/secret-file.js')).href;
  const program = `
    const { secretFile } = await import('${module}');
    for (const path of process.argv.slice(1)) await secretFile(path);`;
  const child = spawn('sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, '-e', program, ...paths]);
  return { output: text(child.stderr), ended: once(child, 'close'), deadlineMs: Date.now() + PATIENCE_MS };
}

describe('a secret in a file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = folderWith();
    path = join(folder, 'secret');
  });

  it('is created once, for its owner only (section 6)', async () => {
    const secret = await secretFile(path);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await secretFile(path)).toBe(secret);
    expect(await readdir(folder)).toEqual(['secret']);
    expect(await secretFile(join(folder, 'other'))).not.toBe(secret);
  });

  it('is the same for all callers that create it at the same time (section 6)', async () => {
    const secrets = await Promise.all(Array.from({ length: 100 }, () => secretFile(path)));
    expect(new Set(secrets)).toEqual(new Set([await readFile(path, 'utf8')]));
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('is complete whenever another process finds it (section 6)', async () => {
    const paths = Array.from({ length: 50 }, (_, index) => join(folder, `secret-${index}`));
    const making = make(paths);
    for (const one of paths) {
      while (!existsSync(one) && Date.now() < making.deadlineMs);
      expect(readFileSync(one, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(await making.ended).toEqual([0, null]);
  });

  it('is not partially written if the disk is full, and is created when there is space (section 6)', async () => {
    const making = make([path], 'ulimit -f 0');
    const output = await making.output;
    expect(await making.ended).toEqual([1, null]);
    expect(output).toContain(
      `StartError: The file ${path} cannot be used: it would be larger than is allowed`,
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await secretFile(path)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['nothing', ''],
    ['a part', 'a'.repeat(63)],
    ['too much', 'a'.repeat(65)],
    ['something else', 'x'.repeat(64)],
  ])(
    'is rejected by name if the file contains %s, and the file stays (section 6)',
    async (_what, content) => {
      await writeFile(path, content);
      const reading = secretFile(path);
      await expect(reading).rejects.toThrow(StartError);
      await expect(reading).rejects.toThrow(path);
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );

  it('may end with a line end (section 6)', async () => {
    const secret = await secretFile(path);
    await writeFile(path, `${secret}\n`);
    expect(await secretFile(path)).toBe(secret);
  });
});
