import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { documentsIn, type FolderEntry } from './stored-documents.js';

describe('the documents of a folder, for a backup', () => {
  let home: string;
  let folder: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-import-test-backup-'));
    folder = join(home, 'documents');
    await mkdir(folder);
  });
  afterEach(() => rm(home, { recursive: true }));

  const put = async (key: string, content = key): Promise<void> => {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), content);
  };

  /** Contents of the documents by their names, and what is said about the others. */
  async function collect(entries: AsyncIterable<FolderEntry>): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for await (const entry of entries) {
      if (entry.kind === 'document') found[entry.key] = await text(entry.file.createReadStream());
      else found[entry.name] = entry.kind === 'link' ? 'link' : entry.reason;
    }
    return found;
  }

  it('are its files, and links that stay below a document root (O5, F4)', async () => {
    for (const key of ['top.pdf', 'a/own.pdf', 'b/secret.pdf', 'b/inner/own.pdf']) await put(key);
    await writeFile(join(home, 'outside.pdf'), 'outside');
    await symlink('own.pdf', join(folder, 'a/link.pdf'));
    await symlink('../b/secret.pdf', join(folder, 'a/plain.html'));
    await symlink('../secret.pdf', join(folder, 'b/inner/up.pdf'));
    await symlink('../b', join(folder, 'a/folder'));
    await symlink('../../outside.pdf', join(folder, 'a/outside.pdf'));
    await symlink('nowhere', join(folder, 'a/dangling.pdf'));
    await symlink('a/own.pdf', join(folder, 'link.pdf'));
    expect(await collect(documentsIn(folder, ['b', 'b/inner']))).toEqual({
      'top.pdf': 'top.pdf',
      'link.pdf': 'a/own.pdf',
      'a/own.pdf': 'a/own.pdf',
      'a/link.pdf': 'a/own.pdf',
      'b/secret.pdf': 'b/secret.pdf',
      'b/inner/own.pdf': 'b/inner/own.pdf',
      'a/plain.html': 'link',
      'b/inner/up.pdf': 'link',
      'a/folder': 'link',
      'a/outside.pdf': 'link',
      'a/dangling.pdf': 'link',
    });
  });

  it('are named where their names are not UTF-8, with the bytes escaped (O5)', async () => {
    await put('a/Zähler.pdf');
    const odd = Buffer.concat([Buffer.from(`${folder}/a/z\xfchl-`, 'latin1'), Buffer.from('ä\n\\.pdf')]);
    await writeFile(odd, '');
    const oddFolder = Buffer.from(`${folder}/a/\xff`, 'latin1');
    await mkdir(oddFolder);
    await writeFile(Buffer.concat([oddFolder, Buffer.from('/in it.pdf')]), '');
    expect(await collect(documentsIn(folder, ['a']))).toEqual({
      'a/Zähler.pdf': 'a/Zähler.pdf',
      'a/z\\xfchl-\\xc3\\xa4\\x0a\\x5c.pdf': 'its name is not UTF-8',
      'a/\\xff/in it.pdf': 'its name is not UTF-8',
    });
  });

  it('are not what takes their places after their names were read (O5)', async () => {
    const keys = Array.from({ length: 10 }, (_none, index) => `a/${index}.pdf`);
    for (const key of keys) await put(key);
    await put('a/inner/own.pdf');
    await mkdir(join(home, 'elsewhere'));
    for (const name of ['own.pdf', 'secret.pdf']) await writeFile(join(home, 'elsewhere', name), 'secret');
    const entries = documentsIn(folder, ['a']);
    const { value: first } = (await entries.next()) as { value: FolderEntry };
    if (first.kind === 'document') await first.file.close();
    // The names of a whole folder have been read by then.
    for (const key of keys) {
      await rm(join(folder, key));
      await symlink(join(home, 'elsewhere/secret.pdf'), join(folder, key));
    }
    await rename(join(folder, 'a/inner'), join(home, 'inner'));
    await symlink(join(home, 'elsewhere'), join(folder, 'a/inner'));
    const found = await collect(entries);
    expect(Object.values(found)).not.toContain('secret');
  });
});
