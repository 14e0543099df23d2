import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { visitFile } from '@data-import/files';
import { FIELDS } from '../kinds/fields.js';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from '../rows/to-row.js';
import { OPEN } from '../mapping/guess-values.js';
import { withoutOpen } from '../mapping/open-places.js';
import { propose, type ProposedEntry } from '../mapping/propose.js';
import { sampleFile } from '../mapping/samples.js';
import { mapFile } from './map.js';
import { runs } from '../../../../test/support/runs.js';

/** The form in which a file is written; its rows have the intended values. */
interface Written {
  readonly delimiter: string;
  readonly amounts: Amounts;
  readonly units: Amounts;
  readonly day: string;
  readonly signs: 'own' | 'behind' | 'brackets' | 'words' | 'columns' | 'columns with minus';
  readonly words: readonly [credit: string, debit: string];
  readonly hasHeader: boolean;
  readonly isPadded: boolean;
  readonly titles: number;
  readonly hasTotals: boolean;
  readonly repeatsAt: number | undefined;
}

interface Amounts {
  readonly decimal: string;
  readonly thousands: string;
  readonly places: number;
}

interface WrittenRow {
  readonly account: string;
  /** The amount in the smallest unit. */
  readonly amount: number;
  readonly units: number;
  readonly day: readonly [year: number, month: number, day: number];
  readonly name: string;
}

const amounts = fc.record({
  decimal: fc.constantFrom('.', ','),
  thousands: fc.constantFrom('', '', 'other', ' ', "'"),
  places: fc.constantFrom(0, 2, 2, 3),
});

const written: fc.Arbitrary<Written> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  amounts,
  units: amounts,
  day: fc.constantFrom(
    'D/M/Y',
    'M/D/Y',
    'D.M.Y',
    'Y-M-D',
    'D-M-Y',
    'YMD',
    'D.M.y',
    'D-MON-Y',
    'Y-M-DT00:00:00Z',
  ),
  signs: fc.constantFrom('own', 'behind', 'brackets', 'words', 'columns', 'columns with minus'),
  words: fc.constantFrom(
    ['C', 'D'],
    ['Cr', 'Dr'],
    ['H', 'S'],
    ['CRDT', 'DBIT'],
    ['credit', 'debit'],
    ['Bij', 'Af'],
    ['IN', 'OUT'],
  ),
  hasHeader: fc.boolean(),
  isPadded: fc.boolean(),
  titles: fc.constantFrom(0, 0, 1, 2),
  hasTotals: fc.boolean(),
  repeatsAt: fc.option(fc.nat(20), { nil: undefined }),
});

const row: fc.Arbitrary<WrittenRow> = fc.record({
  account: fc.integer({ min: 1_000, max: 99_999 }).map(String),
  amount: fc.oneof(
    fc.integer({ min: -2_000_000, max: 2_000_000 }),
    fc.integer({ min: -20, max: 20 }).map((thousands) => thousands * 1_000),
  ),
  units: fc.integer({ min: 0, max: 5_000_000 }),
  day: fc.tuple(
    fc.integer({ min: 2000, max: 2030 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  ),
  name: fc.constantFrom('Ann', 'Total Energy', 'Summe & Co', 'Bob', 'Sumner', ''),
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function numberText(size: number, { decimal, thousands, places }: Amounts): string {
  const digits = String(size).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const separator = thousands === 'other' ? (decimal === '.' ? ',' : '.') : thousands;
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separator);
  return places === 0 ? grouped : `${grouped}${decimal}${digits.slice(-places)}`;
}

function dayText([year, month, day]: WrittenRow['day'], form: string): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return form
    .replace('MON', MONTHS[month - 1] ?? '')
    .replace('Y', String(year))
    .replace('y', two(year % 100))
    .replace(/M(?![a-z])/, two(month))
    .replace('D', two(day));
}

function amountCells(amount: number, { amounts: form, signs, words }: Written): string[] {
  const text = numberText(Math.abs(amount), form);
  const isNegative = amount < 0;
  switch (signs) {
    case 'own':
      return [isNegative ? `-${text}` : text];
    case 'behind':
      return [isNegative ? `${text}-` : text];
    case 'brackets':
      return [isNegative ? `(${text})` : text];
    case 'words':
      return [text, words[isNegative ? 0 : 1]];
    case 'columns':
      return isNegative ? ['', text] : [text, ''];
    case 'columns with minus':
      return isNegative ? ['', text] : [`-${text}`, ''];
  }
}

const AMOUNT_NAMES = { words: ['Amount', 'D/C'], columns: ['Debit', 'Credit'] } as const;

function namesOf({ signs }: Written): string[] {
  const amount =
    signs === 'words' ? AMOUNT_NAMES.words : signs.startsWith('columns') ? AMOUNT_NAMES.columns : ['Amount'];
  return ['Name', 'Account', 'Transaction ID', 'Date', ...amount, 'kWh'];
}

function fileText(form: Written, rows: readonly WrittenRow[]): string {
  const names = namesOf(form);
  const cells = rows.map(({ account, amount, units, day, name }, index) => [
    name,
    account,
    `T-${index}`,
    dayText(day, form.day),
    ...amountCells(amount, form),
    numberText(units, form.units),
  ]);
  const total = ['Total', ...names.slice(2).map(() => ''), numberText(1_234_500, form.units)];
  const lines = [
    ...Array.from({ length: form.titles }, (_, index) => [
      `Ledger ${index}`,
      ...names.slice(1).map(() => ''),
    ]),
    ...(form.hasHeader ? [names] : []),
    ...cells.slice(0, form.repeatsAt),
    ...(form.hasHeader && form.repeatsAt !== undefined ? [names] : []),
    ...cells.slice(form.repeatsAt ?? cells.length),
    ...(form.hasTotals ? [total] : []),
  ];
  const { delimiter, isPadded } = form;
  const quoted = (cell: string): string => {
    const padded = isPadded ? cell.padEnd(14) : cell;
    return padded.includes(delimiter) ? `"${padded}"` : padded;
  };
  return lines.map((line) => `${line.map(quoted).join(delimiter)}\n`).join('');
}

/** The intended amount, in the form in which it is read. */
function meant(size: number, places: number): number {
  return size / 10 ** places;
}

/** The number of files whose proposals are checked. */
const FILES = runs(50);

interface ReadRow {
  readonly line: number;
  /** The item of a row that would be sent. */
  readonly item: Readonly<Record<string, unknown>> | undefined;
}

/** Read a file with a proposal. Open parts of the proposal are left out. */
async function read(folder: string, entry: ProposedEntry, left: readonly string[]): Promise<ReadRow[]> {
  // The text of the file decides about these parts.
  const form = { ...entry.form, header: undefined, repeated_header: undefined };
  // Rows cannot be read without an account.
  const isOpen = entry.constants?.external_account_number === OPEN;
  const constants = { ...entry.constants, ...(isOpen && { external_account_number: 'any' }) };
  const content = JSON.stringify({ files: [withoutOpen({ ...entry, form, constants, left })] });
  const mapping = parseMapping(content, 'the proposal').of('transactions');
  const rows: ReadRow[] = [];
  await visitFile({ folder, fields: FIELDS.transactions, mapping }, FILE, (...record) => {
    const row = toRow(...record);
    const item = row.error ? undefined : (JSON.parse(row.item) as Record<string, unknown>);
    rows.push({ line: record[0].line, item });
  });
  return rows;
}

const FILE = 'transactions.csv';

/** The amounts, days and quantities that are read from a file, by row; undefined for those that the proposal leaves open. */
async function checkFile(
  form: Written,
  rows: readonly WrittenRow[],
  seen: { decided: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'map-property-'));
  try {
    const path = join(folder, FILE);
    const text = fileText(form, rows);
    await writeFile(path, text);
    const { mapping } = await mapFile(path, {});
    const [entry = { match: FILE, kind: 'transactions' as const }] = mapping.files;
    const shift = form.hasHeader ? 0 : 1;
    if (!form.hasHeader) {
      expect(entry.form).toMatchObject({ header: namesOf(form).map((_, index) => `column_${index + 1}`) });
      const lines = text.split('\n');
      const header = (entry.form?.header as string[]).join(form.delimiter);
      await writeFile(path, [...lines.slice(0, form.titles), header, ...lines.slice(form.titles)].join('\n'));
    }
    const names = form.hasHeader ? namesOf(form) : (entry.form?.header as string[]);
    const first = form.titles + 2;
    const found = new Map((await read(folder, entry, names)).map(({ line, item }) => [line, item]));
    const [{ columns } = { columns: [] }] = await sampleFile(folder, FILE, folder);
    const quantity = propose('transactions.line_items', columns, { delimiter: form.delimiter }).proposal
      .fields?.number_of_units;
    const asUnits = { ...entry, fields: { ...entry.fields, amount: quantity ?? OPEN } };
    const units = quantity === undefined || !form.hasHeader ? [] : await read(folder, asUnits, names);
    for (const [index, row] of rows.entries()) {
      const isBehind = shift === 0 && form.repeatsAt !== undefined && index >= form.repeatsAt;
      const line = first + index + (isBehind ? 1 : 0);
      expect([...found.keys()]).toContain(line);
      const item = found.get(line);
      const { amount, transaction_date: day } = item ?? {};
      // Without names, a column is recognised only by its shape, and another column may have the same one.
      if (amount !== undefined && form.hasHeader) {
        expect(amount).toBe(meant(row.amount, form.amounts.places));
        seen.decided += 1;
      }
      if (typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day))
        expect(day).toBe(dayText(row.day, 'Y-M-D'));
      const count = units.find((one) => one.line === line)?.item?.amount;
      if (count !== undefined) expect(count).toBe(meant(row.units, form.units.places));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('proposing a mapping for any file', () => {
  it(
    'reads exactly what is written, or leaves it open (L3, L11)',
    async () => {
      const seen = { decided: 0 };
      await fc.assert(
        fc.asyncProperty(written, fc.array(row, { minLength: 1, maxLength: 12 }), (form, rows) =>
          checkFile(form, rows, seen),
        ),
        { numRuns: FILES },
      );
      expect(seen.decided).toBeGreaterThan(FILES);
    },
    FILES * 4_000,
  );
});
