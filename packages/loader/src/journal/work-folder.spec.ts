import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../../../../test/support/folders.js';
import { Stop } from '../common/stop.js';
import { openWorkFolder } from './work-folder.js';

describe('a work folder', () => {
  it('is opened again when it is there, and closed to others (L5)', async () => {
    const folder = folderWith({});
    for (let time = 0; time < 2; time += 1) {
      const { work, lock } = await openWorkFolder(folder, new Stop());
      expect(existsSync(work.path)).toBe(true);
      await lock.release();
    }
  });

  it('that cannot be made is named with the reason and what to do (L5, L8)', async () => {
    const folder = folderWith({});
    const path = join(folder, '.data-import-loader');
    writeFileSync(path, '');
    const sentence = (why: string): string =>
      `The state of the load cannot be kept in ${path}: ${why}. Make its folder writable, or copy the files into a folder of a local disk and load that.`;
    await expect(openWorkFolder(folder, new Stop())).rejects.toThrow(sentence('not a directory (ENOTDIR)'));
    const none = join(folder, 'none');
    await expect(openWorkFolder(none, new Stop())).rejects.toThrow('no such file or directory (ENOENT)');
    mkdirSync(none);
    await (await openWorkFolder(none, new Stop())).lock.release();
  });
});
