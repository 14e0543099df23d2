import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AccountContent } from '@data-import/client';
import { NO_MAPPING } from '@data-import/files';
import { accountsOf, Away, folderOf, line, sourceOf, type Item } from '../../test/support/compared.js';
import { folderWith, removeFolders } from '../../../../test/support/folders.js';
import { runs } from '../../../../test/support/runs.js';
import { groupDifferences } from '../report/groups.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { SYSTEM_CLOCK } from '../common/clock.js';
import { Compared, type Omitted } from './compared.js';
import { compareAll } from './comparing.js';
import { accountLine, sha256 } from './digests.js';
import { ensureEntries } from './entries-file.js';
import { inputFiles } from './input.js';
import { nameDifferences } from './naming.js';
import { differing, type PlacedDifference, type Tally } from './result.js';

interface Result {
  readonly accounts: Tally;
  readonly rows: Tally;
  readonly differences: readonly PlacedDifference[];
  readonly omitted: readonly Omitted[];
  readonly digest: string;
  readonly serviceDigest: string;
}

/** Compare folders with a service, with an interruption after every few accounts. */
async function compare(
  folders: readonly string[],
  accounts: readonly AccountContent[],
  { breaksAfter = Infinity, kinds = KINDS }: { breaksAfter?: number; kinds?: readonly Kind[] } = {},
): Promise<Result> {
  const workFolder = folderWith({});
  const mapping = { of: () => NO_MAPPING, text: () => '' };
  const { signal } = new AbortController();
  for (;;) {
    const files = await inputFiles(folders, kinds);
    const sizes = { run: 300, merged: 2, block: 64 };
    const { path } = await ensureEntries(files, { folders, workFolder, mapping, sizes });
    const options = { status: 'paused', isNew: false, clock: SYSTEM_CLOCK };
    const compared = await Compared.open(workFolder, 'target', options);
    try {
      await compareAll({
        entries: path,
        kinds,
        concurrency: 3,
        source: sourceOf(accounts, breaksAfter),
        compared,
        signal,
        progress: () => undefined,
      });
      const differences = await nameDifferences(compared, files, { mappingOf: () => NO_MAPPING, signal });
      const { files: digest, service: serviceDigest } = compared.supplierDigests();
      const { accounts: tally, rows, omitted } = compared;
      return {
        accounts: tally,
        rows,
        differences,
        omitted: [...omitted.values()],
        digest,
        serviceDigest,
      };
    } catch (error) {
      if (!(error instanceof Away)) throw error;
    } finally {
      await compared.close();
    }
  }
}

const idOf = ({ kind, account, fields }: Item): string =>
  JSON.stringify([
    kind,
    account,
    'transaction_id' in fields ? fields.transaction_id : (fields as { body?: string }).body,
  ]);

/** The expected differences. They are found without sorting, digests and files: everything is compared with everything. */
function naive(files: readonly Item[], service: readonly Item[]): Record<string, number> {
  const counts = { matched: 0, different: 0, missing: 0, unexpected: 0 };
  const left = [...service];
  const rest: Item[] = [];
  for (const [index, item] of files.entries()) {
    const isSame = (other: Item): boolean => line(other) === line(item) && other.kind === item.kind;
    const at = left.findIndex(isSame);
    if (at >= 0) {
      left.splice(at, 1);
      counts.matched += 1;
    } else if (!files.slice(0, index).some(isSame)) rest.push(item);
  }
  for (const item of rest) {
    const at = left.findIndex((other) => idOf(other) === idOf(item));
    if (at >= 0) left.splice(at, 1);
    if (service.some((other) => idOf(other) === idOf(item))) counts.different += 1;
    else counts.missing += 1;
  }
  counts.unexpected = left.length;
  return counts;
}

const NUMBERS = ['1', '10', '2', 'A/1 "ü"', '\uFFFD', '😀', 'Z'];

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({
    kind: fc.constant('transactions' as const),
    account: fc.constantFrom(...NUMBERS),
    fields: fc.record({ amount: fc.constantFrom(1, 2.5), transaction_id: fc.constantFrom('a', 'b', 'c') }),
  }),
  fc.record({
    kind: fc.constant('notes' as const),
    account: fc.constantFrom(...NUMBERS),
    fields: fc
      .record({
        body: fc.constantFrom('x', 'y'),
        unpin_at: fc.constantFrom('2026-01-01T00:00:00Z', undefined),
      })
      .map(({ body, unpin_at: end }) => ({ body, ...(end !== undefined && { unpin_at: end }) })),
  }),
);

describe('the entries of files', () => {
  it('are not there when reading fails or is stopped (V9)', async () => {
    const mapping = { of: () => NO_MAPPING, text: () => '' };
    const items = Array.from({ length: 50 }, (_, at) => String(at));
    const note = { kind: 'notes', fields: { body: 'x' } } as const;
    const folders = [folderOf(items.map((account) => ({ ...note, account })))];
    const files = await inputFiles(folders, KINDS);
    const workFolder = folderWith({});
    const stop = new AbortController();
    const options = { folders, workFolder, mapping, sizes: { run: 300, merged: 2, block: 64 } };
    const replaced = new Set([1_000]);
    const lost = ensureEntries(
      files.map((file) => ({ ...file, replaced })),
      options,
    );
    await expect(lost).rejects.toThrow('1 lines that corrected/notes.replaces.csv names are no rows of it');
    expect(readdirSync(workFolder)).toEqual([]);
    const progress = (): void => {
      stop.abort(new Away());
    };
    await expect(ensureEntries(files, { ...options, signal: stop.signal, progress })).rejects.toThrow(Away);
    expect(readdirSync(workFolder)).toEqual([]);
  });
});

describe('comparing files with the service', () => {
  it('finds what comparing everything with everything finds, in any order, interrupted or not (V9)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 25 }),
        fc.array(item, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(25),
        async (files, others, removed, breaksAfter, cut) => {
          const gone = new Set(removed.map((index) => index % Math.max(files.length, 1)));
          const service = [...files.filter((_item, index) => !gone.has(index)), ...others];
          const numbers = [...new Set([...service.map(({ account }) => account), '2', 'empty'])];
          const folders = [folderOf(files.slice(0, cut)), folderOf(files.slice(cut))];
          // Folders come one after the other, and within a folder the kinds.
          const expected = naive(files, service);
          const { rows, accounts, differences, digest, serviceDigest } = await compare(
            folders,
            accountsOf(numbers, service),
            { breaksAfter },
          );
          expect(rows).toEqual(expected);
          expect(differences.length).toBe(differing(rows));
          expect(digest === serviceDigest).toBe(differing(rows) === 0);
          const all = new Set([...numbers, ...files.map(({ account }) => account)]).size;
          expect(accounts.matched + differing(accounts)).toBe(all);
          for (const { problem, file, line: number, fields } of differences) {
            expect([file === null, number === null]).toEqual([
              problem === 'unexpected',
              problem === 'unexpected',
            ]);
            expect(fields.length > 0).toBe(problem === 'different');
          }
          removeFolders();
        },
      ),
      { numRuns: runs(10) },
    );
  });
});

const tx = (account: string, id: string, more: object = {}): Item => ({
  kind: 'transactions',
  account,
  fields: { transaction_id: id, ...more },
});

const note = (body: string, more: object = {}): Item => ({
  kind: 'notes',
  account: '1',
  fields: { body, ...more },
});

const T = '2026-01-02T03:04:05Z';

async function problems(files: readonly Item[], service: readonly Item[]): Promise<unknown[]> {
  const { differences } = await compare([folderOf(files)], accountsOf(['1', '2'], service));
  return differences.map(({ problem, key, line: number, fields }) => [problem, key, number, ...fields]);
}

describe('a difference', () => {
  it.each<[string, Item[], Item[], unknown[]]>([
    [
      'names fields with their path',
      [tx('1', 'a', { amount: 1, tax_items: [{ rate: 0.05 }, { rate: 0.1 }], note: 'n' })],
      [tx('1', 'a', { amount: 1.01, tax_items: [{ rate: 0.05 }, { rate: 0.1000000001 }] })],
      [['different', 'a', 1, 'amount', 'note', 'tax_items.1.rate']],
    ],
    ['is none where rows repeat each other', [tx('1', 'a'), tx('1', 'a')], [tx('1', 'a')], []],
    [
      'is none where the service stored a repeat again',
      [tx('1', 'a'), tx('1', 'a')],
      [tx('1', 'a'), tx('1', 'a')],
      [],
    ],
    [
      'is a row that the service has once more than the files',
      [tx('1', 'a')],
      [tx('1', 'a'), tx('1', 'a')],
      [['unexpected', 'a', null]],
    ],
    [
      'is a later row with the same key and other content',
      [tx('1', 'a', { amount: 1 }), tx('1', 'a', { amount: 2 })],
      [tx('1', 'a', { amount: 1 })],
      [['different', 'a', 2, 'amount']],
    ],
    [
      'is the earlier row where the service has the later one',
      [tx('1', 'a', { amount: 1 }), tx('1', 'a', { amount: 2 })],
      [tx('1', 'a', { amount: 2 })],
      [['different', 'a', 1, 'amount']],
    ],
    [
      'of a note is its pin',
      [note('x')],
      [note('x', { is_pinned: true })],
      [['different', 'x', 1, 'is_pinned']],
    ],
    [
      'of a note is its date-time',
      [note('x', { created_at: T })],
      [note('x')],
      [['different', 'x', 1, 'created_at']],
    ],
    [
      'of a note whose body changed are two',
      [note('x'.repeat(50))],
      [note(`${'x'.repeat(49)}y`)],
      [
        ['missing', 'x'.repeat(40), 1],
        ['unexpected', 'x'.repeat(40), null],
      ],
    ],
    [
      'is no note without date-time behind one of the same content',
      [note('x', { created_at: T }), note('x')],
      [note('x', { created_at: T })],
      [],
    ],
    [
      'is none where the service had such notes in the other order',
      [note('x', { created_at: T }), note('x')],
      [note('x', { created_at: T }), note('x')],
      [],
    ],
    [
      'is a note without date-time behind one of other content',
      [note('x', { created_at: T, is_pinned: true }), note('x')],
      [note('x', { created_at: T, is_pinned: true })],
      [['different', 'x', 2, 'created_at', 'is_pinned']],
    ],
    [
      'is two rows that changed their accounts',
      [tx('1', 'a'), tx('2', 'b')],
      [tx('2', 'a'), tx('1', 'b')],
      [
        ['missing', 'a', 1],
        ['unexpected', 'b', null],
        ['missing', 'b', 2],
        ['unexpected', 'a', null],
      ],
    ],
  ])('%s (V9)', async (_title, files, service, expected) => {
    expect(await problems(files, service)).toEqual(expected);
  });

  it('is a row that cannot be read, with its line (V9)', async () => {
    const folder = folderWith({
      'transactions.ndjson': `${line(tx('1', 'a'))}{"external_account_number":"1",\n{\n`,
    });
    const { rows, accounts, differences, digest, serviceDigest } = await compare(
      [folder],
      accountsOf(['1'], [tx('1', 'a')]),
    );
    expect(rows).toEqual({ matched: 1, different: 0, missing: 2, unexpected: 0 });
    expect(accounts).toEqual({ matched: 1, different: 0, missing: 0, unexpected: 0 });
    expect(differences).toEqual(
      [2, 3].map((number) => ({
        external_account_number: '',
        kind: 'transactions',
        key: '',
        file: 'transactions.ndjson',
        line: number,
        problem: 'missing',
        fields: [],
      })),
    );
    expect(digest).not.toBe(serviceDigest);
  });

  it('is named a thousand times and counted beyond (V9)', async () => {
    const files = Array.from({ length: 700 }, (_, index) => tx(`a${index}`, 'x'));
    const service = Array.from({ length: 700 }, (_, index) => tx(`b${index}`, 'x'));
    const numbers = service.map(({ account }) => account);
    const found = await compare([folderOf(files)], accountsOf(numbers, service));
    const { rows, accounts, differences, omitted } = found;
    expect(rows).toEqual({ matched: 0, different: 0, missing: 700, unexpected: 700 });
    expect(accounts).toEqual(rows);
    expect(differences).toHaveLength(1_000);
    expect(omitted).toEqual([['transactions', 'unexpected', 400]]);
    const groups = groupDifferences(differences, ['transactions.ndjson'], omitted);
    expect(groups.map(({ code, count, first }) => [code, count, first?.line])).toEqual([
      ['missing', 700, 1],
      ['unexpected', 700, undefined],
    ]);
  });

  it('is looked for only in the kinds that are compared', async () => {
    const folder = folderOf([tx('1', 'a'), note('x')]);
    const compared = await compare([folder], accountsOf(['1'], [tx('1', 'b'), note('x')]), {
      kinds: ['notes'],
    });
    expect(compared.rows).toEqual({ matched: 1, different: 0, missing: 0, unexpected: 0 });
  });

  it('of an answer that contradicts itself is an error', async () => {
    const [account] = accountsOf(['1'], [tx('1', 'a')]);
    if (!account) throw new Error('There is no account.');
    const { transactions } = account;
    const wrong = { ...account, transactions: { ...transactions, digest: '0'.repeat(64) } };
    await expect(compare([folderOf([tx('1', 'a')])], [wrong])).rejects.toThrow('contradicts itself');
  });
});

describe('a comparison that is interrupted', () => {
  const items = [
    tx('1', 'a'),
    ...[1, 2].map((amount) => tx('2', 'ü😀', { amount })),
    { ...note('x'), account: '3' },
  ];
  const service = accountsOf(['1', '2', '3'], [tx('1', 'b'), tx('2', 'ü😀', { amount: 3 })]);
  const mapping = { of: () => NO_MAPPING, text: () => '' };
  const options = { status: 'paused', isNew: false, clock: { ...SYSTEM_CLOCK, now: () => 0 } };

  it('goes on from whatever its file ends with, and counts no account twice (V9)', async () => {
    const folders = [folderOf(items)];
    const workFolder = folderWith({});
    const files = await inputFiles(folders, KINDS);
    const { path } = await ensureEntries(files, { folders, workFolder, mapping });
    const run = async (): Promise<unknown> => {
      const compared = await Compared.open(workFolder, 'target', options);
      const about = { entries: path, kinds: KINDS, concurrency: 2, progress: () => undefined };
      const { signal } = new AbortController();
      await compareAll({ ...about, source: sourceOf(service), compared, signal });
      const differences = await nameDifferences(compared, files, { mappingOf: mapping.of, signal });
      await compared.close();
      const { accounts, rows } = compared;
      return { accounts, rows, differences, digests: compared.supplierDigests() };
    };
    const whole = await run();
    expect(whole).toMatchObject({ rows: { matched: 0, different: 2, missing: 2, unexpected: 1 } });
    const file = join(workFolder, 'compared-target');
    const bytes = readFileSync(file);
    // The step does not divide the length of any record, so the cuts fall on every part of one.
    for (let length = 0; length <= bytes.length; length += 17) {
      // A machine that loses power can leave zeros after the complete records.
      for (const zeros of length % 2 === 0 ? [0, 40] : [0]) {
        writeFileSync(file, Buffer.concat([bytes.subarray(0, length), Buffer.alloc(zeros)]));
        expect({ length, zeros, ...((await run()) as object) }).toEqual({
          length,
          zeros,
          ...(whole as object),
        });
        expect(readFileSync(file).equals(bytes)).toBe(true);
      }
    }
  });
});

it('the digest of all accounts is that of their lines (V4)', async () => {
  const service = accountsOf(['1', '2'], [tx('1', 'a')]);
  const { digest } = await compare([folderOf([tx('1', 'a')])], service);
  expect(digest).toBe(
    sha256(
      service.map(({ external_account_number: number, digest: one }) => accountLine(number, one)).join(''),
    ),
  );
});
