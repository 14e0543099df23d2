import { readdirSync } from 'node:fs';
import { folderWith } from '../../../test/support/folders.js';
import { startLoader } from './support/loader.js';

const OF_BOTH = [
  '--base-url',
  '--supplier',
  '--api-key-file',
  '--kinds',
  '--concurrency',
  '--items-per-request',
  '--max-errors',
  '--give-up-after',
  '--mapping',
  '--ignore',
  '--force-add-to-current-statement',
  '--dry-run',
  '--no-check',
  '--report',
  '--json',
];

describe('the command line', () => {
  it.each([
    ['load', [...OF_BOTH, '--again', '--limit']],
    ['retry', [...OF_BOTH, '--group']],
    [
      'verify',
      [
        '--base-url',
        '--supplier',
        '--api-key-file',
        '--kinds',
        '--concurrency',
        '--give-up-after',
        '--mapping',
        '--ignore',
        '--report',
        '--json',
        '--again',
      ],
    ],
    ['status', ['--mapping', '--ignore', '--json']],
    ['failures', ['--json']],
    ['map', ['--kind', '--output']],
    ['sample', ['--accounts', '--seed', '--bad', '--documents', '--order']],
  ])('has the command %s with its options (L3, L4)', async (command, options) => {
    const { code, stdout } = await startLoader([command, '--help']).ended;
    expect(code).toBe(0);
    const found = [...stdout.matchAll(/^ +(?:-h, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(found.sort()).toEqual([...options, '--help'].sort());
  });

  const target = ['--base-url', 'http://localhost', '--supplier', 'A'];
  it.each([
    [[], 'Give --base-url or set DATA_IMPORT_BASE_URL.'],
    [['--base-url', 'http://localhost'], 'Give --supplier or set DATA_IMPORT_SUPPLIER.'],
    [target, 'DATA_IMPORT_API_KEY'],
    [[...target, '--api-key', 'adi_live_secret'], 'not accepted as an argument'],
    [
      [...target, '--api-key-file', 'none'],
      '--api-key-file: none cannot be read: no such file or directory (ENOENT).',
    ],
    [[...target, '--kinds', 'notes,note'], '--kinds: note is no kind. Did you mean notes?'],
    [[...target, '--concurrency', '0'], '--concurrency: expected a whole number from 1 to 256'],
    [[...target, '--items-per-request', 'x'], '--items-per-request: expected a whole number from 1'],
    [[...target, '--limit', '0'], '--limit: expected a whole number from 1'],
    [[...target, '--max-errors', '-1'], '--max-errors: expected a whole number from 0'],
    [[...target, '--give-up-after', '10'], '--give-up-after: expected a duration such as 30s'],
    [[...target, '--force-add-to-current-statement', 'yes'], 'expected true or false, not yes'],
    [[...target, '--again', '--unknown'], "unknown option '--unknown'"],
  ])('refuses %j as wrong usage, and stores nothing in the folder (L4, L8)', async (args, sentence) => {
    const folder = folderWith({ 'notes.ndjson': '' });
    const { code, stdout, stderr } = await startLoader(['load', folder, ...args]).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('adi_live_secret');
  });

  it('finds out before anything is sent that a report cannot be written (L4, L8)', async () => {
    const folder = folderWith({ 'notes.ndjson': '' });
    const args = ['load', folder, ...target, '--report', `${folder}/none/report.html`];
    const { code, stderr } = await startLoader(args, { DATA_IMPORT_API_KEY: 'adi_live_secret' }).ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `--report: ${folder}/none/report.html cannot be written: no such file or directory (ENOENT).\n`,
    });
    expect(readdirSync(folder)).toEqual(['notes.ndjson']);
  });
});
