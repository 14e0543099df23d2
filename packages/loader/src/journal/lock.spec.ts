import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongUsage } from '@data-import/files';
import { lockFolder } from './lock.js';
import { folderWith } from '../../../../test/support/folders.js';

const { jest } = import.meta;

let folder: string;

beforeEach(() => {
  folder = folderWith();
});

afterEach(() => {
  jest.useRealTimers();
});

const never = (): void => {
  throw new Error('The lock was lost.');
};

const holder = { id: 'x', pid: 1, host: 'elsewhere', space: 'other', started: '1', isReleased: false };

describe('the lock of a folder', () => {
  it('is held by one, and free after its release', async () => {
    const lock = await lockFolder(folder, never);
    await expect(lockFolder(folder, never)).rejects.toThrow(WrongUsage);
    await expect(lockFolder(folder, never)).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
    const again = await lockFolder(folder, never);
    await again.release();
    expect(await readdir(folder)).toEqual(['lock.2']);
  });

  it('is taken by one of many that find it free at the same moment', async () => {
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, never)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of taken) if (end.status === 'fulfilled') await end.value.release();
  });

  it('of a process that was killed is free at once', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    await once(child, 'spawn');
    const first = await lockFolder(folder, never);
    await first.release();
    // The lock of a killed process: no process has its id, or one that started at another time.
    await writeFile(
      join(folder, 'lock.7'),
      JSON.stringify({ ...holder, ...(await ownPlace()), pid: child.pid, started: 'earlier' }),
    );
    const lock = await lockFolder(folder, never);
    await lock.release();
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it('of another machine is free after half a minute without a heartbeat', async () => {
    const path = join(folder, 'lock.3');
    await writeFile(path, JSON.stringify(holder));
    await expect(lockFolder(folder, never)).rejects.toThrow('on elsewhere');
    const before = new Date(Date.now() - 31_000);
    await utimes(path, before, before);
    const lock = await lockFolder(folder, never);
    await lock.release();
  });

  it.each(['', '{"id"', 'null'])(
    'that cannot be read, %j, is held until it was silent for half a minute',
    async (text) => {
      const path = join(folder, 'lock.3');
      await writeFile(path, text);
      await expect(lockFolder(folder, never)).rejects.toThrow(WrongUsage);
      await expect(lockFolder(folder, never)).rejects.toThrow('lock.3');
      const before = new Date(Date.now() - 31_000);
      await utimes(path, before, before);
      const lock = await lockFolder(folder, never);
      await lock.release();
    },
  );

  it('is complete at every moment, also while it is held and released', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'queueMicrotask'] });
    const isOver = new AbortController();
    const reading = textsUntil(isOver.signal);
    for (let round = 0; round < 80; round += 1) {
      const lock = await lockFolder(folder, never);
      jest.advanceTimersByTime(20_000);
      await lock.release();
    }
    isOver.abort();
    const ends = [...(await reading)].map((text) => /"isReleased":(?:true|false)\}$/.exec(text)?.[0] ?? text);
    expect([...new Set(ends)].sort()).toEqual(['"isReleased":false}', '"isReleased":true}']);
  });
});

/** All texts that the locks of a folder have while this reads them continuously. */
async function textsUntil(isOver: AbortSignal): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  while (!isOver.aborted) {
    for (const name of (await readdir(folder)).filter((each) => /^lock\.\d+$/.test(each))) {
      // The next lock may have taken its place.
      const text = await readFile(join(folder, name), 'utf8').catch(() => undefined);
      if (text !== undefined) texts.add(text);
    }
  }
  return texts;
}

/** The part of a lock that describes this machine. */
async function ownPlace(): Promise<object> {
  const other = await mkdtemp(join(tmpdir(), 'loader-lock-'));
  const lock = await lockFolder(other, never);
  const { space } = JSON.parse(await readFile(join(other, 'lock.1'), 'utf8')) as { space: string };
  await lock.release();
  await rm(other, { recursive: true });
  return { host: hostname(), space };
}
