import { WrongUsage } from '../common/errors.js';
import { hint, unknownName } from '../common/near-matches.js';
import { DateForms } from './date-forms.js';
import { fieldNames, fieldType } from '../kinds/fields.js';
import type { DecimalSign } from './numbers.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { AMBIGUOUS, Zone, type Ambiguous } from './zones.js';

/** A value of a mapping file. */
export type MappedValue = string | number | boolean;

/** How the files of one kind are to be read (choice L11). */
export interface KindMapping {
  /** By field the name of its column, or of its member in NDJSON. */
  readonly columns: ReadonlyMap<string, string>;
  /** By field the value of rows that have none. */
  readonly constants: ReadonlyMap<string, MappedValue>;
  /** By field, and by the text of the file, what is sent instead. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, MappedValue>>;
  readonly dates: DateForms | undefined;
  /** Of times without an offset (choice L16). */
  readonly zone: Zone | undefined;
  readonly ambiguous: Ambiguous | undefined;
  readonly decimals: DecimalSign | undefined;
  /** Columns that are left out. */
  readonly ignore: ReadonlySet<string>;
  /** Whether rows are read as they stand. */
  readonly isEmpty: boolean;
}

export type Mapping = ReadonlyMap<Kind, KindMapping>;

export const NO_MAPPING: KindMapping = {
  columns: new Map(),
  constants: new Map(),
  values: new Map(),
  dates: undefined,
  zone: undefined,
  ambiguous: undefined,
  decimals: undefined,
  ignore: new Set(),
  isEmpty: true,
};

/** By column the fields that a mapping takes from it. */
export function fieldsOfColumns({ columns }: KindMapping): ReadonlyMap<string, readonly string[]> {
  const entries = [...columns];
  return new Map(
    entries.map(([, column]) => [
      column,
      entries.filter(([, other]) => other === column).map(([field]) => field),
    ]),
  );
}

const PARTS = ['columns', 'constants', 'values', 'dates', 'timezone', 'ambiguous', 'decimals', 'ignore'];

/**
 * Read a mapping file.
 *
 * @param text its content
 * @param file its name, for messages
 * @throws WrongUsage when it is not JSON, or names a kind, a part or a field that does not exist
 */
export function parseMapping(text: string, file: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new WrongUsage(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const kinds = Object.entries(object(value, file));
  return new Map(
    kinds.map(([name, content]) => {
      const kind = KINDS.find((known) => known === name);
      if (!kind) throw unknownName(`${file}: ${name} is no kind of file.`, name, KINDS);
      return [kind, kindMapping(kind, object(content, `${file}: ${kind}`), `${file}: ${kind}`)];
    }),
  );
}

function kindMapping(kind: Kind, content: Record<string, unknown>, place: string): KindMapping {
  for (const part of Object.keys(content)) {
    if (PARTS.includes(part)) continue;
    throw unknownName(`${place}: ${part} is not known.`, part, PARTS);
  }
  const fields = <Value>(part: string, read: (value: unknown, at: string) => Value): Map<string, Value> => {
    const entries = Object.entries(object(content[part] ?? {}, `${place}.${part}`));
    return new Map(
      entries.map(([field, value]) => {
        expectField(kind, field, `${place}.${part}`);
        return [field, read(value, `${place}.${part}.${field}`)];
      }),
    );
  };
  return {
    columns: fields('columns', text),
    constants: fields('constants', scalar),
    values: fields(
      'values',
      (table, at) =>
        new Map(Object.entries(object(table, at)).map(([from, to]) => [from, scalar(to, `${at}.${from}`)])),
    ),
    dates:
      content.dates === undefined
        ? undefined
        : new DateForms([text(content.dates, `${place}.dates`)], `${place}.dates`),
    ...zoneIn(content, place),
    decimals: content.decimals === undefined ? undefined : decimalSign(content.decimals, `${place}.decimals`),
    ignore: new Set(ignored(content.ignore, `${place}.ignore`)),
    isEmpty: Object.keys(content).length === 0,
  };
}

function expectField(kind: Kind, field: string, place: string): void {
  if (fieldType(kind, field) !== undefined) return;
  const names = fieldNames(kind);
  throw new WrongUsage(
    `${place}: ${field} is no field.${hint(field, names)} Fields of ${kind} are ${names.join(', ')}.`,
  );
}

function object(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new WrongUsage(`${place} must be an object.`);
}

function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new WrongUsage(`${place} must be a text.`);
}

function scalar(value: unknown, place: string): MappedValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  throw new WrongUsage(`${place} must be a text, a number, true or false.`);
}

function zoneIn(
  { timezone, ambiguous }: Record<string, unknown>,
  place: string,
): { readonly zone: Zone | undefined; readonly ambiguous: Ambiguous | undefined } {
  const chosen = AMBIGUOUS.find((known) => known === ambiguous);
  if (ambiguous !== undefined && !chosen)
    throw new WrongUsage(`${place}.ambiguous must be ${AMBIGUOUS.map(quoted).join(' or ')}.`);
  if (timezone === undefined) {
    if (chosen) throw new WrongUsage(`${place}.ambiguous needs a "timezone".`);
    return { zone: undefined, ambiguous: undefined };
  }
  const at = `${place}.timezone`;
  return { zone: new Zone(text(timezone, at), at), ambiguous: chosen };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function decimalSign(value: unknown, place: string): DecimalSign {
  if (value === ',' || value === '.') return value;
  throw new WrongUsage(`${place} must be "," or ".".`);
}

function ignored(value: unknown, place: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new WrongUsage(`${place} must be a list of columns.`);
  return value.map((name, index) => text(name, `${place}.${index}`));
}
