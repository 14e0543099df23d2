import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { ensureCopies, placeText, visitFile } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { errorCell, formatted, workbookOf, type WrittenCell } from '../../../files/test/support/workbook.js';
import { FIELD_OWNERS, fieldNames, FIELDS } from '../kinds/fields.js';
import { findFiles, kindOf } from '../rows/folder.js';
import { Intervals } from '../rows/intervals.js';
import { prepareRows } from '../rows/join.js';
import { readRows } from '../rows/read-rows.js';
import { mappingSchema } from './schema.js';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from '../rows/to-row.js';

const validate = new Ajv({ allowUnionTypes: true }).compile(mappingSchema());

const PAGE = readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8');

/** Each example: a file, a mapping, and the rows that come out. */
const EXAMPLES = [
  ...PAGE.matchAll(/```(?:csv|json|text) (\S+)\n([^]*?)```\n\n```json\n([^]*?)```\n\n```text\n([^]*?)```/g),
].map(([, name = '', file = '', mapping = '', rows = '']) => ({ name, file, mapping, rows }));

function bytesOf(name: string, file: string, mapping: string): Buffer {
  if (!name.endsWith('.xlsx'))
    return mapping.includes('"windows-1252"')
      ? Buffer.from(file.replaceAll('€', '\x80'), 'latin1')
      : Buffer.from(file);
  const [first = '', ...named] = file.split(/^# sheet (.*)\n/m);
  const texts = named.length > 0 ? named : ['2024', 'other', '2025', first];
  const sheets = texts.flatMap((name, at) => {
    const rows = texts[at + 1]?.split('\n').map((line) => line.split(',').map(cellOf)) ?? [];
    return at % 2 === 0 ? [{ name, rows }] : [];
  });
  return workbookOf(sheets, { formats: ['dd/mm/yyyy', '00000'] });
}

/** Convert a text that looks like a number or a day. */
function cellOf(text: string): WrittenCell {
  if (text.startsWith('#')) return errorCell(text);
  if (text === '2026-11-05') return formatted(46331, 1);
  if (/^0\d+$/.test(text)) return formatted(Number(text), 2);
  return /^[\d.]+$/.test(text) ? { xml: `><v>${text}</v></c>` } : text;
}

/** The examples with several files. */
const JOINED = EXAMPLES.filter(({ file }) => file.includes('```csv '));

describe('the page of the mapping file', () => {
  it.each(EXAMPLES.filter((example) => !JOINED.includes(example)))(
    'has an example of $name that gives what it says (L11)',
    async (example) => {
      const { name, file, mapping: content, rows } = example;
      const mapping = parseMapping(content, 'mapping.json');
      const kind = mapping.kindsOf(name)[0] ?? kindOf(name)!;
      const folder = folderWith({ [name]: bytesOf(name, file, content) });
      const own = mapping.of(kind);
      const copying = { workFolder: join(folder, 'unpacked'), mappingOf: () => own };
      const parts = mapping.partsOf(name);
      const copies = await ensureCopies(
        parts.map((part) => ({ folder, name: part, kind })),
        copying,
      );
      const read: string[] = [];
      for (const part of parts)
        await visitFile({ folder, fields: FIELDS[kind], mapping: own, copies }, part, (...record) => {
          const row = toRow(...record);
          const line = parts.length > 1 ? placeText(row.origin) : `line ${Math.floor(row.origin.line)}`;
          read.push(
            row.error ? `${line}: ${row.error.detail}` : `${line}, account ${row.account}: ${row.item}`,
          );
        });
      expect(`${read.join('\n')}\n`).toBe(rows);
      expect(validate(JSON.parse(content)) ? [] : validate.errors).toEqual([]);
    },
  );

  it.each(JOINED)(
    'has an example of $name and other files that gives what it says (L11)',
    async (example) => {
      const { name, file, mapping: content, rows } = example;
      const texts = `${name}\n${file}`.split('```\n\n```csv ').map((text) => text.split(/\n([^]*)/));
      const folder = folderWith(Object.fromEntries(texts.map(([of = '', text = '']) => [of, text])));
      const mapping = parseMapping(content, 'mapping.json');
      const options = { folder, workFolder: join(folder, '.work'), mapping: mapping.of('transactions') };
      const found = await findFiles(folder, { kindsOf: mapping.kindsOf });
      const preparation = await prepareRows('transactions', found.files.get('transactions') ?? [], options);
      const read: string[] = [];
      for await (const some of readRows(preparation, options, new Intervals()))
        for (const row of some) {
          const place = `${row.origin.file}:${row.origin.line}`;
          read.push(
            row.error
              ? `${place}: ${row.error.code}${row.error.attr && ` ${row.error.attr}`}: ${row.error.detail}`
              : `${place}, account ${row.account}: ${row.item}`,
          );
        }
      expect(`${read.join('\n')}\n`).toBe(rows);
      expect(validate(JSON.parse(content)) ? [] : validate.errors).toEqual([]);
    },
  );

  it('has an example in every section but the first, and names every key (L11)', () => {
    expect(EXAMPLES).toHaveLength((PAGE.match(/^## /gm) ?? []).length - 1);
    const fields = new Set(FIELD_OWNERS.flatMap(fieldNames));
    const keys = keysOf(mappingSchema()).filter((key) => !fields.has(key));
    expect(keys).toEqual(expect.arrayContaining(['skip_lines', 'first_year', 'ambiguous', 'decimals']));
    expect(keys.filter((key) => !PAGE.includes(`\`${key}\``) && !PAGE.includes(`"${key}"`))).toEqual([]);
  });
});

/** The names of the members that a schema allows. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysOf)];
}

describe('the JSON Schema of the mapping file', () => {
  it.each([
    { notes: {} },
    { $schema: 'x', files: [] },
    { files: [{ match: ['a', 'b'], kind: 'notes', values: { is_pinned: { Y: true } } }] },
    { transactions: { dates: 'DD/MM/YYYY', decimals: ',' }, notes: { timezone: 'UTC', ambiguous: 'later' } },
  ])('takes %j, as the loader does (L11)', (content) => {
    expect(() => parseMapping(JSON.stringify(content), 'mapping.json')).not.toThrow();
    expect(validate(content) ? [] : validate.errors).toEqual([]);
  });

  const entry = { match: '*', kind: 'transactions' };

  it.each([
    { note: {} },
    { notes: { column: {} } },
    { notes: { columns: { text: 'Text' } } },
    { notes: { decimals: ';' } },
    { notes: {}, files: [] },
    { files: {} },
    { files: [{ kind: 'notes' }] },
    { files: [{ match: '*', kind: 'note' }] },
    { ignore_files: [1] },
    { files: [{ ...entry, column: {} }] },
    { files: [{ ...entry, rows: {} }] },
    { files: [{ ...entry, rows: { A: ['x'], B: ['y'] } }] },
    { files: [{ ...entry, form: { separator: ';' } }] },
    { files: [{ ...entry, form: { delimiter: ';;' } }] },
    { files: [{ ...entry, form: { delimiter: 'a' } }] },
    { files: [{ ...entry, form: { trim: 'yes' } }] },
    { files: [{ ...entry, form: { encoding: 'ebcdic' } }] },
    { files: [{ ...entry, form: { skip_lines: -1 } }] },
    { files: [{ ...entry, form: { leave_out: { Konto: 1 } } }] },
    { files: [{ ...entry, form: { sheet: 2025 } }] },
    { files: [{ ...entry, form: { header: [] } }] },
    { files: [{ ...entry, form: { repeated_header: 'keep' } }] },
    { files: [{ ...entry, form: { records: '$.rows[]' } }] },
    { files: [{ ...entry, form: { records: 'rows[0]' } }] },
    { files: [{ ...entry, form: { positions: {} } }] },
    { files: [{ ...entry, form: { positions: { a: [0, 2] } } }] },
    { files: [{ ...entry, form: { positions: { a: [1] } } }] },
    { files: [{ ...entry, form: { positions: { a: [1, 2] }, carry: { rows: { a: ['x'] } } } }] },
    { files: [{ ...entry, fields: { amont: 'Betrag' } }] },
    { files: [{ ...entry, fields: { amount: {} } }] },
    { files: [{ ...entry, fields: { amount: { colum: 'Betrag' } } }] },
    { files: [{ ...entry, fields: { amount: { column: 'Betrag', dates: 'DD' } } }] },
    { files: [{ ...entry, fields: { type: { column: 'Art', amount: {} } } }] },
    { files: [{ ...entry, fields: { type: { debit: 'Soll', credit: 'Haben' } } }] },
    { files: [{ ...entry, fields: { amount: { debit: 'Soll' } } }] },
    { files: [{ ...entry, fields: { amount: { column: 'B', amount: { decimal: ';' } } } }] },
    { files: [{ ...entry, fields: { amount: { column: 'B', amount: { thousands: ':' } } } }] },
    { files: [{ ...entry, fields: { amount: { column: 'B', amount: { words: { CR: 2 } } } } }] },
    { files: [{ ...entry, fields: { transaction_date: { column: 'B', dates: [] } } }] },
    { files: [{ ...entry, fields: { amount: { debit: 'S', credit: 'H', minus: 'x' } } }] },
    { files: [{ ...entry, fields: { amount: { column: 'B', scale: 0 } } }] },
    { files: [{ ...entry, fields: { note: { join: ['A'], with: '' } } }] },
    { files: [{ ...entry, fields: { transaction_date: { column: 'D', epoch: 'us', timezone: 'UTC' } } }] },
    { files: [{ ...entry, fields: { type: { case: [] } } }] },
    { files: [{ ...entry, fields: { type: { case: [{ when: {}, then: 'X' }] } } }] },
    { files: [{ ...entry, fields: { type: { case: [{ when: { A: 'x' } }] } } }] },
    { files: [{ ...entry, fields: { type: { constant: null } } }] },
    { files: [{ ...entry, values: { amont: {} } }] },
    { files: [{ ...entry, fields: { line_items: { from: '*', key: {} } } }] },
    { files: [{ ...entry, fields: { line_items: { from: '*' } } }] },
    { files: [{ ...entry, fields: { line_items: { from: 1, key: { a: 'a' } } } }] },
    { files: [{ ...entry, fields: { line_items: { from: '*', key: { a: 'a' }, match: '*' } } }] },
    { files: [{ ...entry, fields: { line_items: { from: '*', key: { a: 'a' }, fields: { net: 'n' } } } }] },
    { files: [{ ...entry, fields: { note: { from: '*', key: { a: 'a' } } } }] },
  ])('refuses %j, as the loader does (L11)', (content) => {
    expect(() => parseMapping(JSON.stringify(content), 'mapping.json')).toThrow('mapping.json');
    expect(validate(content)).toBe(false);
  });
});
