import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
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

  it('is emptied even if no copy can be made (engineering rule)', async () => {
    await writeFile(log, 'x'.repeat(LIMIT_BYTES + 1));
    await mkdir(`${log}.1`);
    await capLog(log).catch(() => undefined);
    expect((await stat(log)).size).toBe(0);
  });
});
