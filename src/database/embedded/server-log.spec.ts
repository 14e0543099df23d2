import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ServerLog } from './server-log.js';

const LIMIT_BYTES = 10 * 2 ** 20;

describe('the log of the embedded PostgreSQL', () => {
  let home: string;
  let log: ServerLog;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-import-test-log-'));
    log = new ServerLog(join(home, 'postgres.log'));
  });
  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  it('is left alone up to 10 MiB, and when there is none (engineering rule)', async () => {
    await log.cap();
    expect(await readdir(home)).toEqual([]);
    await writeFile(log.path, 'x'.repeat(LIMIT_BYTES));
    await log.cap();
    expect(await readdir(home)).toEqual(['postgres.log']);
    expect(await log.size()).toBe(LIMIT_BYTES);
  });

  it('is emptied above 10 MiB, keeps one copy, and the server goes on writing to it (engineering rule)', async () => {
    const server = createWriteStream(log.path, { flags: 'a' });
    const write = (text: string): Promise<void> =>
      new Promise((resolve) => {
        server.write(text, () => {
          resolve();
        });
      });
    for (const round of ['first', 'second']) {
      await write(`${round}${'x'.repeat(LIMIT_BYTES)}`);
      await log.cap();
      expect(await log.size()).toBe(0);
      expect((await readFile(`${log.path}.1`, 'utf8')).slice(0, round.length)).toBe(round);
    }
    await write('next line');
    expect(await readFile(log.path, 'utf8')).toBe('next line');
    expect((await readdir(home)).sort()).toEqual(['postgres.log', 'postgres.log.1']);
    server.destroy();
  });

  it('keeps its copy when it is checked again while it is copied (engineering rule)', async () => {
    const text = 'x'.repeat(LIMIT_BYTES + 1);
    await writeFile(log.path, text);
    const checks: Promise<void>[] = [];
    for (let round = 0; round < 5; round += 1) {
      checks.push(log.cap());
      await setImmediate();
    }
    await Promise.all(checks);
    expect((await stat(`${log.path}.1`)).size).toBe(text.length);
  });

  it('is emptied also when no copy can be made (engineering rule)', async () => {
    await writeFile(log.path, 'x'.repeat(LIMIT_BYTES + 1));
    await mkdir(`${log.path}.1`);
    await log.cap().catch(() => undefined);
    expect(await log.size()).toBe(0);
  });

  it('shows what one start has appended (section 6)', async () => {
    await log.create();
    await writeFile(log.path, 'before\n', { flag: 'a' });
    await log.create();
    const size = await log.size();
    await writeFile(log.path, 'after ü\n', { flag: 'a' });
    expect(await log.since(size)).toBe('after ü\n');
  });
});
