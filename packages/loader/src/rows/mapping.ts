import { WrongUsage } from '../common/errors.js';
import { hint, unknownName } from '../common/near-matches.js';
import { fieldNames, fieldType } from '../kinds/fields.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { DateForms } from './date-forms.js';
import { mappedField, sent, zoneIn, type FieldSource } from './field-sources.js';
import type { ValueForm } from './field-value.js';
import { formOf, type Form } from './form.js';
import {
  mapOf,
  object,
  objectOf,
  oneOf,
  optional,
  scalar,
  text,
  texts,
  type MappedValue,
} from './mapping-json.js';
import { namedBy } from './name-patterns.js';
import { numberToJson, type DecimalSign } from './numbers.js';

/** How one file is read (choice L11). */
export interface FileMapping {
  readonly form: Form;
  /** By field where it comes from, of those that do not come from the column of their name. */
  readonly sources: ReadonlyMap<string, FieldSource>;
  /** How a field is written that comes from the column of its name. */
  readonly formOf: (field: string) => ValueForm | undefined;
  /** By field the JSON of rows that have none. */
  readonly constants: ReadonlyMap<string, string>;
  /** Columns that are left out. */
  readonly ignore: ReadonlySet<string>;
  /** Whether rows are read as they stand. */
  readonly isEmpty: boolean;
  /** Tells the mapping of a file from those of other files of its kind; empty where all have one. */
  readonly name: string;
}

/** How the files of one kind are read. */
export interface KindMapping {
  /** @param file its name */
  readonly of: (file: string) => FileMapping;
  /** The part of the mapping file for the kind as compact JSON, by which another one is recognised; see {@link parseKind}. */
  readonly text: string;
}

/** A mapping file. */
export interface Mapping {
  /** @returns undefined for a kind of which it says nothing */
  readonly get: (kind: Kind) => KindMapping | undefined;
  /** The kind that it gives a file, whatever the name of the file says. */
  readonly kindOf: (file: string) => Kind | undefined;
  /** Patterns of files that are not loaded. */
  readonly ignoredFiles: readonly string[];
}

const AS_IT_STANDS: FileMapping = {
  form: {},
  sources: new Map(),
  formOf: () => undefined,
  constants: new Map(),
  ignore: new Set(),
  isEmpty: true,
  name: '',
};

export const NO_MAPPING: KindMapping = { of: () => AS_IT_STANDS, text: '' };

/** The columns that a source reads. */
export function columnsOf(source: FieldSource): readonly string[] {
  return 'column' in source ? [source.column] : source.columns;
}

/** By column the fields that come from it alone. */
export function fieldsOfColumns({
  sources,
}: FileMapping): ReadonlyMap<string, readonly { readonly field: string; readonly form: ValueForm }[]> {
  const found = new Map<string, { field: string; form: ValueForm }[]>();
  for (const [field, source] of sources) {
    if (!('column' in source)) continue;
    const { column, form } = source;
    found.set(column, [...(found.get(column) ?? []), { field, form }]);
  }
  return found;
}

/**
 * Read a mapping file: by kind, or a list of files of which the first whose `match` fits counts.
 *
 * @param content its text
 * @param file its name, for messages
 * @throws WrongUsage when it is not JSON, or names a kind, a part or a field that does not exist
 */
export function parseMapping(content: string, file: string): Mapping {
  const members = object(parsed(content, file), file);
  if ('files' in members || 'ignore_files' in members) return filesMapping(members, file);
  const kinds = new Map(
    Object.entries(members).flatMap(([name, part]) => {
      if (name === '$schema') return [];
      const kind = KINDS.find((known) => known === name);
      if (!kind)
        throw unknownName(`${file}: ${name} is no kind of file.`, name, [...KINDS, 'files', 'ignore_files']);
      return [[kind, kindMapping(kind, part, `${file}: ${kind}`)] as const];
    }),
  );
  return { get: (kind) => kinds.get(kind), kindOf: () => undefined, ignoredFiles: [] };
}

/** Read the text of a {@link KindMapping} again. */
export function parseKind(kind: Kind, content: string, file: string): KindMapping {
  const part = object(parsed(content, file), file);
  return 'files' in part ? (filesMapping(part, file).get(kind) ?? NO_MAPPING) : kindMapping(kind, part, file);
}

function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new WrongUsage(`${file} is not JSON${placeOf(error as Error, content)}.`, {
      cause: error,
    });
  }
}

/** Where JSON cannot be read; the rest of the message is in other words in each version of Node.js. */
function placeOf({ message }: Error, content: string): string {
  const [, at = message.includes('end of JSON') ? content.length : NaN] =
    /position (\d+)/.exec(message) ?? [];
  const lines = content.slice(0, Number(at)).split('\n');
  return Number.isNaN(Number(at))
    ? ''
    : `: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

interface Entry {
  readonly fits: (file: string) => boolean;
  readonly kind: Kind;
  readonly mapping: FileMapping;
  readonly content: unknown;
}

function filesMapping(members: Record<string, unknown>, file: string): Mapping {
  objectOf(members, ['$schema', 'files', 'ignore_files'], file);
  const list = members.files ?? [];
  if (!Array.isArray(list)) throw new WrongUsage(`${file}: files must be a list.`);
  const entries = list.map((content: unknown, index) => entryOf(content, index, `${file}: files.${index}`));
  const entryFor = (name: string): Entry | undefined => entries.find(({ fits }) => fits(name));
  const of = (name: string): FileMapping => entryFor(name)?.mapping ?? AS_IT_STANDS;
  const kinds = new Map(
    KINDS.map((kind) => {
      const own = entries.filter((entry) => entry.kind === kind).map(({ content }) => content);
      return [kind, own.length > 0 ? { of, text: JSON.stringify({ files: own }) } : undefined];
    }),
  );
  return {
    get: (kind) => kinds.get(kind),
    kindOf: (name) => entryFor(name)?.kind,
    ignoredFiles: optional(members, 'ignore_files', file, (patterns, at) => texts(patterns, at, true)) ?? [],
  };
}

const ENTRY_PARTS = ['match', 'kind', 'form', 'fields', 'constants', 'values', 'ignore'];

function entryOf(value: unknown, index: number, place: string): Entry {
  const content = objectOf(value, ENTRY_PARTS, place);
  const patterns = texts(content.match, `${place}.match`, true);
  const matches = namedBy(patterns);
  const kind = oneOf(content.kind, KINDS, `${place}.kind`);
  const values = valuesIn(kind, content, place);
  const sources = new Map<string, FieldSource>();
  const constants = constantsIn(kind, content, place);
  for (const [field, part] of Object.entries(object(content.fields ?? {}, `${place}.fields`))) {
    const at = `${place}.fields.${field}`;
    expectField(kind, field, `${place}.fields`);
    const source = mappedField(kind, field, part, at);
    if ('constant' in source) addConstant(constants, kind, field, source.constant, at);
    else if ('column' in source) {
      const form = { ...source.form, values: source.form.values ?? values.get(field) };
      sources.set(field, { ...source, form });
    } else sources.set(field, source);
  }
  const mapping = {
    form: optional(content, 'form', place, formOf) ?? {},
    sources,
    formOf: (field: string) => ({ values: values.get(field) }),
    constants,
    ignore: new Set(optional(content, 'ignore', place, texts)),
    isEmpty: false,
    name: String(index + 1),
  };
  return { fits: (name) => matches(name) || matches(name.replace(/\.gz$/, '')), kind, mapping, content };
}

const KIND_PARTS = ['columns', 'constants', 'values', 'dates', 'timezone', 'ambiguous', 'decimals', 'ignore'];

/** One mapping for all files of a kind. */
function kindMapping(kind: Kind, value: unknown, place: string): KindMapping {
  const content = objectOf(value, KIND_PARTS, place);
  const columns = mapOf(content.columns ?? {}, `${place}.columns`, text);
  for (const field of columns.keys()) expectField(kind, field, `${place}.columns`);
  const values = valuesIn(kind, content, place);
  const decimals = optional(content, 'decimals', place, (sign, at) => oneOf(sign, [',', '.'] as const, at));
  const common = {
    amounts: decimals && { read: (cell: string) => decimalNumber(cell, decimals) },
    dates: optional(content, 'dates', place, (form, at) => new DateForms([text(form, at)], at)),
    ...zoneIn(content, place),
  };
  const formOfField = (field: string): ValueForm => ({ ...common, values: values.get(field) });
  const mapping = {
    form: {},
    sources: new Map([...columns].map(([field, column]) => [field, { column, form: formOfField(field) }])),
    formOf: formOfField,
    constants: constantsIn(kind, content, place),
    ignore: new Set(optional(content, 'ignore', place, texts)),
    isEmpty: Object.keys(content).length === 0,
    name: '',
  };
  return { of: () => mapping, text: JSON.stringify(value) };
}

function decimalNumber(cell: string, sign: DecimalSign): string | { problem: string } {
  return (
    numberToJson(cell, sign) ?? {
      problem: `is no number with the decimal sign "${sign}", or could be two: one separator stands before three digits.`,
    }
  );
}

function valuesIn(
  kind: Kind,
  content: Record<string, unknown>,
  place: string,
): Map<string, ReadonlyMap<string, MappedValue>> {
  const at = `${place}.values`;
  const values = mapOf(content.values ?? {}, at, (table, of) => mapOf(table, of, scalar));
  for (const field of values.keys()) expectField(kind, field, at);
  return values;
}

function constantsIn(kind: Kind, content: Record<string, unknown>, place: string): Map<string, string> {
  const at = `${place}.constants`;
  const constants = new Map<string, string>();
  for (const [field, value] of Object.entries(object(content.constants ?? {}, at))) {
    expectField(kind, field, at);
    addConstant(constants, kind, field, value, `${at}.${field}`);
  }
  return constants;
}

function addConstant(
  constants: Map<string, string>,
  kind: Kind,
  field: string,
  value: unknown,
  place: string,
): void {
  const json = sent(fieldType(kind, field) ?? 'text', value, place);
  if (json !== undefined) constants.set(field, json);
}

function expectField(kind: Kind, field: string, place: string): void {
  if (fieldType(kind, field) !== undefined) return;
  const names = fieldNames(kind);
  throw new WrongUsage(
    `${place}: ${field} is no field.${hint(field, names)} Fields of ${kind} are ${names.join(', ')}.`,
  );
}
