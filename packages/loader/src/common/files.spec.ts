import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { openWorkFolder } from '../journal/work-folder.js';
import { writeRowFiles, type WrittenRow } from '../retry/row-files.js';
import { Stop } from './stop.js';

describe('a file', () => {
  it('has its name when it is whole, and is not there when writing it fails', async () => {
    const folder = folderWith({ kept: 'before' });
    const writing = writeWhole(join(folder, 'kept'), async (file) => {
      file.add('half');
      await file.flush();
      expect(readFileSync(join(folder, 'kept.new'), 'utf8')).toBe('half');
      throw new Error('no more');
    });
    await expect(writing).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual(['kept']);
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('before');
    await writeWhole(join(folder, 'kept'), (file) => {
      file.add('after');
    });
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('after');
    expect(statSync(join(folder, 'kept')).mode & 0o777).toBe(0o600);
  });

  it('that a killed process has left half is removed: in the work folder when it is opened', async () => {
    const folder = folderWith({});
    const work = join(folder, '.data-import-loader');
    const left = [
      'journal.new',
      'temporary/sorted-notes-1.new',
      'verify/entries-0-1.new',
      'verify/digest-lines',
    ];
    for (const name of ['', 'temporary', 'verify']) mkdirSync(join(work, name));
    for (const name of left) await writeWhole(join(work, name), () => undefined);
    const { lock } = await openWorkFolder(folder, new Stop());
    await lock.release();
    const names = readdirSync(work, { recursive: true }).sort();
    expect(names).toEqual(['lock.1', 'temporary', 'verify', 'verify/digest-lines']);
  });

  it('that a killed process has left half is removed: among failed rows when they are written again', async () => {
    const folder = folderWith({ 'notes.ndjson.new': 'half', 'notes.ndjson': 'old', other: 'kept' });
    async function* none(): AsyncGenerator<WrittenRow> {
      yield* await Promise.resolve([]);
    }
    await writeRowFiles(folder, none(), { suffix: 'errors', columns: [], forms: new Map() });
    expect(readdirSync(folder)).toEqual(['other']);
  });
});
