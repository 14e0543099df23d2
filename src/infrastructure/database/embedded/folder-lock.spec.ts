import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../config/env.js';
import { lockFolder } from './folder-lock.js';
import { folderWith } from '../../../../test/support/folders.js';

const linux = process.platform === 'linux';

describe('the lock of a DATA_DIR', () => {
  let home: string;
  const path = process.env.PATH;
  beforeEach(() => {
    home = folderWith();
  });
  afterEach(() => {
    process.env.PATH = path;
  });

  it('is held by one process at a time, and by a program that inherited it until that has ended (section 6)', async () => {
    const lock = (await lockFolder(home))!;
    expect((await lockFolder(home)) === undefined).toBe(linux);
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore', lock.fd] });
    await once(child, 'spawn');
    await lock.close();
    expect((await lockFolder(home)) === undefined).toBe(linux);
    child.stdin!.end();
    await once(child, 'exit');
    const next = await lockFolder(home);
    expect(next).toBeDefined();
    await next!.close();
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
  ])('cannot be acquired if %s, and a sentence says so (section 6)', async (_reason, script, reason) => {
    process.env.PATH = home;
    if (script !== undefined) {
      await writeFile(join(home, 'flock'), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    }
    const locking = lockFolder(home);
    if (!linux) await (await locking)!.close();
    else
      await expect(locking).rejects.toEqual(new StartError(`DATA_DIR ${home} cannot be locked: ${reason}.`));
  });
});
