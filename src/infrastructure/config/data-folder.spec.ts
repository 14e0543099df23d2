import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolder, documentFolder, makeDataFolder } from './data-folder.js';
import { folderWith } from '../../../test/support/folders.js';

describe('DATA_DIR', () => {
  let home: string;
  let DATA_DIR: string;
  beforeEach(() => {
    home = folderWith();
    DATA_DIR = join(home, 'data');
  });

  const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('is closed to other users together with its documents, even if it was open before (section 6)', async () => {
    await mkdir(DATA_DIR);
    await chmod(DATA_DIR, 0o755);
    await makeDataFolder({ DATA_DIR, DOCUMENT_STORE: undefined });
    expect([await mode(DATA_DIR), await mode(documentFolder(DATA_DIR))]).toEqual([0o700, 0o700]);
  });

  it('has no documents folder if DOCUMENT_STORE names another location (F4)', async () => {
    await makeDataFolder({ DATA_DIR, DOCUMENT_STORE: 'file:///elsewhere' });
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it('gets no new documents folder once there is a database (F3, F4)', async () => {
    await mkdir(databaseFolder(DATA_DIR), { recursive: true });
    await makeDataFolder({ DATA_DIR, DOCUMENT_STORE: undefined });
    expect(await readdir(DATA_DIR)).toEqual(['postgres']);
  });
});
