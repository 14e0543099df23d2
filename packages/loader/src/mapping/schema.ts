import { AMBIGUOUS, ENCODINGS, EPOCHS, MINUS_MEANINGS, NEGATIVE, RECORDS } from '@data-import/files';
import {
  fieldNames,
  FIELDS,
  fieldType,
  isKind,
  listsOf,
  type FieldOwner,
  type MappedKind,
} from '../kinds/fields.js';
import SCHEMA from './mapping-schema.json' with { type: 'json' };

type Schema = Readonly<Record<string, unknown>>;

/** The kinds that an entry can have. */
const MAPPED = Object.keys(FIELDS) as MappedKind[];

const { definitions: PARTS } = SCHEMA;

/** The parts whose values the reader of files knows. */
const KNOWN = {
  kind: { enum: MAPPED },
  encoding: { ...PARTS.encoding, enum: ENCODINGS },
  records: { ...PARTS.records, pattern: RECORDS.source },
  negative: { enum: NEGATIVE },
  minus: { ...PARTS.minus, enum: MINUS_MEANINGS },
  epoch: { ...PARTS.epoch, enum: EPOCHS },
  ambiguous: { ...PARTS.ambiguous, enum: AMBIGUOUS },
};

function partOf(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

function byField(owner: FieldOwner, schemaOf: (field: string) => Schema): Schema {
  const properties = Object.fromEntries(fieldNames(owner).map((field) => [field, schemaOf(field)]));
  return { type: 'object', properties, additionalProperties: false };
}

/** The source of a field. A list of rows can also be in other files. */
function sourceOf(owner: FieldOwner, field: string): Schema {
  const source = partOf(fieldType(owner, field) ?? 'text');
  if (!isKind(owner) || !listsOf(owner).includes(field)) return source;
  return { anyOf: [source, withFields(PARTS.list_from_files, `${owner}.${field}`)] };
}

function valuesOf(owner: FieldOwner): Schema {
  return {
    constants: { description: 'The value of rows that have none.', ...byField(owner, () => partOf('value')) },
    values: {
      description: 'By the text of the file, what is sent instead.',
      ...byField(owner, () => partOf('values')),
    },
  };
}

function withFields(part: { readonly properties: object }, owner: FieldOwner): Schema {
  const fields = byField(owner, (field) => sourceOf(owner, field));
  return { ...part, properties: { ...part.properties, fields, ...valuesOf(owner) } };
}

/** One mapping for all files of a kind. */
function shortForm(kind: MappedKind): Schema {
  const columns = byField(kind, () => ({ type: 'string' }));
  const { kind_of_files: part } = PARTS;
  return { ...part, properties: { ...part.properties, columns, ...valuesOf(kind) } };
}

/**
 * The JSON Schema of a mapping file, for editors. It does not contain rules that only the parser can check, such as
 * whether a pattern names a day.
 *
 * Source: choice L11.
 */
export function mappingSchema(): Schema {
  const alone = { not: { anyOf: MAPPED.map((kind) => ({ required: [kind] })) } };
  const ofKinds = MAPPED.map((kind) => ({
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    then: withFields({ properties: {} }, kind),
  }));
  const shortForms = Object.fromEntries(MAPPED.map((kind) => [kind, shortForm(kind)]));
  return {
    ...SCHEMA,
    properties: { ...SCHEMA.properties, ...shortForms },
    dependencies: { files: alone, ignore_files: alone },
    definitions: { ...PARTS, ...KNOWN, entry: { ...PARTS.entry, allOf: ofKinds } },
  };
}
