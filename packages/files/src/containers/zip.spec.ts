import { join } from 'node:path';
import { folderWith } from '../../../../test/support/folders.js';
import { zipOf, type WrittenMember } from '../../test/support/zip.js';
import { UnreadableInput } from '../common/errors.js';
import { Archive } from './zip.js';
import { inBlock } from '../../../../test/support/set-up.js';

function written(bytes: Buffer): string {
  return join(folderWith({ 'parts.zip': bytes }), 'parts.zip');
}

async function contentOf(
  members: readonly WrittenMember[],
  change = (bytes: Buffer) => bytes,
): Promise<string> {
  await using archive = inBlock(await Archive.open(written(change(zipOf(members)))));
  let content = '';
  for await (const chunk of archive.read(archive.members[0]!)) content += chunk.toString();
  return content;
}

async function problemsOf(...members: readonly WrittenMember[]): Promise<(string | undefined)[]> {
  const archive = await Archive.open(written(zipOf(members)));
  archive.close();
  return archive.members.map(({ problem }) => problem);
}

const TEXT = 'a,b\n'.repeat(100_000);

describe('a zip archive', () => {
  it.each([true, false])('is read, packed or not: stored %s (L1)', async (isStored) => {
    expect(await contentOf([{ name: 'ä/notes.csv', content: TEXT, isStored }])).toBe(TEXT);
    const archive = await Archive.open(
      written(
        zipOf([
          { name: 'ä/', content: '' },
          { name: 'ä/n.csv', content: '' },
        ]),
      ),
    );
    archive.close();
    expect(archive.members.map(({ name }) => name)).toEqual(['ä/n.csv']);
  });

  it.each([
    ['/etc/passwd', 'its name leads out of the archive'],
    ['../notes.csv', 'its name leads out of the archive'],
    ['a/../../notes.csv', 'its name leads out of the archive'],
    ['..\\notes.csv', 'its name leads out of the archive'],
    ['C:\\notes.csv', 'its name leads out of the archive'],
    ['a//notes.csv', 'its name leads out of the archive'],
  ])('has a problem in a member that is named %s (L1)', async (name, problem) => {
    expect(await problemsOf({ name, content: 'x' }, { name: 'notes.csv', content: 'x' })).toEqual([
      problem,
      undefined,
    ]);
  });

  it('has a problem in members that are encrypted, packed otherwise, twice there, or larger than their measure (L1)', async () => {
    const [content, name] = ['x', 'notes.csv'];
    const encrypted = await problemsOf({ name, content, flags: 0x801 });
    expect(encrypted[0]).toMatch(/^it is encrypted/);
    expect(await problemsOf({ name, content, method: 9 })).toEqual([
      'it is packed by a method that is not read; deflate is',
    ]);
    expect(await problemsOf({ name, content }, { name, content })).toEqual([
      'the archive has it twice',
      'the archive has it twice',
    ]);
    expect(await problemsOf({ name, content: Buffer.alloc(16_777_217) })).toEqual([
      'it unpacks to more than 250 times its packed size',
    ]);
    expect(await problemsOf({ name, content: Buffer.alloc(16_777_216) })).toEqual([undefined]);
  });

  it.each<[string, Partial<WrittenMember>, RegExp]>([
    ['another checksum', { crc: 1 }, /^parts\.zip\/notes\.csv is damaged: its checksum/],
    [
      'more bytes than it states',
      { bytes: 100 },
      /^parts\.zip\/notes\.csv cannot be unpacked, it may be damaged: too many bytes/,
    ],
    [
      'fewer bytes than it states',
      { bytes: 1_000_000 },
      /^parts\.zip\/notes\.csv cannot be unpacked, it may be damaged: not enough bytes/,
    ],
  ])('is refused where a member has %s (L1)', async (_what, said, message) => {
    const attempt = contentOf([{ name: 'notes.csv', content: TEXT, ...said }]);
    await expect(attempt).rejects.toThrow(UnreadableInput);
    await expect(attempt).rejects.toThrow(message);
  });

  it('is refused where its bytes are damaged (L1)', async () => {
    const member = { name: 'notes.csv', content: TEXT };
    const damaged = contentOf([member], (bytes) => bytes.fill(0xff, 60, 90));
    await expect(damaged).rejects.toThrow('parts.zip/notes.csv cannot be unpacked');
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -40), 'it is damaged, encrypted or no zip archive'],
    ['cut off in front', (bytes: Buffer) => bytes.subarray(10), 'parts.zip cannot be unpacked|it is damaged'],
    ['empty', () => Buffer.alloc(0), 'it is damaged, encrypted or no zip archive'],
    [
      'strongly encrypted',
      (bytes: Buffer) => bytes.fill(0x40, bytes.indexOf('PK\x01\x02') + 8, bytes.indexOf('PK\x01\x02') + 9),
      'it is damaged, encrypted',
    ],
  ])('is refused where it is %s (L1)', async (_what, change, message) => {
    const attempt = contentOf([{ name: 'notes.csv', content: TEXT }], change);
    await expect(attempt).rejects.toThrow(UnreadableInput);
    await expect(attempt).rejects.toThrow(new RegExp(message));
  });

  it('is refused where its members have more bytes together than its measure (L1)', async () => {
    const members = Array.from({ length: 5 }, (_, index) => ({
      name: `${index}`,
      content: 'x',
      bytes: 0xfffffff0,
    }));
    await expect(Archive.open(written(zipOf(members)))).rejects.toThrow('have more than 16 GiB in all');
  });
});
