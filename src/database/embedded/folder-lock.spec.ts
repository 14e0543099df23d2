import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../config/env.js';
import { acquireFolderLock } from './folder-lock.js';

const linux = process.platform === 'linux';

describe('the lock of a DATA_DIR', () => {
  let home: string;
  const path = process.env.PATH;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-import-test-lock-'));
  });
  afterEach(async () => {
    process.env.PATH = path;
    await rm(home, { recursive: true });
  });

  it('is held by one at a time, and free again once it is released (section 6)', async () => {
    const first = await acquireFolderLock(home);
    expect(first).toBeDefined();
    expect((await acquireFolderLock(home)) === undefined).toBe(linux);
    await first!.release();
    const second = await acquireFolderLock(home);
    expect(second).toBeDefined();
    await second!.release();
  });

  it('stays with a program that inherited it, until that has ended (section 6)', async () => {
    const lock = (await acquireFolderLock(home))!;
    const heir = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore', lock.fd ?? 'ignore'] });
    await once(heir, 'spawn');
    await lock.release();
    expect((await acquireFolderLock(home)) === undefined).toBe(linux);
    heir.stdin!.end();
    await once(heir, 'exit');
    const next = await acquireFolderLock(home);
    expect(next).toBeDefined();
    await next!.release();
  });

  it('is not granted on a file that was removed meanwhile, which others do not see (section 6)', async () => {
    await stubFlock(`/bin/rm ${join(home, 'postgres.lock')}`);
    const lock = await acquireFolderLock(home);
    expect(lock === undefined).toBe(linux);
  });

  it.each([
    [
      'the program flock is missing',
      undefined,
      'the program flock is missing; install it (package util-linux)',
    ],
    ['the file system has none', 'echo "flock: 3: Bad lock" >&2; exit 71', 'flock: 3: Bad lock'],
    ['BusyBox reports that', 'echo "flock: No locks available" >&2; exit 1', 'flock: No locks available'],
    ['flock is killed', 'kill -9 $$', 'flock ended with SIGKILL'],
  ])('cannot be acquired when %s, with a sentence (section 6)', async (_reason, script, reason) => {
    process.env.PATH = home;
    if (script !== undefined) await stubFlock(script);
    const locking = acquireFolderLock(home);
    if (!linux) expect(await locking).toMatchObject({ fd: undefined });
    else
      await expect(locking).rejects.toEqual(new StartError(`DATA_DIR ${home} cannot be locked: ${reason}.`));
  });

  /** Replace the program of the system. */
  async function stubFlock(script: string): Promise<void> {
    process.env.PATH = home;
    await writeFile(join(home, 'flock'), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  }
});
