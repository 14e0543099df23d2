import { WrongUsage } from '../common/errors.js';
import { hint } from '../common/near-matches.js';
import type { Fields } from '../fields/fields.js';
import type { MappedValue } from '../values/field-value.js';
import { sent, type FieldSource } from './field-sources.js';
import { mapOf, object, scalar, texts } from './mapping-json.js';
import { namedBy } from './name-patterns.js';

export function valuesIn(
  owner: Fields,
  content: Record<string, unknown>,
  place: string,
): Map<string, ReadonlyMap<string, MappedValue>> {
  const at = `${place}.values`;
  const values = mapOf(content.values ?? {}, at, (table, of) => mapOf(table, of, scalar));
  for (const field of values.keys()) expectField(owner, field, at);
  return values;
}

export function constantsIn(
  owner: Fields,
  content: Record<string, unknown>,
  place: string,
): Map<string, string> {
  const at = `${place}.constants`;
  const constants = new Map<string, string>();
  for (const [field, value] of Object.entries(object(content.constants ?? {}, at))) {
    expectField(owner, field, at);
    addConstant(constants, owner, field, value, `${at}.${field}`);
  }
  return constants;
}

export function addConstant(
  constants: Map<string, string>,
  owner: Fields,
  field: string,
  value: unknown,
  place: string,
): void {
  const json = sent(owner.types.get(field) ?? 'text', value, place);
  if (json !== undefined) constants.set(field, json);
}

export function expectField(owner: Fields, field: string, place: string): void {
  if (owner.types.has(field)) return;
  const names = [...owner.types.keys()];
  throw new WrongUsage(
    `${place}: ${field} is no field.${hint(field, names)} Fields of ${owner.name} are ${names.join(', ')}.`,
  );
}

/** A test whether one of the patterns fits the name of a file. */
export function fitting(patterns: unknown, place: string): (file: string) => boolean {
  const matches = namedBy(texts(patterns, place, true));
  return (name) => matches(name) || matches(name.replace(/\.gz$/, ''));
}

/** A source for the columns of a key. They must exist, but they provide no field. */
export function keySource(columns: readonly string[]): FieldSource {
  return { columns, read: () => undefined };
}
