import { join } from 'node:path';
import fc from 'fast-check';
import type { ReadRow } from '@data-import/files';
import { folderWith, removeFolders } from '../../../../test/support/folders.js';
import { runs } from '../../../../test/support/runs.js';
import { Intervals } from './intervals.js';
import { prepareRows } from './join.js';
import { collect } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';

const KIND = 'transactions';

const VALUE = { column: 'value', amount: {} };

const LISTS = {
  line_items: { from: 'LINES*', key: { no: 'no' }, fields: { net_amount: VALUE } },
  tax_items: { from: 'TAXES*', key: { no: 'no' }, fields: { amount: VALUE } },
};

const MAPPING = parseMapping(
  JSON.stringify({
    files: [
      {
        match: 'CHARGES*',
        kind: KIND,
        fields: { external_account_number: 'acc', amount: VALUE, note: 'text', ...LISTS },
        ignore: ['no'],
      },
    ],
  }),
  'mapping.json',
).of(KIND);

const VALUE_FIELD = { CHARGES: 'amount', LINES: 'net_amount', TAXES: 'amount' } as const;
const LIST = { LINES: 'line_items', TAXES: 'tax_items' } as const;

/** A record of any of the files. */
interface Written {
  readonly file: string;
  /** The key; empty if the record has none. */
  readonly key: string;
  /** The text of a number, or another text if the value must be unreadable. */
  readonly value: string;
  readonly account: string;
  readonly text: string;
}

const written: fc.Arbitrary<Written> = fc.record({
  file: fc.constantFrom('CHARGES-1', 'CHARGES-2', 'LINES-1', 'LINES-2', 'TAXES-1'),
  key: fc.constantFrom('', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9', 'Cé', ' C1 '),
  value: fc.oneof({ arbitrary: fc.integer({ min: -99, max: 99 }).map(String), weight: 9 }, fc.constant('?')),
  account: fc.constantFrom('A', 'B', '\u{1F600}', '\uE000', 'AB'),
  text: fc.constantFrom('', 'two\nlines', 'a "quote"'),
});

/** A record and its place. */
interface Placed extends Written {
  readonly kind: keyof typeof VALUE_FIELD;
  readonly name: string;
  readonly line: number;
}

/** Write records into their files. */
function write(
  records: readonly Written[],
  form: 'csv' | 'ndjson',
): { files: Record<string, string>; placed: Placed[] } {
  const empty = form === 'csv' ? 'no,value\n' : '';
  const files: Record<string, string> = { [`LINES-1.${form}`]: empty, [`TAXES-1.${form}`]: empty };
  const placed = records.map((record): Placed => {
    const { file, key, value, account, text } = record;
    const name = `${file}.${form}`;
    const kind = file.slice(0, -2) as Placed['kind'];
    const isRow = kind === 'CHARGES';
    const before = (files[name] ??= form === 'ndjson' ? '' : isRow ? 'no,value,acc,text\n' : 'no,value\n');
    const cells = [key, value, ...(isRow ? [account, text] : [])];
    const members = { no: key, value: value === '?' ? value : Number(value) };
    const json = JSON.stringify(isRow ? { ...members, acc: account, ...(text !== '' && { text }) } : members);
    files[name] +=
      `${form === 'csv' ? cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join() : json}\n`;
    return { ...record, kind, name, line: before.split('\n').length };
  });
  return { files, placed };
}

/** The expected result of joining records, by place: the item that is sent, or the code and path of the error. */
function expected(placed: readonly Placed[]): Record<string, unknown> {
  const order = [...placed].sort((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : one.line - other.line,
  );
  const keyOf = ({ key }: Placed): string => key.trim();
  const rows = order.filter(({ kind }) => kind === 'CHARGES');
  const result: Record<string, unknown> = {};
  for (const row of rows) {
    const same = keyOf(row) === '' ? [row] : rows.filter((other) => keyOf(other) === keyOf(row));
    const item: Record<string, unknown> = {
      account: row.account,
      amount: Number(row.value),
      ...(row.text !== '' && { note: row.text }),
    };
    let error = row.value === '?' ? 'amount' : undefined;
    for (const kind of ['LINES', 'TAXES'] as const) {
      const parts =
        keyOf(row) === '' ? [] : order.filter((part) => part.kind === kind && keyOf(part) === keyOf(row));
      if (parts.length > 0)
        item[LIST[kind]] = parts.map(({ value }) => ({ [VALUE_FIELD[kind]]: Number(value) }));
      const bad = parts.findIndex(({ value }) => value === '?');
      const at = parts[bad];
      if (at) error ??= `${LIST[kind]}.${bad}.${VALUE_FIELD[kind]} ${at.name}:${at.line}`;
    }
    result[`${row.name}:${row.line}`] = same.length > 1 ? 'repeated_key' : (error ?? item);
  }
  for (const part of order) {
    if (part.kind === 'CHARGES') continue;
    const isOrphan = keyOf(part) === '' || !rows.some((row) => keyOf(row) === keyOf(part));
    if (isOrphan)
      result[`${part.name}:${part.line}`] =
        keyOf(part) === '' && part.value === '?' ? VALUE_FIELD[part.kind] : 'no_parent_row';
  }
  return result;
}

function found(rows: readonly ReadRow[]): Record<string, unknown> {
  const entries = rows.map((row): [string, unknown] => {
    const { origin, account } = row;
    const place = `${origin.file}:${origin.line}`;
    if (!row.error) return [place, { account, ...(JSON.parse(row.item) as object) }];
    const { code, attr, detail } = row.error;
    const where = /^(\S+:\d+): /.exec(detail)?.[1];
    return [place, code === 'invalid' ? [attr, ...(where === undefined ? [] : [where])].join(' ') : code];
  });
  return Object.fromEntries(entries);
}

it('charges, lines and taxes in any order over several files come together as they were written, or fail where they are wrong (L2, L10)', async () => {
  const sizes = fc.record({
    block: fc.integer({ min: 8, max: 900 }),
    run: fc.integer({ min: 1, max: 900 }),
    merged: fc.integer({ min: 2, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(written, { minLength: 1, maxLength: 60 }),
      fc.constantFrom('csv', 'ndjson'),
      sizes,
      fc.infiniteStream(fc.boolean()),
      async (records, form, sizesOf, isDone) => {
        const { files, placed } = write(records, form);
        const folder = folderWith(files);
        const options = {
          folder,
          workFolder: join(folder, '.work'),
          mapping: MAPPING,
          sizes: sizesOf,
        };
        const preparation = await prepareRows(KIND, Object.keys(files).sort(), options);
        const rows = await collect(preparation, options, new Intervals());
        expect(found(rows)).toEqual(expected(placed));
        expect(preparation.rows).toBe(rows.length);
        // The rows of an account are in the order of the files.
        const order = rows.map(({ account, origin: { file, line } }) =>
          [Buffer.from(account ?? '').toString('hex'), file, String(line).padStart(6, '0')].join(' '),
        );
        expect(order).toEqual(order.toSorted());
        // Reading can continue at any place.
        const done = new Intervals();
        const left = rows.filter(({ start, end }) => {
          const isOver = isDone.next().value === true;
          if (isOver) done.add(start, end);
          return !isOver;
        });
        expect(found(await collect(preparation, options, done))).toEqual(found(left));
        removeFolders();
      },
    ),
    { numRuns: runs(40) },
  );
});
