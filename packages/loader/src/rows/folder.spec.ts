import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, removeFolders } from '../../test/support/folders.js';
import { WrongUsage } from '../common/errors.js';
import { findFiles } from './folder.js';

afterEach(removeFolders);

describe('the files of a folder', () => {
  it('are found by their names, kinds in the order of loading, files in the order of their names (L1)', async () => {
    const folder = folderWith({
      'transactions-10.csv': '',
      'transactions-2.ndjson': '',
      'notes.csv.gz': '',
      'statements-a.ndjson.gz': '',
      'payment-instructions.ndjson': '',
      'accounts.ndjson': '',
      'expected.json': '',
      'transaction.csv': '',
      'notes.json': '',
      'notes.pdf': '',
    });
    mkdirSync(join(folder, 'notes-1.csv'));
    const { files, others } = await findFiles(folder);
    expect([...files]).toEqual([
      ['notes', ['notes.csv.gz']],
      ['statements', ['statements-a.ndjson.gz']],
      ['payment-instructions', ['payment-instructions.ndjson']],
      ['transactions', ['transactions-10.csv', 'transactions-2.ndjson']],
    ]);
    expect(others).toEqual(['notes.json', 'transaction.csv']);
  });

  it('are wrong usage when there are none, or one is there twice', async () => {
    await expect(findFiles(folderWith({ 'notes.json': '' }))).rejects.toThrow('has no file to load');
    await expect(findFiles(folderWith({ 'notes.csv': '', 'notes.csv.gz': '' }))).rejects.toThrow(
      'has both notes.csv and notes.csv.gz',
    );
    await expect(findFiles(join(folderWith({}), 'missing'))).rejects.toThrow(WrongUsage);
  });
});
