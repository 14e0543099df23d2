import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongUsage } from '@data-import/files';
import type { Acknowledged, Failed, RunStarted } from './events.js';
import { Journal, readState } from './journal.js';
import { folderWith } from '../../../../test/support/folders.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = folderWith();
  path = join(folder, 'journal');
});

const ack = (start: number, end: number, loaded: number, already = 0): Acknowledged => ({
  event: 'ack',
  kind: 'notes',
  at: 1_000,
  ranges: [[start, end]],
  loaded,
  already,
});

const failed = (start: number, end: number, text: string, more: Partial<Failed> = {}): Failed => ({
  event: 'failed',
  kind: 'notes',
  at: 1_000,
  start,
  end,
  origin: { file: 'notes.ndjson', line: start },
  raw: text,
  errors: [{ code: 'blank', attr: 'body', detail: 'Empty.' }],
  ...more,
});

const arrived = (start: number, end: number): Parameters<Journal['append']>[0] => ({
  event: 'arrived',
  kind: 'notes',
  at: 1_000,
  start,
  end,
  origin: { file: 'notes.ndjson', line: start },
  isNew: true,
});

async function reopened(journal: Journal): Promise<Journal> {
  await journal.close();
  return Journal.open(path);
}

/** The visible content of a journal. */
async function contentOf(journal: Journal): Promise<unknown> {
  const { done, loaded, already, failed: failures, seen } = journal.state.of('notes');
  const texts = [];
  for await (const failure of journal.failures()) texts.push(failure.raw);
  return { done: [...done], loaded, already, failures, texts, seen: [...seen] };
}

describe('a journal', () => {
  it('says the same after it was opened again, any number of times', async () => {
    let journal = await Journal.open(path);
    journal.append(ack(0, 10, 3, 1));
    journal.append(failed(10, 20, 'first'));
    journal.append(failed(20, 30, 'second'));
    journal.append(failed(30, 40, 'third'));
    journal.append({ ...ack(60, 70, 1), account: '17', seen: 'abc' });
    journal.append(failed(20, 30, 'second, corrected', { isAgain: true }));
    journal.append(arrived(30, 40));
    const expected = {
      done: [
        [0, 40],
        [60, 70],
      ],
      loaded: 5,
      already: 1,
      failures: 2,
      texts: ['first', 'second, corrected'],
      seen: [['17', ['abc']]],
    };
    expect(await contentOf(journal)).toEqual(expected);
    for (let time = 0; time < 3; time += 1) {
      journal = await reopened(journal);
      expect(await contentOf(journal)).toEqual(expected);
    }
    expect([...journal.state.spans]).toEqual([[0, 9]]);
    await journal.close();
  });

  it('keeps what each run has settled, whatever was set aside since (L13)', async () => {
    const run = (name: string): RunStarted => {
      return {
        event: 'run',
        run: name,
        command: 'load',
        at: 1_000,
        supplier: 'A',
        baseUrl: 'http://a',
        options: '',
      };
    };
    let journal = await Journal.open(path);
    journal.append(run('one'));
    journal.append(ack(0, 10, 3, 1));
    journal.append(failed(10, 20, 'first'));
    journal.append(failed(20, 30, 'second'));
    journal.append(failed(0, 10, 'other content', { was: 'already' }));
    // An explanation of a failure does not add a row.
    journal.append({ ...failed(10, 20, 'first', { isAgain: true }), at: 0 });
    journal = await reopened(journal);
    journal.append(run('two'));
    journal.append(failed(10, 20, 'first, corrected', { isAgain: true }));
    journal.append(arrived(20, 30));
    journal = await reopened(await reopened(journal));
    journal.append({ event: 'set-aside', kinds: ['notes'] });
    journal.append(run('three'));
    journal = await reopened(journal);
    expect(journal.state.runs.map(({ run: name, settled }) => [name, settled])).toEqual([
      ['one', { loaded: 3, already: 0, failed: 3 }],
      ['two', { loaded: 1, already: 0, failed: 1 }],
      ['three', { loaded: 0, already: 0, failed: 0 }],
    ]);
    await journal.close();
  });

  it('takes acknowledgements back, of rows that are sent again and of such that fail (L14)', async () => {
    let journal = await Journal.open(path);
    journal.append(ack(0, 40, 3, 1));
    journal.append(ack(40, 70, 3));
    journal.append({ event: 'missed', kind: 'notes', ranges: [[10, 20]], loaded: 1, already: 0 });
    journal.append({ event: 'missed', kind: 'notes', ranges: [[40, 60]], loaded: 1, already: 1 });
    journal.append(ack(10, 20, 1));
    journal.append(failed(40, 50, 'missed, then refused'));
    journal.append(failed(0, 10, 'other content', { was: 'loaded' }));
    journal.append(failed(70, 80, 'first'));
    journal.append(arrived(70, 80));
    journal.append(failed(70, 80, 'corrected', { was: 'loaded' }));
    journal.append(failed(80, 90, 'again'));
    journal.append(arrived(80, 90));
    const again = {
      event: 'missed',
      kind: 'notes',
      ranges: [[80, 90]],
      loaded: 1,
      already: 0,
      isAgain: true,
    } as const;
    journal.append(again);
    journal.append({ event: 'checked', at: 1_000, kinds: ['notes'] });
    const expected = {
      done: [
        [0, 50],
        [60, 90],
      ],
      loaded: 4,
      already: 0,
      failures: 4,
      texts: ['missed, then refused', 'other content', 'corrected', 'again'],
      seen: [],
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await contentOf(journal)).toEqual(expected);
      expect(journal.state.of('notes').isChecked).toBe(true);
      journal = await reopened(journal);
    }
    expect(() => {
      journal.append({ event: 'missed', kind: 'notes', ranges: [[50, 60]], loaded: 1, already: 0 });
    }).toThrow('not recorded');
    await journal.close();
  });

  it('knows which rows were moved, until one of them is not there (L7, L14)', async () => {
    const days = (day: string): { from: [string, string]; to: [string, string] } => {
      return { from: [day, day], to: ['2026-11-01', '2026-11-01'] };
    };
    const moved = (start: number, end: number, count: number, day: string): Acknowledged['moved'] => {
      return { count, maybe: 0, ...days(day), at: { count: [[start, end]], maybe: [] } };
    };
    let journal = await Journal.open(path);
    journal.append({ ...ack(0, 40, 4), moved: moved(10, 40, 3, '2024-03-10') });
    journal.append({
      ...ack(40, 60, 0, 2),
      moved: { count: 0, maybe: 2, from: null, to: null, at: { count: [], maybe: [[40, 60]] } },
    });
    // Merged events list the positions separately.
    journal.append({ ...ack(60, 80, 2), moved: { count: 1, maybe: 0, ...days('2024-03-11') } });
    const ranges = [
      [10, 20],
      [20, 30],
      [40, 50],
    ] as const;
    journal.append({ event: 'missed', kind: 'notes', ranges, loaded: 3, already: 0 });
    journal.append(failed(30, 40, 'other content', { was: 'loaded' }));
    journal.append({ ...ack(10, 20, 1), moved: moved(10, 20, 1, '2024-03-10') });
    const expected = { count: 2, maybe: 1, from: ['2024-03-10', '2024-03-11'] };
    for (let time = 0; time < 3; time += 1) {
      expect(journal.state.of('notes').moved.moves).toMatchObject(expected);
      journal = await reopened(journal);
    }
    await journal.close();
  });

  it('of an earlier loader, which merged events, goes on', async () => {
    const run = { event: 'run', run: 'one', command: 'load', at: 1_000, supplier: 'A', options: '' };
    const merged = [
      { ...run, baseUrl: 'http://a', settled: { loaded: 3, already: 1, failed: 2 } },
      { event: 'rates', spans: [[0, 6]] },
      { ...ack(0, 10, 3, 1), at: 0 },
      failed(10, 20, 'first', { at: 0 }),
      failed(20, 30, 'second', { at: 0 }),
      { event: 'checked', at: 0, kinds: ['notes'] },
    ];
    await writeFile(path, merged.map((event) => `${JSON.stringify(event)}\n`).join(''));
    let journal = await Journal.open(path);
    journal.append(ack(30, 40, 1));
    journal = await reopened(journal);
    expect(await contentOf(journal)).toMatchObject({ done: [[0, 40]], loaded: 4, already: 1, failures: 2 });
    expect(journal.state.runs[0]?.settled).toEqual({ loaded: 4, already: 1, failed: 2 });
    expect([...journal.state.spans]).toEqual([[0, 7]]);
    await journal.close();
  });

  it.each(['{"event":"ack","kind":"no', '\0\0\0\0\n', '{"event":"ack"'])(
    'reads over a last line that was cut off: %j',
    async (tail) => {
      let journal = await Journal.open(path);
      journal.append(ack(0, 10, 3));
      await journal.close();
      await appendFile(path, tail);
      journal = await Journal.open(path);
      journal.append(ack(10, 20, 3));
      journal = await reopened(journal);
      expect(journal.state.of('notes')).toMatchObject({ loaded: 6 });
      await journal.close();
    },
  );

  it('refuses one that is damaged in the middle, and says what to do', async () => {
    const journal = await Journal.open(path);
    journal.append(ack(0, 10, 3));
    await journal.close();
    await writeFile(path, `{"event":"ack","ki\n${await readFile(path, 'utf8')}`);
    await expect(Journal.open(path)).rejects.toThrow(WrongUsage);
    await expect(Journal.open(path)).rejects.toThrow('--again');
  });

  it('refuses to count a row twice', async () => {
    const journal = await Journal.open(path);
    journal.append(ack(0, 10, 3));
    expect(() => {
      journal.append(ack(5, 15, 3));
    }).toThrow('twice');
    await journal.close();
  });

  it('forgets what is set aside, also after it was opened again', async () => {
    let journal = await Journal.open(path);
    journal.append(ack(0, 10, 3));
    journal.append(failed(10, 20, 'first'));
    journal.append({ event: 'set-aside', kinds: ['notes'] });
    journal.append(ack(0, 5, 1));
    journal = await reopened(journal);
    expect(await contentOf(journal)).toMatchObject({ done: [[0, 5]], loaded: 1, failures: 0, texts: [] });
    await journal.close();
  });

  it('is there before anything else happens, without being closed', async () => {
    const journal = await Journal.open(path);
    journal.append(ack(0, 10, 3));
    expect((await readState(path)).of('notes')).toMatchObject({ loaded: 3 });
    await journal.close();
  });

  it('can be read by its owner only', async () => {
    const journal = await Journal.open(path);
    await journal.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('of a run that never was says nothing', async () => {
    expect((await readState(path)).of('notes').settled).toBe(0);
  });
});
