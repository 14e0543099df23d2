import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { readAccountFile, type FileFormat } from '../../../src/accounts/files/account-file.js';
import { newNumberProblem } from '../../../src/accounts/staging/new-number.js';
import { StagingRepository } from '../../../src/accounts/staging/staging.repository.js';
import type { AccountRecord, BadLine } from '../../../src/accounts/files/line-reading.js';
import { StagingService, type RepeatedLine } from '../../../src/accounts/staging/staging.service.js';
import type { CommandError } from '../../../src/infrastructure/errors/command-error.js';
import { unique } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

const { jest } = import.meta;

interface Row {
  external_account_number: string;
  status: string;
  open_statement_from: string | null;
  open_statement_to: string | null;
  account: string | null;
}

interface Staged {
  staged: number;
  replaced: number;
  skipped: number;
  skippedNumbers: string[];
  repeated: RepeatedLine[];
  errors: BadLine[];
}

async function itemsOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

describe('staging', () => {
  const service = setUp(sharedService);

  /** @param meanwhile runs whenever all content is read, before the end of the file */
  const stage = async (
    code: string,
    content: string,
    format: FileFormat = 'ndjson',
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Staged> => {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      const bytes = Buffer.from(content);
      yield bytes.subarray(0, bytes.length / 2);
      yield bytes.subarray(bytes.length / 2);
      await meanwhile();
    };
    const { staged, replaced, skipped, skippedNumbers, repeated, badLines } = await service.app
      .get(StagingService, { strict: false })
      .stage(code, (lines) => readAccountFile(format, { name: 'lines', bytes: chunks() }, lines), {
        operator: 'test',
        interrupted: new AbortController().signal,
      });
    const lists = { repeated: await itemsOf(repeated.drain()), errors: await itemsOf(badLines.drain()) };
    return { staged, replaced, skipped, skippedNumbers, ...lists };
  };
  const rowsOf = (code: string): Promise<Row[]> =>
    service.database.sql<Row>(
      `SELECT a.external_account_number, a.status, a.open_statement_from::text, a.open_statement_to::text,
              a.account::text
         FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 ORDER BY a.external_account_number`,
      [code],
    );
  const lineOf = (number: string): string => JSON.stringify({ external_account_number: number });

  it('keeps every digit of an account (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const digits = `{"a": 12345678901234567890.10, "b": 1e-16383, "c": 1e131071}`;
    await stage(supplier, `{"external_account_number":"A","account":${digits}}\n`);
    const [row] = await rowsOf(supplier);
    const [expected] = await service.database.sql<{ text: string }>('SELECT $1::jsonb::text AS text', [
      digits,
    ]);
    expect(row!.account).toBe(expected!.text);
  });

  it('stages any content exactly, and counts each line once (S7)', async () => {
    const day = fc.constantFrom('2024-01-01', '2024-12-31');
    const storable = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
    const record = fc.record(
      {
        external_account_number: fc.oneof(
          fc.constantFrom('A', 'B', 'C'),
          storable.filter(
            (externalAccountNumber) =>
              externalAccountNumber !== '' && !newNumberProblem({ externalAccountNumber } as AccountRecord),
          ),
        ),
        open_statement_from: fc.constant('2023-01-01'),
        open_statement_to: day,
        account: fc.dictionary(
          storable,
          fc.oneof(storable, fc.integer(), fc.constant(null), fc.array(storable)),
        ),
      },
      { requiredKeys: ['external_account_number'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(record, fc.constant('bad')), { maxLength: 40 }), async (records) => {
        const { supplier } = await service.given.supplier();
        const outcome = await stage(supplier, records.map((one) => `${JSON.stringify(one)}\n\n`).join(''));
        const good = records.filter((one) => typeof one !== 'string');
        const numbers = [...new Set(good.map((one) => one.external_account_number))];
        const groups = numbers
          .map((number) => good.filter((one) => one.external_account_number === number))
          .filter((all) => all.every((one) => isDeepStrictEqual({ ...one }, { ...all[0] })));
        const repeats = groups.reduce((sum, all) => sum + all.length - 1, 0);
        expect({ ...outcome, errors: outcome.errors.length, repeated: outcome.repeated.length }).toEqual({
          staged: groups.length,
          replaced: 0,
          skipped: repeats,
          skippedNumbers: [],
          repeated: repeats,
          errors: records.length - groups.length - repeats,
        });
        const rows = await rowsOf(supplier);
        expect(
          new Map(rows.map((row) => [row.external_account_number, row.account && JSON.parse(row.account)])),
        ).toEqual(new Map(groups.map(([one]) => [one!.external_account_number, one!.account ?? null])));
      }),
      { numRuns: 15 },
    );
  });

  it('replaces pending and failed records and skips imported ones, even when a number is repeated (S7)', async () => {
    const { supplier, ...world } = await service.given.supplier();
    const imported = await service.given.importedAccount({ world: { ...world, supplier } });
    const failed = await service.given.stagedAccount({ ...world, supplier });
    await service.database.sql(
      `UPDATE account_import SET status = 'failed', failure = 'No.' WHERE external_account_number = $1`,
      [failed.ref.external_account_number],
    );
    const numbers = [imported, imported, failed, failed].map(({ ref }) => ref.external_account_number);
    const outcome = await stage(supplier, [...numbers, 'new', 'new', 'new'].map(lineOf).join('\n'));
    const skippedNumbers = [imported.ref.external_account_number];
    const repeated = [
      [2, 1],
      [4, 3],
      [6, 5],
      [7, 5],
    ].map(([line, first_line]) => ({ line, first_line }));
    expect(outcome).toEqual({ staged: 1, replaced: 1, skipped: 5, skippedNumbers, repeated, errors: [] });
    const states = (await rowsOf(supplier)).map(({ status }) => status).sort();
    expect(states).toEqual(['imported', 'pending', 'pending']);
  });

  it('keeps nothing of a replaced record, and does not touch that of another supplier (S7)', async () => {
    const [one, other] = [await service.given.supplier(), await service.given.supplier()];
    const record = { external_account_number: 'A', account: { version: 1 } };
    const period = { open_statement_from: '2024-01-01', open_statement_to: '2024-06-30' };
    for (const { supplier } of [one, other]) await stage(supplier, JSON.stringify({ ...record, ...period }));
    await service.database.sql(
      `UPDATE account_import a
          SET status = 'failed', failure = 'No.', failed_at = '2024-07-01', staged_at = '2024-06-01'
         FROM import_supplier s
        WHERE s.id = a.import_supplier_id AND s.code = ANY ($1)`,
      [[one.supplier, other.supplier]],
    );
    const lifeOf = (code: string): Promise<object[]> =>
      service.database.sql(
        `SELECT a.failure, a.failed_at IS NULL AS "isWithoutFailure", a.staged_at > '2024-06-01' AS "isStagedAnew"
           FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
          WHERE s.code = $1`,
        [code],
      );
    await stage(one.supplier, '{"external_account_number":"A","open_statement_from":"2025-01-01"}');
    expect(await rowsOf(one.supplier)).toEqual([
      {
        external_account_number: 'A',
        status: 'pending',
        open_statement_from: '2025-01-01',
        open_statement_to: null,
        account: null,
      },
    ]);
    expect(await lifeOf(one.supplier)).toEqual([
      { failure: null, isWithoutFailure: true, isStagedAnew: true },
    ]);
    expect(await rowsOf(other.supplier)).toEqual([
      { ...record, ...period, status: 'failed', account: '{"version": 1}' },
    ]);
    expect(await lifeOf(other.supplier)).toEqual([
      { failure: 'No.', isWithoutFailure: false, isStagedAnew: false },
    ]);
  });

  it('names the first twenty of its own accounts that it skips, byte by byte (S7)', async () => {
    const [world, other] = [await service.given.supplier(), await service.given.supplier()];
    // U+FF5E sorts before U+1F600 in bytes, but after it in JavaScript's code units.
    const numbers = [...Array.from({ length: 18 }, (_one, index) => `${index + 10}`), '～', '😀', '😁'];
    await service.given.importedAccounts(world, numbers);
    await service.given.importedAccount({ world: other, number: '00' });
    const { staged, skipped, skippedNumbers } = await stage(
      world.supplier,
      [...numbers, '00'].reverse().map(lineOf).join('\n'),
    );
    expect({ staged, skipped }).toEqual({ staged: 1, skipped: 21 });
    expect(skippedNumbers).toEqual(numbers.slice(0, 20));
  });

  it('stores the special characters of COPY, whether it inserts or merges (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const numbers = ['\\.', '\\N', 'a\tb', 'a\nb', 'a\rb'];
    const content = numbers.map(lineOf).join('\n');
    for (const replaced of [0, numbers.length]) {
      expect(await stage(supplier, content)).toMatchObject({ staged: numbers.length - replaced, replaced });
      expect((await rowsOf(supplier)).map((row) => row.external_account_number)).toEqual(numbers);
    }
  });

  const line = (number: string, more = ''): string => `{"external_account_number":"${number}"${more}}`;

  /** `line = other line` for lines of the same content, `line ≠ other line` for those that differ. */
  const repeatsOf = ({ repeated, errors }: Staged): string[] => [
    ...repeated.map(({ line: at, first_line: first }) => `${at} = ${first}`),
    ...errors
      .filter(({ code }) => code === 'duplicate_external_account_numbers')
      .map(({ line: at, detail }) => `${at} ≠ ${/Line (\d+)/.exec(detail)?.[1]}`),
  ];

  it.each([
    ['numbers in other letters', [line('A'), line('a')], []],
    ['two of one content', [line('A'), line('B'), '', line('\\u0041')], ['4 = 1']],
    [
      'three of which two are the same',
      [line('A'), line('A'), line('A', ',"account":{}')],
      ['1 ≠ 3', '2 ≠ 1', '3 ≠ 1'],
    ],
    ['a line that is bad anyway', [line('A'), line('A', ',"open_statement_from":"x"')], []],
    [
      'a NUL character',
      [line('A\\u0000'), line('A\\u0000'), line('A'), line('A', ',"account":{"a":"\\u0000"}')],
      [],
    ],
    [
      'a lone surrogate',
      [line('\\ud800'), line('\\ufffd'), line('A'), line('A', ',"account":{"a":"\\ud800"}')],
      [],
    ],
    ['a number that is too wide', [line('A'), line('A', ',"account":{"a":1e131072}')], []],
    ['other days', [line('A'), line('A', ',"open_statement_to":"2024-01-01"')], ['1 ≠ 2', '2 ≠ 1']],
    ['other control totals', [line('A'), line('A', ',"control":{"notes":1}')], ['1 ≠ 2', '2 ≠ 1']],
    [
      'control totals that are stored alike',
      ['1.50', '15e-1'].map((amount) => line('A', `,"control":{"transactions":{"amount":${amount}}}`)),
      ['2 = 1'],
    ],
    [
      'accounts that are stored alike',
      [
        line('A', String.raw`,"account":{"a":1.50,"b":"é","c":[1e2,{"d":-0.0,"e":3}]}`),
        line('A', String.raw`, "account" : {"b":"\u00e9","a":1,"c":[100,{"e":3.0,"d":0}],"a":15e-1}`),
      ],
      ['2 = 1'],
    ],
    ...[
      ['numbers that a double rounds', '12345678901234567890', '12345678901234567891'],
      ['a number and a text', '1', '"1"'],
      ['the order of a list', '[1,2]', '[2,1]'],
    ].map(([name, ...values]): [string, string[], string[]] => [
      name!,
      values.map((value) => line('A', `,"account":{"a":${value}}`)),
      ['1 ≠ 2', '2 ≠ 1'],
    ]),
    [
      'rows of a table',
      ['external_account_number,name', '1,Ann', '"1","Ann"', '2,"a\nb"', '2,"a\nb"', '3,x', '3,'],
      ['3 = 2', '6 = 4', '8 ≠ 9', '9 ≠ 8'],
    ],
  ])('compares %s (S7)', async (_name, lines, expected) => {
    const { supplier } = await service.given.supplier();
    const format = lines[0]!.startsWith('{') ? 'ndjson' : 'csv';
    expect(repeatsOf(await stage(supplier, lines.join('\n'), format))).toEqual(expected);
  });

  it('stages no number that is in the file with other content, however many there are (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const numbers = ['same', 'differs', 'differs at the end'];
    const lines = Array.from({ length: 24_000 }, (_, index) =>
      line(
        numbers[index % 3]!,
        `,"account":{"version":${index % 3 === 1 ? index : Number(index === 23_999)}}`,
      ),
    );
    const outcome = await stage(supplier, lines.join('\n'));
    const others = [...lines.keys()].slice(1).flatMap((index) => {
      const first = (index % 3) + 1;
      return index + 1 > first ? [`${index + 1} ${first === 1 ? '=' : '≠'} ${first}`] : [];
    });
    const expected = ['2 ≠ 5', '3 ≠ 24000', ...others];
    expect({ ...outcome, repeated: repeatsOf(outcome).sort(), errors: [] }).toEqual({
      ...{ staged: 1, replaced: 0, skipped: 7_999, skippedNumbers: [], errors: [] },
      repeated: expected.sort(),
    });
    expect((await rowsOf(supplier)).map((row) => row.external_account_number)).toEqual(['same']);
  });

  it('rejects a number that a spreadsheet or editor has changed, unless it is stored already (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const numbers = [' A', '\u200BA', '="1"', '4.5E+15', 'external_account_number'];
    const [stored] = await service.database.sql<{ id: string }>(
      'SELECT id FROM import_supplier WHERE code = $1',
      [supplier],
    );
    const content = [...numbers, 'A'].map(lineOf).join('\n');
    expect(await stage(supplier, content)).toMatchObject({
      staged: 1,
      errors: numbers.map((_, index) => ({ line: index + 1, code: 'invalid' })),
    });
    await service.database.sql(
      'INSERT INTO account_import (import_supplier_id, external_account_number) SELECT $1, unnest($2::text[])',
      [stored!.id, numbers.slice(1)],
    );
    expect(await stage(supplier, content)).toMatchObject({
      staged: 0,
      replaced: 5,
      errors: [{ line: 1, code: 'invalid' }],
    });
  });

  it('rejects rows that repeat the header of a CSV file (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const rows = [
      'external_account_number,name',
      '1,first part',
      'external_account_number,name',
      '2,second part',
      '\uFEFF"external_account_number","name"',
      '"External_Account_Number",name\r',
      'name,external_account_number',
      '3,third part',
    ];
    const { staged, errors } = await stage(supplier, rows.join('\n'), 'csv');
    expect(staged).toBe(3);
    expect(errors).toEqual(
      [3, 5, 6, 7].map((line) => ({ line, code: 'invalid', detail: 'The line repeats the header.' })),
    );
  });

  it('stores a batch once whose last account is known already (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const numbers = Array.from({ length: 3_000 }, (_, index) => String(index).padStart(6, '0'));
    await stage(supplier, [numbers.at(-1)!, numbers.at(-2)!].map(lineOf).join('\n'));
    const { staged, replaced } = await stage(supplier, numbers.map(lineOf).join('\n'));
    expect({ staged, replaced }).toEqual({ staged: 2_998, replaced: 2 });
    expect((await rowsOf(supplier)).map((row) => row.external_account_number)).toEqual(numbers);
  });

  it('stages CSV (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const content =
      'external_account_number,open_statement_from,name\r\nA,2024-01-01,"Ann, ""A"""\r\n,2024-01-01,x\r\nB,,\r\n';
    const { staged, errors } = await stage(supplier, content, 'csv');
    expect(staged).toBe(2);
    expect(errors.map(({ line, code }) => [line, code])).toEqual([[3, 'required']]);
    expect((await rowsOf(supplier)).map(({ account, open_statement_from: from }) => [from, account])).toEqual(
      [
        ['2024-01-01', '{"name": "Ann, \\"A\\""}'],
        [null, null],
      ],
    );
  });

  it('stages the same accounts from two sides at once (S7)', async () => {
    const { supplier } = await service.given.supplier();
    const numbers = Array.from({ length: 25_000 }, (_, index) => String(index).padStart(6, '0'));
    const outcomes = await Promise.all([
      stage(supplier, numbers.map(lineOf).join('\n')),
      stage(supplier, numbers.reverse().map(lineOf).join('\n')),
    ]);
    expect(outcomes.map(({ staged, replaced }) => staged + replaced)).toEqual([25_000, 25_000]);
    expect(outcomes.reduce((sum, { staged }) => sum + staged, 0)).toBe(25_000);
  });

  it.each(['paused', 'complete'])('is refused while the supplier is %s (S2)', async (status) => {
    const { supplier } = await service.given.supplier({ status });
    const refusal = await stage(supplier, lineOf('A')).catch((error: unknown) => error as CommandError);
    expect(refusal).toMatchObject({ code: 'import_supplier_migration_not_ongoing' });
    expect(await rowsOf(supplier)).toEqual([]);
    await expect(stage(supplier, '')).rejects.toMatchObject({
      code: 'import_supplier_migration_not_ongoing',
    });
  });

  it('is refused when the supplier is paused before a batch is inserted or merged (S2)', async () => {
    const { supplier } = await service.given.supplier();
    const set = (status: string): Promise<unknown> =>
      service.database.sql('UPDATE import_supplier SET status = $2 WHERE code = $1', [supplier, status]);
    const refusal = { code: 'import_supplier_migration_not_ongoing' };
    await expect(stage(supplier, lineOf('A'), 'ndjson', () => set('paused'))).rejects.toMatchObject(refusal);
    expect(await rowsOf(supplier)).toEqual([]);

    await set('ongoing');
    await stage(supplier, lineOf('A'));
    const before = await rowsOf(supplier);
    const repository = service.app.get(StagingRepository, { strict: false });
    const insert = repository.insert.bind(repository);
    jest
      .spyOn(repository, 'insert')
      .mockImplementationOnce((...args) => insert(...args).finally(() => set('paused')));
    const known = stage(supplier, '{"external_account_number":"A","account":{}}');
    await expect(known).rejects.toMatchObject(refusal);
    expect(await rowsOf(supplier)).toEqual(before);
    jest.restoreAllMocks();
  });

  it('is refused for a supplier that does not exist', async () => {
    await expect(stage(unique('NOBODY'), lineOf('A'))).rejects.toMatchObject({ code: 'supplier_not_found' });
  });
});
