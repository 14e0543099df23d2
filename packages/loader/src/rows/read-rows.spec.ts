import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ChangedInput, NO_MAPPING, UnreadableInput, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { findFiles } from './folder.js';
import { Intervals } from './intervals.js';
import { prepare, recheck, type ReadingOptions } from './prepare.js';
import { readRows } from './read-rows.js';
import { ensureSorted, removeSorted } from './sort.js';
import { collect } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';
import type { Preparation } from './preparation.js';
import { runs } from '../../../../test/support/runs.js';

const KIND = 'transactions';

function optionsFor(folder: string, more: Partial<ReadingOptions> = {}): ReadingOptions {
  return { folder, workFolder: join(folder, '.work'), mapping: NO_MAPPING, ...more };
}

async function prepared(options: ReadingOptions): Promise<Preparation> {
  const { files } = await findFiles(options.folder);
  return prepare(KIND, files.get(KIND) ?? [], options);
}

/** The compared parts of a row. Lazy values are read. */
function told(row: ReadRow): object {
  const { account, origin, start, end, raw } = row;
  const common = { account, origin, start, end, raw: raw.toString() };
  return row.error
    ? { ...common, error: row.error.code }
    : { ...common, item: JSON.parse(row.item) as unknown, key: row.key };
}

/** A record of a generated file. */
interface Written {
  readonly account: number;
  readonly note: string;
  readonly isBad: boolean;
  readonly blankLines: number;
}

interface WrittenFile {
  readonly records: readonly Written[];
  readonly form: 'ndjson' | 'csv';
  readonly isPacked: boolean;
  readonly lineEnd: string;
  readonly hasMark: boolean;
  readonly endsOpen: boolean;
}

const written = fc.record({
  account: fc.nat(6),
  note: fc.oneof(
    fc.constantFrom('', 'a,b', 'two\nlines', '"quoted"', 'Zürich €'),
    fc.string({ maxLength: 60 }),
  ),
  isBad: fc.nat(9).map((number) => number === 0),
  blankLines: fc.nat(9).map((number) => (number === 0 ? 2 : 0)),
});

const writtenFile: fc.Arbitrary<WrittenFile> = fc.record({
  records: fc.array(written, { maxLength: 30 }),
  form: fc.constantFrom('ndjson', 'csv'),
  isPacked: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  hasMark: fc.boolean(),
  endsOpen: fc.boolean(),
});

/**
 * Write a file.
 *
 * @returns also the rows that must be read from it
 */
function write(file: WrittenFile, index: number): { name: string; text: string; expected: object[] } {
  const { form, lineEnd, records } = file;
  const name = `${KIND}-${index}.${form}${file.isPacked ? '.gz' : ''}`;
  let text = file.hasMark ? '\uFEFF' : '';
  if (form === 'csv') text += `note,external_account_number,transaction_id${lineEnd}`;
  let line = form === 'csv' ? 2 : 1;
  const expected = records.map(({ account, note, isBad, blankLines }, at) => {
    const [id, number] = [`${index}-${at}`, `A${account}`];
    const quoted = `"${note.replaceAll('"', '""')}"`;
    const json = JSON.stringify({ note, external_account_number: number, transaction_id: id });
    const good = form === 'csv' ? `${quoted},${number},${id}` : json;
    const bad = form === 'csv' ? `x,y` : `{"note":`;
    const raw = isBad ? bad : good;
    const isLast = at === records.length - 1;
    text += `${lineEnd.repeat(blankLines)}${raw}${isLast && file.endsOpen ? '' : lineEnd}`;
    line += blankLines;
    const origin = { file: name, line };
    line += raw.split('\n').length;
    if (isBad) return { origin, raw, account: undefined, error: form === 'csv' ? 'invalid' : 'parse_error' };
    const item = form === 'csv' && note === '' ? { transaction_id: id } : { note, transaction_id: id };
    return { origin, raw, account: number, item, key: id };
  });
  return { name, text, expected };
}

describe('reading the rows of a kind', () => {
  it('gives every record of all files, accounts together and in the order of the files, and from any place on the rest', async () => {
    const sizes = fc.record({
      block: fc.integer({ min: 8, max: 900 }),
      run: fc.integer({ min: 1, max: 600 }),
      merged: fc.integer({ min: 2, max: 5 }),
    });
    const isDone = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        fc.array(writtenFile, { minLength: 1, maxLength: 4 }),
        sizes,
        isDone,
        async (files, small, marks) => {
          const parts = files.map(write);
          const folder = folderWith(Object.fromEntries(parts.map(({ name, text }) => [name, text])));
          const options = optionsFor(folder, { sizes: small });
          const preparation = await prepared(options);
          const inFiles = parts.flatMap(({ expected }) => expected as { account?: string }[]);
          expect(preparation.rows).toBe(inFiles.length);
          const accounts = inFiles.flatMap(({ account }) => account ?? []);
          const changes = accounts.filter((account, at) => account !== accounts[at - 1]);
          expect(preparation.isGrouped).toBe(new Set(changes).size === changes.length);
          // Records without an account come first in a sorted copy. Sorting an array is stable.
          const inOrder = preparation.isGrouped
            ? inFiles
            : inFiles.toSorted((one, other) =>
                (one.account ?? '') < (other.account ?? '') ? -1 : Number(one.account !== other.account),
              );

          const rows = await collect(preparation, options);
          expect(rows.map(told)).toMatchObject(inOrder);
          rows.forEach((row, at) => {
            expect(row.start).toBe(rows[at - 1]?.end ?? 0);
          });

          const done = new Intervals();
          const rest = rows.filter((row) => {
            const isPassed = marks.next().value === true;
            if (isPassed) done.add(row.start, row.end);
            return !isPassed;
          });
          if (small.run % 2 === 0) await removeSorted(options.workFolder);
          expect((await collect(preparation, options, done)).map(told)).toEqual(rest.map(told));
        },
      ),
      { numRuns: runs(10) },
    );
  });

  it('names the line after lines that are passed over', async () => {
    const line = (id: number): string => `{"external_account_number":"1","transaction_id":"${id}"}\n`;
    const folder = folderWith({
      'transactions.ndjson': `${Array.from({ length: 99 }, (_, id) => line(id)).join('')}no JSON`,
    });
    const options = optionsFor(folder, { sizes: { block: 64 } });
    const preparation = await prepared(options);
    const rows = await collect(preparation, options);
    const done = new Intervals();
    done.add(0, rows[97]?.end ?? 0);
    const rest = await collect(preparation, options, done);
    expect(rest.map(({ origin }) => origin.line)).toEqual([99, 100]);
  });

  it('reads files of all forms in the order of their names', async () => {
    const csv = (id: string): string => `external_account_number,transaction_id\n1,${id}\n`;
    const json = (id: string): string => `{"external_account_number":"1","transaction_id":"${id}"}\n`;
    const folder = folderWith({
      'transactions.ndjson': json('d'),
      'transactions-2.csv.gz': csv('c'),
      'transactions-1.ndjson.gz': json('b'),
      'transactions-02.csv': csv('a'),
    });
    const options = optionsFor(folder);
    const rows = await collect(await prepared(options), options);
    expect(rows.map((row) => (row.error ? undefined : row.key))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('reads an account in the order of the lines where it is sorted, and removes all files of the sort', async () => {
    const json = (account: number, id: string): string =>
      `{"external_account_number":"${account}","transaction_id":"${id}"}\n`;
    const folder = folderWith({
      'transactions.ndjson': json(2, 'a') + json(1, 'b') + json(2, 'c') + json(1, 'd'),
    });
    const options = optionsFor(folder);
    const preparation = await prepared(options);
    expect(preparation.isGrouped).toBe(false);
    const path = await ensureSorted(preparation, options);
    expect(readdirSync(options.workFolder)).toEqual([path.slice(options.workFolder.length + 1)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(options.workFolder).mode & 0o777).toBe(0o700);
    const rows = await collect(preparation, options);
    expect(rows.map((row) => (row.error ? undefined : row.key))).toEqual(['b', 'd', 'a', 'c']);
    await removeSorted(options.workFolder);
    expect(readdirSync(options.workFolder)).toEqual([]);
  });

  it('removes what a sort has written when it is interrupted, and what one that was killed has left', async () => {
    const json = (account: number): string => `{"external_account_number":"${account}"}\n`;
    const folder = folderWith({
      'transactions.ndjson': Array.from({ length: 90 }, (_, at) => json(at % 7)).join(''),
    });
    const stop = new AbortController();
    const sizes = { block: 100, run: 200 };
    let isPrepared = false;
    const options = optionsFor(folder, {
      sizes,
      signal: stop.signal,
      progress: () => {
        if (isPrepared) stop.abort(new Error('interrupted'));
      },
    });
    const preparation = await prepared(options);
    isPrepared = true;
    await expect(collect(preparation, options)).rejects.toThrow('interrupted');
    expect(readdirSync(options.workFolder)).toEqual([]);

    writeFileSync(join(options.workFolder, 'sorted-transactions-0-1.new'), 'half a run');
    expect(await collect(preparation, optionsFor(folder, { sizes }))).toHaveLength(90);
    expect(readdirSync(options.workFolder)).toHaveLength(1);
  });

  it('refuses a file that is changed after it was prepared', async () => {
    const folder = folderWith({ 'transactions.ndjson': '{"external_account_number":"1"}\n' });
    const options = optionsFor(folder);
    const preparation = await prepared(options);
    appendFileSync(join(folder, 'transactions.ndjson'), '{"external_account_number":"2"}\n');
    await expect(collect(preparation, options)).rejects.toThrow('transactions.ndjson was changed');
  });

  it.each(['.ndjson', '.ndjson.gz'])(
    'reads of a file that grows what was prepared: %s (L8)',
    async (form) => {
      const name = `${KIND}-1${form}`;
      const more = '{"external_account_number":"2"}\n'.repeat(9);
      const line = '{"external_account_number":"1"}\n';
      const folder = folderWith({ [name]: line.repeat(50), [`${KIND}-2.ndjson`]: line });
      const options = optionsFor(folder, { sizes: { block: 64 } });
      const preparation = await prepared(options);
      const rows = await collect(preparation, options, undefined, () => {
        appendFileSync(join(folder, name), form === '.ndjson' ? more : gzipSync(more));
      });
      expect(rows).toHaveLength(51);
      expect(rows.at(-1)?.origin).toEqual({ file: `${KIND}-2.ndjson`, line: 1 });
      expect(rows.at(-1)?.end).toBe(line.length * 51);
    },
  );

  it('reads of a file of another encoding that grows what was prepared (L8, L11)', async () => {
    const entry = { match: '*.csv', kind: KIND, form: { encoding: 'windows-1252' } };
    const mapping = parseMapping(JSON.stringify({ files: [entry] }), 'mapping.json').of(KIND);
    const line = '1,Müller\n';
    const name = `${KIND}.csv`;
    const table = `external_account_number,display_note\n${line.repeat(50)}`;
    const folder = folderWith({ [name]: Buffer.from(table, 'latin1') });
    const options = optionsFor(folder, { mapping, sizes: { block: 64 } });
    const preparation = await prepared(options);
    const rows = await collect(preparation, options, undefined, () => {
      appendFileSync(join(folder, name), Buffer.from(line.repeat(9), 'latin1'));
    });
    expect(rows).toHaveLength(50);
    expect(rows.at(-1)).toMatchObject({ item: '{"display_note":"Müller"}', end: Buffer.byteLength(table) });
  });

  it('reads of a file that ends in left-out lines and grows what was prepared, and the next one (L8, L11)', async () => {
    const entry = { match: '*.csv', kind: KIND, form: { leave_out: { type: ['Total'] } } };
    const mapping = parseMapping(JSON.stringify({ files: [entry] }), 'mapping.json').of(KIND);
    const table = `external_account_number,type\n${'1,CHARGE\n'.repeat(50)},Total\n`;
    const folder = folderWith({ [`${KIND}-1.csv`]: table, [`${KIND}-2.csv`]: table });
    const options = optionsFor(folder, { mapping, sizes: { block: 64 } });
    const preparation = await prepared(options);
    const rows = await collect(preparation, options, undefined, () => {
      appendFileSync(join(folder, `${KIND}-1.csv`), '1,CHARGE\n,Total\n'.repeat(9));
    });
    expect(rows).toHaveLength(100);
    expect(rows[50]).toMatchObject({ start: rows[49]?.end, origin: { file: `${KIND}-2.csv`, line: 2 } });
  });

  it('refuses a file of which the last line goes on meanwhile (L8)', async () => {
    const line = '{"external_account_number":"1"}\n';
    const name = `${KIND}.ndjson`;
    const folder = folderWith({ [name]: `${line.repeat(50)}{"external_account_number":` });
    const options = optionsFor(folder, { sizes: { block: 64 } });
    const preparation = await prepared(options);
    const rows = readRows(preparation, options, new Intervals());
    await rows.next();
    appendFileSync(join(folder, name), '"2"}\n');
    const rest = async (): Promise<void> => {
      while ((await rows.next()).done !== true);
    };
    await expect(rest()).rejects.toThrow(ChangedInput);
  });

  it('says on a later run which files are not the same', async () => {
    const folder = folderWith({
      'transactions-1.ndjson': '{"a":1}\n',
      'transactions-2.ndjson': '{"a":2}\n',
      'transactions-3.ndjson': '',
    });
    const options = optionsFor(folder);
    const known = await prepared(options);
    const names = known.files.map(({ name }) => name);
    const text = readFileSync(join(folder, 'transactions-1.ndjson'));
    writeFileSync(join(folder, 'transactions-1.ndjson'), text);
    const { changed, preparation } = await recheck(known, names, options);
    expect(changed).toEqual([]);
    expect(preparation.files.map(({ sha256 }) => sha256)).toEqual(known.files.map(({ sha256 }) => sha256));

    writeFileSync(join(folder, 'transactions-2.ndjson'), '{"a":3}\n');
    writeFileSync(join(folder, 'transactions-4.ndjson'), '{"a":4}\n');
    const later = await recheck(known, [...names.slice(0, 2), 'transactions-4.ndjson'], options);
    expect(later.changed).toEqual([
      'transactions-3.ndjson was removed',
      'transactions-2.ndjson was changed',
      'transactions-4.ndjson was added',
    ]);
  });

  describe('of a damaged file', () => {
    const line = '{"external_account_number":"1","transaction_id":"a"}\n';

    it.each([
      ['cut off', (packed: Buffer) => packed.subarray(0, packed.length - 20)],
      [
        'with a wrong checksum',
        (packed: Buffer) => Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8, 1)]),
      ],
      ['followed by something else', (packed: Buffer) => Buffer.concat([packed, Buffer.from('more')])],
      ['that is not gzip', () => Buffer.from(line)],
      ['that is empty', () => Buffer.alloc(0)],
    ])('fails, naming a gzip file %s', async (_, damage) => {
      const folder = folderWith({});
      writeFileSync(join(folder, 'transactions.ndjson.gz'), damage(gzipSync(line.repeat(50_000))));
      const attempt = prepared(optionsFor(folder));
      await expect(attempt).rejects.toThrow(UnreadableInput);
      await expect(attempt).rejects.toThrow('transactions.ndjson.gz cannot be unpacked');
    });

    it('reads all members of a gzip file', async () => {
      const folder = folderWith({});
      writeFileSync(join(folder, 'transactions.ndjson.gz'), Buffer.concat([gzipSync(line), gzipSync(line)]));
      expect(await prepared(optionsFor(folder))).toMatchObject({ rows: 2 });
    });

    it('names a file that is packed without saying so, and one in UTF-16', async () => {
      const packed = folderWith({ 'transactions.ndjson': gzipSync(line) });
      await expect(prepared(optionsFor(packed))).rejects.toThrow('transactions.ndjson is packed with gzip');
      const wide = folderWith({ 'transactions.csv': Buffer.from(line, 'utf16le') });
      await expect(prepared(optionsFor(wide))).rejects.toThrow('transactions.csv is UTF-16');
    });

    it.each(['ndjson', 'csv'])(
      'gives a row of %s that is not UTF-8 and one that is too long as unreadable, and those around them',
      async (form) => {
        const good = form === 'csv' ? '1,a\n' : line;
        const header = form === 'csv' ? 'external_account_number,transaction_id\n' : '';
        const huge = form === 'csv' ? `1,${'x'.repeat(9_000_000)}\n` : `{"a":"${'x'.repeat(9_000_000)}"}\n`;
        const wrong = Buffer.concat([
          Buffer.from(good.slice(0, -2)),
          Buffer.from([0xff]),
          Buffer.from(good.slice(-2)),
        ]);
        const folder = folderWith({
          [`transactions.${form}`]: Buffer.concat([
            Buffer.from(header + good),
            wrong,
            Buffer.from(good),
            Buffer.from(huge),
            Buffer.from(good),
          ]),
        });
        for (const block of [1_000, 524_288, 12_000_000]) {
          const options = optionsFor(folder, { sizes: { block } });
          const rows = await collect(await prepared(options), options);
          expect(
            rows.map(({ error, origin }) => [origin.line - (form === 'csv' ? 1 : 0), error?.code]),
          ).toEqual([
            [1, undefined],
            [2, 'parse_error'],
            [3, undefined],
            [4, 'max_length'],
            [5, undefined],
          ]);
          expect(rows[1]?.raw.equals(wrong.subarray(0, -1))).toBe(true);
          expect(rows[3]?.raw.length).toBe(1_000);
        }
      },
    );
  });
});
