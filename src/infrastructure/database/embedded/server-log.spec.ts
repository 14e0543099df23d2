import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capLog } from './server-log.js';
import { folderWith } from '../../../../test/support/folders.js';

const LIMIT_BYTES = 10 * 2 ** 20;

describe('the log of the embedded PostgreSQL', () => {
  let home: string;
  let log: string;
  beforeEach(() => {
    home = folderWith();
    log = join(home, 'postgres.log');
  });

  it('is left alone up to 10 MiB, and if it does not exist (engineering rule)', async () => {
    await capLog(log);
    expect(await readdir(home)).toEqual([]);
    await writeFile(log, 'x'.repeat(LIMIT_BYTES));
    await capLog(log);
    expect(await readdir(home)).toEqual(['postgres.log']);
    expect((await stat(log)).size).toBe(LIMIT_BYTES);
  });

  it('is emptied above 10 MiB with one copy kept, and the server continues to write to it (engineering rule)', async () => {
    const server = createWriteStream(log, { flags: 'a' });
    const write = (text: string): Promise<void> =>
      new Promise((resolve) => {
        server.write(text, () => {
          resolve();
        });
      });
    for (const round of ['first', 'second']) {
      await write(`${round}${'x'.repeat(LIMIT_BYTES)}`);
      await capLog(log);
      expect((await stat(log)).size).toBe(0);
      expect((await readFile(`${log}.1`, 'utf8')).slice(0, round.length)).toBe(round);
    }
    await write('next line');
    expect(await readFile(log, 'utf8')).toBe('next line');
    expect((await readdir(home)).sort()).toEqual(['postgres.log', 'postgres.log.1']);
    server.destroy();
  });

  it('is emptied even if no copy can be made (engineering rule)', async () => {
    await writeFile(log, 'x'.repeat(LIMIT_BYTES + 1));
    await mkdir(`${log}.1`);
    await capLog(log).catch(() => undefined);
    expect((await stat(log)).size).toBe(0);
  });
});
