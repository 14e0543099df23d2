import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';

/** What `npm pack` publishes of the client, installed in a folder where nothing else is. */
export interface InstalledClient {
  readonly folder: string;
  readonly tarball: string;
  /** Of the package. */
  readonly path: string;
  readonly remove: () => Promise<void>;
}

export async function installClient(): Promise<InstalledClient> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'data-import-client-')));
  const args = ['pack', '--workspace', 'packages/client', '--pack-destination', folder, '--json'];
  const packed = spawnSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' });
  expect(packed.stderr).toBe('');
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const [tarball, path] = [join(folder, filename), join(folder, 'node_modules', '@data-import', 'client')];
  await mkdir(path, { recursive: true });
  await extract({ file: tarball, cwd: path, strip: 1 });
  return { folder, tarball, path, remove: () => rm(folder, { recursive: true, force: true }) };
}
