import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment, StartError } from '../infrastructure/config/env.js';
import { expectDocumentFolder } from './open-document-store.js';
import { folderWith } from '../../test/support/folders.js';

describe('the documents’ folder when the service starts', () => {
  let DATA_DIR: string;
  beforeEach(() => {
    DATA_DIR = folderWith();
  });

  const start = (settings: Record<string, string> = {}): Promise<void> =>
    expectDocumentFolder(readEnvironment({ DATA_DIR, ...settings }));

  it('must exist if DOCUMENT_STORE names it (F4)', async () => {
    const starting = start({ DOCUMENT_STORE: 'file:///not/mounted' });
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(
      /^The documents' folder \/not\/mounted \(DOCUMENT_STORE\) cannot be read: it does not exist\.$/,
    );
  });

  it('must exist in DATA_DIR once there is a database beside it (F3, F4)', async () => {
    await start();
    await mkdir(join(DATA_DIR, 'postgres'));
    await expect(start()).rejects.toThrow(
      /^The documents' folder .* \(DOCUMENT_STORE\) cannot be read: .*\.$/,
    );
    await mkdir(join(DATA_DIR, 'documents'));
    await start();
  });
});
