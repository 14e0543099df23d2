import { copyFile, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformFile } from '@swc/core';

const CLIENT = 'packages/client';

/** A folder for a platform's program, with the client and its dependency in `node_modules`. */
export interface InstalledClient {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Transpile the client without type checks, which is quick. A test of the package checks what npm publishes. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'data-import-client-')));
  const installed = join(folder, 'node_modules', '@data-import', 'client');
  await mkdir(join(installed, 'dist'), { recursive: true });
  await copyFile(join(CLIENT, 'package.json'), join(installed, 'package.json'));
  await symlink(resolve('node_modules/undici'), join(folder, 'node_modules', 'undici'), 'junction');
  const sources = await readdir(join(CLIENT, 'src'));
  for (const source of sources.filter((name) => /(?<!\.spec)\.ts$/.test(name))) {
    const { code } = await transformFile(join(CLIENT, 'src', source));
    await writeFile(join(installed, 'dist', source.replace(/ts$/, 'js')), code);
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
