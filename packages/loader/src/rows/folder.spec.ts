import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delimiterOf, isCsv, namesIn, WrongUsage } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { zipOf, type WrittenMember } from '../../../files/test/support/zip.js';
import { pageHtml } from '../report/html.js';
import { expectNoOthers, findFiles } from './folder.js';
import type { MappedKind } from '../kinds/fields.js';
import { parseMapping } from '../kinds/mapping.js';

/** A folder with a file to load, and with other files next to it or in subfolders. */
function folderBeside(...paths: readonly string[]): string {
  const folder = folderWith({ 'notes.csv': '' });
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

describe('the files of a folder', () => {
  it('are found by their names, kinds in the order of loading, files in the order of their names (L1)', async () => {
    const folder = folderWith({
      'transactions-10.csv': '',
      'transactions-2.ndjson': '',
      'transactions-3.tsv.gz': '',
      'transactions.jsonl': '',
      'notes.csv.gz': '',
      'statements-a.ndjson.gz': '',
      'payment-instructions.txt': '',
      'notes-2.xlsx': '',
    });
    expect(await findFiles(folder)).toMatchObject({
      files: new Map([
        ['notes', ['notes-2.xlsx', 'notes.csv.gz']],
        ['statements', ['statements-a.ndjson.gz']],
        ['payment-instructions', ['payment-instructions.txt']],
        [
          'transactions',
          ['transactions-10.csv', 'transactions-2.ndjson', 'transactions-3.tsv.gz', 'transactions.jsonl'],
        ],
      ]),
      others: [],
      accounts: [],
    });
  });

  it.each([
    ['notes.jsonl', false, ','],
    ['notes.csv', true, ','],
    ['notes.txt.gz', true, ','],
    ['notes-1.tsv', true, '\t'],
    ['notes.xlsx', true, ','],
    ['notes.tsv.gz', true, '\t'],
  ])('%s: whether it is a table, and what separates its cells (L1)', (name, isTable, delimiter) => {
    expect([isCsv(name), delimiterOf(name)]).toEqual([isTable, delimiter]);
  });

  it.each([
    ['transaction-2.csv', 'its name does not start with a kind. Did you mean transactions?'],
    ['Notes.csv', 'its name does not start with a kind. Did you mean notes?'],
    ['readme.pdf', 'its name does not start with a kind.'],
    ['notes.json', 'its file name extension is not supported'],
    ['notes.xlsb', 'workbooks of this format are not supported; save it as .xlsx'],
    ['notes.xls', 'workbooks of this format are not supported; save it as .xlsx'],
    ['notes-1.xlsx.gz', 'a workbook is packed already; unpack it'],
    ['Ledger.xlsx', 'its name does not start with a kind.'],
    ['export.tar.gz', 'archives of this format are not supported; zip (.zip) is'],
    [
      'export.zip',
      'it is damaged, encrypted or no zip archive: End of central directory record signature not found. Either not a zip file, or file is truncated',
    ],
    ['2024/export.zip', 'it is in a subfolder'],
    ['notes-2.csv.zst', 'it is compressed in a format that is not supported; gzip (.gz) is'],
    ['notes-2.csv.bz2', 'it is compressed in a format that is not supported; gzip (.gz) is'],
    ['notes-2.csv.part', 'it looks like an unfinished copy'],
    ['2024/notes.csv', 'it is in a subfolder'],
    ['a/b/failures/x.bin', 'it is in a subfolder'],
    ['report.html', 'its name does not start with a kind.'],
  ])('%s is named with the reason why it is not loaded (L1)', async (path, reason) => {
    const folder = folderBeside(path);
    const content = await findFiles(folder);
    expect(content.others).toEqual([{ path, reason }]);
    expect(() => {
      expectNoOthers(folder, content);
    }).toThrow(`\n  ${path}: ${reason}\n`);
  });

  it('passes over hidden files, those of the system, of the loader and of the sample (L1)', async () => {
    const folder = folderBeside(
      ...[
        '.DS_Store',
        '~$transactions.xlsx',
        '.~lock.notes.csv#',
        '.git/config',
        'Thumbs.db',
        'desktop.ini',
        'accounts.ndjson',
        'expected.json',
        'loaded.json',
      ],
      ...['documents/bill.pdf', 'failures/notes.csv', 'corrected/notes.csv', 'dry-run/notes.csv'],
      ...['.data-import-loader/journal', 'mapping.json'],
    );
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'load.html'), pageHtml({ title: 'Load', verdict: '', content: [] }));
    expect(await findFiles(folder, { own: [join(folder, 'mapping.json'), undefined] })).toMatchObject({
      files: new Map([['notes', ['notes.csv']]]),
      others: [],
      accounts: [],
    });
  });

  it.each([
    [['*.pdf', 'old'], ['a/c.csv']],
    [['**/*.pdf', 'old/', 'a/*'], []],
    [['old/b.csv', '?/?.???'], ['x.pdf']],
    [['*'], undefined],
    [['notes*', '**'], undefined],
    [
      ['[x].pdf', '.*'],
      ['a/b.pdf', 'a/c.csv', 'old/b.csv', 'x.pdf'],
    ],
  ])('passes over what %j name, also a file that would be loaded (L1)', async (ignore, left) => {
    const folder = folderBeside('a/b.pdf', 'a/c.csv', 'old/b.csv', 'x.pdf');
    const found = findFiles(folder, { ignore });
    if (left) expect((await found).others.map(({ path }) => path)).toEqual(left);
    else await expect(found).rejects.toThrow('has no file to load');
  });

  it('have the members of archives among them, as if each archive were the folder (L1)', async () => {
    const member = (name: string): WrittenMember => ({ name, content: 'x' });
    const folder = folderWith({
      'notes-2.csv': '',
      'parts.zip': zipOf([
        ...['notes-3.csv', 'notes-1.csv.gz', 'statements.xlsx', 'more/notes.csv', 'readme.pdf', 'in.zip'].map(
          member,
        ),
        ...['__MACOSX/._notes-1.csv', '.DS_Store', 'more/Thumbs.db', 'no\u001b[2Jtes.csv', 'x.csv'].map(
          member,
        ),
        { name: 'notes-4.csv', content: 'x', flags: 1 },
      ]),
      'one.ZIP': zipOf([member('export/transactions.csv'), member('export/old/transactions.csv')]),
      'empty.zip': zipOf([]),
    });
    const content = await findFiles(folder, { ignore: ['x.csv'] });
    expect(content.files).toEqual(
      new Map([
        ['notes', ['notes-2.csv', 'parts.zip/notes-1.csv.gz', 'parts.zip/notes-3.csv']],
        ['statements', ['parts.zip/statements.xlsx']],
        ['transactions', ['one.ZIP/export/transactions.csv']],
      ]),
    );
    expect(content.others).toEqual([
      { path: 'empty.zip', reason: 'it is an archive without files' },
      { path: 'one.ZIP/export/old/transactions.csv', reason: 'it is in a subfolder' },
      { path: 'parts.zip/in.zip', reason: 'it is an archive within another; unpack it' },
      { path: 'parts.zip/more/notes.csv', reason: 'it is in a subfolder' },
      { path: 'parts.zip/no\uFFFD[2Jtes.csv', reason: 'its name has characters that are not text' },
      {
        path: 'parts.zip/notes-4.csv',
        reason: 'it is encrypted; unpack it with its password, or pack it without one',
      },
      { path: 'parts.zip/readme.pdf', reason: 'its name does not start with a kind.' },
    ]);
    expect((await findFiles(folder, { ignore: ['*.zip'] })).others.map(({ path }) => path)).toEqual([
      'one.ZIP/export/old/transactions.csv',
    ]);
  });

  it('have the members of archives that a mapping names, with the archive or without it (L1, L11)', async () => {
    const folder = folderWith({
      'notes.csv': '',
      'parts.zip': zipOf([{ name: 'ledger-1.csv', content: '' }]),
    });
    for (const match of ['ledger-*.csv', 'parts.zip/*', 'parts.zip', '*.zip/ledger-?.csv']) {
      const { kindsOf } = parseMapping(
        JSON.stringify({ files: [{ match, kind: 'transactions' }] }),
        'mapping',
      );
      const { files, others } = await findFiles(folder, { kindsOf });
      expect([files.get('transactions'), others]).toEqual([['parts.zip/ledger-1.csv'], []]);
    }
  });

  it('names links to folders and what is no file, and reads none of them (L1)', async () => {
    const folder = folderBeside('below/notes.csv');
    symlinkSync(folder, join(folder, 'itself'));
    for (const path of ['transactions.csv', 'below/notes.html']) execFileSync('mkfifo', [join(folder, path)]);
    symlinkSync(join(folder, 'transactions.csv'), join(folder, 'notes-2.csv'));
    symlinkSync('/dev/zero', join(folder, 'statements.csv'));
    const { files, others } = await findFiles(folder);
    expect([...files.values()]).toEqual([['notes.csv']]);
    expect(others.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'below/notes.csv: it is in a subfolder',
      'below/notes.html: it is a named pipe, not a file',
      'itself: it is a link to a folder',
      'notes-2.csv: it is a named pipe, not a file',
      'statements.csv: it is a device, not a file',
      'transactions.csv: it is a named pipe, not a file',
    ]);
    await expect(namesIn(folder)).rejects.toThrow('itself is a link to a folder. Remove it.');
  });

  it('have the kind that a mapping gives them, whatever their names say (L1)', async () => {
    const folder = folderBeside('LEDG-2.TXT', 'LEDG-1.TXT', 'OTHER.TXT', 'CUST.TXT');
    const kinds: Record<string, MappedKind> = { LEDG: 'transactions', CUST: 'accounts' };
    const kindsOf = (name: string): MappedKind[] => [kinds[name.slice(0, 4)]].flatMap((kind) => kind ?? []);
    const { files, others, accounts } = await findFiles(folder, { kindsOf });
    expect(files.get('transactions')).toEqual(['LEDG-1.TXT', 'LEDG-2.TXT']);
    expect(accounts).toEqual(['CUST.TXT']);
    expect(others.map(({ path }) => path)).toEqual(['OTHER.TXT']);
  });

  it('names twenty of very many', async () => {
    const folder = folderBeside(...Array.from({ length: 1_022 }, (_, index) => `x/${index}.pdf`));
    const content = await findFiles(folder);
    expect(() => {
      expectNoOthers(folder, content);
    }).toThrow('\n  and 1,002 more\n');
  });

  it('are wrong usage when there are none, or one is there twice', async () => {
    await expect(findFiles(folderWith({ 'notes.json': '' }))).rejects.toThrow(
      /has no file to load[^]+\n {2}notes\.json: /,
    );
    await expect(findFiles(folderWith({ 'notes.csv': '', 'notes.csv.gz': '' }))).rejects.toThrow(
      'has both notes.csv and notes.csv.gz',
    );
    await expect(findFiles(join(folderWith({}), 'missing'))).rejects.toThrow(WrongUsage);
  });
});
