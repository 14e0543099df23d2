import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_MAPPING, UnreadableInput, WrongUsage, type KindMapping } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { PROGRAM } from '../../test/support/program.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { writeShare, type Share, type ShareTask } from './entries-share.js';
import { inputFiles } from './input.js';
import { shareInThread } from './share-thread.js';
import { parseMapping } from '../kinds/mapping.js';

const PROGRAM_URL = pathToFileURL(PROGRAM);
const MAPPING = '{"columns":{"issued_date":"day"},"dates":"DD/MM/YYYY"}';
const SIGNAL = new AbortController().signal;

async function taskOf(folder: string, share: number): Promise<ShareTask> {
  return {
    files: await inputFiles([folder], KINDS),
    mappings: new Map([['statements', MAPPING]]),
    path: join(folder, `.share-${share}`),
    sizes: { block: 64 },
    share,
    of: 2,
  };
}

const bytesOf = ({ runs }: Share): Buffer[] => runs.map((run) => readFileSync(run));

describe('a thread', () => {
  it('writes the share that this one would write, with the mapping and without rows that are replaced (V9)', async () => {
    const header = 'external_account_number,statement_id,day';
    const cells = Array.from({ length: 30 }, (_, at) => `${at % 7},S-${at},0${1 + (at % 9)}/10/2026`);
    const notes = cells.map((_, at) => `{"external_account_number":"${at % 3}","body":"Note ${at}"}`);
    const folder = folderWith({
      'statements.csv': [header, ...cells].join('\n'),
      'notes.ndjson.gz': notes.join('\n'),
    });
    const mapping = parseMapping(`{"statements":${MAPPING}}`, 'mapping.json');
    const mappingOf = (kind: Kind): KindMapping => mapping.get(kind) ?? NO_MAPPING;
    const replaced = new Set([3, 4, 5]);
    const files = (await inputFiles([folder], KINDS)).map((file) => ({ ...file, replaced }));
    const expected: Share[] = [];
    const found: Share[] = [];
    for (const share of [0, 1]) {
      const task = { ...(await taskOf(folder, share)), files };
      expected.push(await writeShare({ ...task, path: `${task.path}-own` }, { mappingOf }));
      found.push(await shareInThread(PROGRAM_URL, task, SIGNAL));
    }
    expect(found.map(bytesOf)).toEqual(expected.map(bytesOf));
    expect(found.map((share) => ({ ...share, runs: [] }))).toEqual(
      expected.map((share) => ({ ...share, runs: [] })),
    );
    const [first, second] = found;
    expect([first!.rows > 0, second!.rows > 0, first!.rows + second!.rows]).toEqual([true, true, 54]);
  });

  it.each([
    [
      'statements.csv',
      'external_account_number,statement\n1,2\n',
      new WrongUsage('statements.csv has no column "day", which the mapping file names.'),
    ],
    [
      'notes.ndjson',
      Buffer.from('{}\n', 'utf16le'),
      new UnreadableInput(
        'notes.ndjson is UTF-16; name its "encoding" in the "form" of a mapping file, or save it as UTF-8.',
      ),
    ],
  ])('names %s, which cannot be read (V9)', async (name, content, expected) => {
    const folder = folderWith({ [name]: content });
    const error: unknown = await shareInThread(PROGRAM_URL, await taskOf(folder, 1), SIGNAL).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toEqual(expected);
    expect((error as Error).constructor).toBe(expected.constructor);
  });

  it('ends when it is told to', async () => {
    const folder = folderWith({
      'notes.ndjson': '{"external_account_number":"1","body":"x"}\n'.repeat(100_000),
    });
    const stop = new AbortController();
    const running = shareInThread(PROGRAM_URL, await taskOf(folder, 1), stop.signal);
    stop.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});
