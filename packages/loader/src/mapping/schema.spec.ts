import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { folderWith, removeFolders } from '../../test/support/folders.js';
import { fieldNames } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import { toRow, visitFile } from '../rows/file-records.js';
import { kindOf } from '../rows/folder.js';
import { NO_MAPPING, parseMapping } from '../rows/mapping.js';
import { mappingSchema } from './schema.js';

const validate = new Ajv({ allowUnionTypes: true }).compile(mappingSchema());

afterAll(removeFolders);

const PAGE = readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8');

/** Each example: a file, a mapping, and the rows that come out. */
const EXAMPLES = [
  ...PAGE.matchAll(/```csv (\S+)\n([^]*?)```\n\n```json\n([^]*?)```\n\n```text\n([^]*?)```/g),
].map(([, name = '', file = '', mapping = '', rows = '']) => ({ name, file, mapping, rows }));

describe('the page of the mapping file', () => {
  it.each(EXAMPLES)('has an example of $name that gives what it says (L11)', async (example) => {
    const { name, file, mapping: content, rows } = example;
    const mapping = parseMapping(content, 'mapping.json');
    const kind = mapping.kindsOf(name)[0] ?? kindOf(name)!;
    const isLatin = content.includes('"windows-1252"');
    const bytes = isLatin ? Buffer.from(file.replaceAll('€', '\x80'), 'latin1') : Buffer.from(file);
    const folder = folderWith({ [name]: bytes });
    const read: string[] = [];
    await visitFile({ folder, kind, mapping: mapping.get(kind) ?? NO_MAPPING }, name, (...record) => {
      const row = toRow(...record);
      const line = `line ${row.origin.line}`;
      read.push(row.error ? `${line}: ${row.error.detail}` : `${line}, account ${row.account}: ${row.item}`);
    });
    expect(`${read.join('\n')}\n`).toBe(rows);
    expect(validate(JSON.parse(content)) ? [] : validate.errors).toEqual([]);
  });

  it('has an example in every section but the first, and names every key (L11)', () => {
    expect(EXAMPLES).toHaveLength((PAGE.match(/^## /gm) ?? []).length - 1);
    const fields = new Set(KINDS.flatMap(fieldNames));
    const keys = keysOf(mappingSchema()).filter((key) => !fields.has(key));
    expect(keys).toEqual(expect.arrayContaining(['skip_lines', 'first_year', 'ambiguous', 'decimals']));
    expect(keys.filter((key) => !PAGE.includes(`\`${key}\``) && !PAGE.includes(`"${key}"`))).toEqual([]);
  });
});

/** The names of the members that a schema knows. */
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
    { files: [{ ...entry, fields: { type: { case: [] } } }] },
    { files: [{ ...entry, fields: { type: { case: [{ when: {}, then: 'X' }] } } }] },
    { files: [{ ...entry, fields: { type: { case: [{ when: { A: 'x' } }] } } }] },
    { files: [{ ...entry, fields: { type: { constant: null } } }] },
    { files: [{ ...entry, values: { amont: {} } }] },
  ])('refuses %j, as the loader does (L11)', (content) => {
    expect(() => parseMapping(JSON.stringify(content), 'mapping.json')).toThrow('mapping.json');
    expect(validate(content)).toBe(false);
  });
});
