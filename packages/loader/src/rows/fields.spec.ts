import { readFileSync } from 'node:fs';
import { FIELDS, REQUIRED, type FieldType } from './fields.js';
import { KINDS, type Kind } from './row.js';

interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly $ref?: string };
}

const contract = JSON.parse(
  readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8'),
) as {
  components: { schemas: Record<string, { properties: Record<string, Property>; required?: string[] }> };
};

const SCHEMAS: Record<Kind, string> = {
  notes: 'Note',
  statements: 'HistoricalStatement',
  'payment-instructions': 'CreatePaymentInstruction',
  transactions: 'Transaction',
};

function typeOf({ type, format, items }: Property): FieldType {
  if (type === 'array') return items?.$ref?.endsWith('/DocumentPath') ? 'paths' : 'list';
  if (type === 'number' || type === 'boolean') return type;
  return format === 'date' || format === 'date-time' ? format : 'text';
}

describe('the table of fields', () => {
  it.each(KINDS)('has the fields and types of %s in the description of the interface', (kind) => {
    const { properties = {} } = contract.components.schemas[SCHEMAS[kind]] ?? {};
    const described = Object.entries(properties)
      .filter(([name]) => name !== 'import_supplier' && name !== 'external_account_number')
      .map(([name, property]) => [name, typeOf(property)]);
    expect(Object.fromEntries(described)).toEqual(FIELDS[kind]);
    expect(described.length).toBeGreaterThan(2);
  });

  it.each(KINDS)('names the fields that %s must have', (kind) => {
    const { required = [] } = contract.components.schemas[SCHEMAS[kind]] ?? {};
    expect(
      required.filter((name) => name !== 'import_supplier' && name !== 'external_account_number'),
    ).toEqual(REQUIRED[kind]);
  });
});
