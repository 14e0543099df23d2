import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import ts from 'typescript';
import { loaderContract, type OpenApi } from '../../../../scripts/contract-packages.mjs';
import { folderWith } from '../../../../test/support/folders.js';
import { fieldType } from './fields.js';

const openapi = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as OpenApi;

it('the generated file is that of the description of the interface (else: npm run contract)', () => {
  const generated = readFileSync(new URL('contract.generated.ts', import.meta.url), 'utf8');
  expect(generated).toBe(loaderContract(openapi));
});

it.each([
  ['transactions', 'amount', 'number'],
  ['transactions', 'transaction_date', 'date'],
  ['transactions', 'type', 'text'],
  ['transactions', 'line_items', 'list'],
  ['notes', 'created_at', 'date-time'],
  ['notes', 'is_pinned', 'boolean'],
  ['notes', 'document_paths', 'paths'],
  ['notes', 'external_account_number', 'text'],
  ['notes', 'import_supplier', undefined],
  ['payment-instructions', 'toString', undefined],
] as const)('of %s %s is read as %s', (kind, field, type) => {
  expect(fieldType(kind, field)).toBe(type);
});

it('a field that only the description of the interface has is read from CSV, mapped, and sent', async () => {
  const { Note } = openapi.components.schemas;
  const properties = { ...Note!.properties, category: { type: 'string' }, seen_on: { format: 'date' } };
  const described = { ...openapi.components.schemas, Note: { ...Note, properties } };
  const text = loaderContract({ ...openapi, components: { ...openapi.components, schemas: described } });
  jest.resetModules();
  jest.unstable_mockModule('./contract.generated.js', () => evaluated(text));
  const { mapFile } = await import('../commands/map.js');
  const folder = folderWith({
    'notes.csv': 'account,body,category,Seen On\nA,hello,billing,31.12.2026\n',
    'notes-2.ndjson': '{"external_account_number":"A","body":"hello","category":"billing"}\n',
  });
  const { mapping, rows } = await mapFile(`${folder}/notes.csv`, {});
  expect(mapping.files[0]?.fields).toMatchObject({ seen_on: { column: 'Seen On', dates: 'DD.MM.YYYY' } });
  expect(rows.map(({ item }) => item)).toEqual([
    '{"body":"hello","category":"billing","seen_on":"2026-12-31"}',
  ]);
  const ndjson = await mapFile(`${folder}/notes-2.ndjson`, {});
  expect(ndjson.mapping).toEqual({ files: [] });
  expect(ndjson.rows.map(({ item }) => item)).toEqual(['{"body":"hello","category":"billing"}']);
});

/** The exports of a generated file. */
function evaluated(text: string): Record<string, unknown> {
  const module = { exports: {} };
  const options = { compilerOptions: { module: ts.ModuleKind.CommonJS } };
  runInNewContext(ts.transpileModule(text, options).outputText, module);
  return module.exports;
}
