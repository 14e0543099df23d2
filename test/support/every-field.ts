import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { ItemName } from '../../src/infrastructure/item-names/item-names.js';
import type { OpenApi } from './open-api.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** How items of a kind are sent, and two of them with all fields, which differ in each. */
export interface EveryField {
  /** Below `/v1/data-import/`. */
  readonly path: string;
  readonly one: Fields;
  readonly other: Fields;
  /** The payload with some items, without the account. */
  readonly payloadOf: (items: readonly Fields[]) => object;
}

const { paths, components } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as OpenApi;

const ACCOUNT = ['import_supplier', 'external_account_number'];

/** By the description of the interface, so that no test has a list of the fields. */
export const EVERY_FIELD: Readonly<Record<ItemName, EveryField>> = {
  notes: everyField('notes/create/'),
  transactions: everyField('transactions/create/'),
  statements: everyField('historical-statements/create/'),
  payment_instructions: everyField('payment-instruction/create/'),
};

/** Arbitraries of the fields of a kind: the given ones; each other one is left out or has one of two values. */
export function fieldsOf<Given extends Readonly<Record<string, fc.Arbitrary<unknown>>>>(
  kind: ItemName,
  given: Given,
): Given {
  const { one, other } = EVERY_FIELD[kind];
  const others = Object.keys(one)
    .filter((name) => !(name in given))
    .map((name) => [name, fc.constantFrom(undefined, one[name], other[name])]);
  return { ...given, ...(Object.fromEntries(others) as object) };
}

function everyField(path: string): EveryField {
  const content = paths[`/v1/data-import/${path}`]?.post?.requestBody?.content['application/json'];
  const { properties = {} } = resolved(content?.schema as Schema);
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !ACCOUNT.includes(name)));
  const [list] = Object.keys(own).filter((name) => own[name]?.type === 'array');
  const isList = list !== undefined && Object.keys(own).length === 1;
  const item = isList ? resolved(own[list]?.items ?? {}) : { properties: own };
  return {
    path,
    one: objectOf(item, 1),
    other: objectOf(item, 2),
    payloadOf: (items) => (isList ? { [list]: items } : { ...items[0] }),
  };
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] as Schema);
}

/** @param choice 1 or 2: each field has another value then. Days come in the order of the fields, as periods must */
function objectOf({ properties = {} }: Schema, choice: number): Fields {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema], index) => [
      name,
      valueOf(resolved(schema), name, 2 * index + choice, choice),
    ]),
  );
}

function valueOf(schema: Schema, name: string, number: number, choice: number): unknown {
  const day = `2026-01-${String(number).padStart(2, '0')}`;
  const choices = schema.enum ?? choicesOf(schema);
  if (choices.length > 0) return choices[choice - 1];
  if (schema.type === 'array') return [itemOf(resolved(schema.items ?? {}), name, number, choice)];
  if (schema.type === 'boolean') return choice === 1;
  if (schema.type === 'number') return number;
  if (schema.format === 'date') return day;
  return schema.format === 'date-time' ? `${day}T00:00:00Z` : `ok_${name}_${choice}`;
}

function itemOf(schema: Schema, name: string, number: number, choice: number): unknown {
  return schema.properties ? objectOf(schema, choice) : valueOf(schema, name, number, choice);
}

/** The values of a catalogue, which its description lists; that of the vendor for trials first. */
function choicesOf({ description = '' }: Schema): string[] {
  const [, list = ''] = /Allowed are (.*), and the values/.exec(description) ?? [];
  const values = [...list.matchAll(/`(\w+)`/g)].map(([, value = '']) => value);
  return values.toSorted((one, other) => Number(other === 'SANDBOX') - Number(one === 'SANDBOX'));
}
