import { WrongUsage } from '../common/errors.js';
import { unknownName } from '../common/near-matches.js';
import type { Fields } from '../fields/fields.js';
import { Amounts } from '../values/amounts.js';
import { DateForms } from '../values/date-forms.js';
import { unusedEntries } from './entry-use.js';
import { addConstant, constantsIn, expectField, fitting, keySource, valuesIn } from './field-parts.js';
import { mappedField, zoneIn, type FieldSource } from './field-sources.js';
import type { ValueForm } from '../values/field-value.js';
import { formOf, namedRows, type Form, type NamedRows } from './form.js';
import { mapOf, notOneOf, object, objectOf, oneOf, optional, parsed, text, texts } from './mapping-json.js';
import { fileOf, partOf } from '../text/parts.js';
import { partsIn, sharing, takersOf, textsOf } from './sharing.js';

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
  /** Whether the rows come from a workbook, of whose cells some are marked as unreadable (copies.ts). */
  readonly isOfWorkbook?: boolean;
  /** Which rows of the file are meant, when it also has rows of other kinds. */
  readonly rows?: SharedRows;
  /** Whether rows are read as they stand. */
  readonly isEmpty: boolean;
  /** Distinguishes the file's mapping from those of other files of its kind; empty when all share one. */
  readonly name: string;
  /** The sheets, or paths of records, that the entries read of the file. */
  readonly parts?: readonly string[];
  /** Set for a file whose rows have lists in other files, and for those files. */
  readonly join?: Join;
}

/** How rows and the items of their lists are found in several files. */
export interface Join {
  /** Of one entry of the mapping, whose keys have nothing to do with those of another. */
  readonly entry: string;
  /** Which list of the rows the file has items of; undefined for a file with the rows. */
  readonly list?: string;
  /** All lists of the entry, in its order. */
  readonly lists: readonly string[];
  /** The columns of the file whose texts are the key. */
  readonly key: readonly string[];
}

/** The rows that an entry takes of a file that several entries share. */
export interface SharedRows extends NamedRows {
  /** The rows that the other entries take. */
  readonly others: readonly NamedRows[];
  /** Whether rows that no entry takes fail here. */
  readonly isFirst: boolean;
}

/** How the files of one kind are read. */
export interface KindMapping {
  /** @param file its name */
  readonly of: (file: string) => FileMapping;
  /** The part of the mapping file for the kind as compact JSON, by which another one is recognised; see {@link parseKind}. */
  readonly text: string;
}

/** A mapping file. */
export interface Mapping<Kind extends string = string> {
  /** @returns undefined for a kind that it does not mention */
  readonly get: (kind: string) => KindMapping | undefined;
  /** The kinds that it gives a file, whatever the name of the file says; none where it says nothing of the file. */
  readonly kindsOf: (file: string) => readonly Kind[];
  /** The parts of it that no file is read with, see {@link unusedEntries}. */
  readonly unused: (names: readonly string[], kinds: readonly string[]) => readonly string[];
  /** The names by which the parts of a file are read; its own where it is read as one. */
  readonly partsOf: (file: string) => readonly string[];
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

/**
 * Read a mapping file: by kind, or a list of files of which the first whose `match` fits counts.
 *
 * @param content its text
 * @param file its name, for messages
 * @param known the kinds of rows that it can name
 * @param hasOthers whether it may name others, whose parts are passed over
 * @throws WrongUsage when it is not JSON, or names a kind, a part or a field that does not exist
 */
export function parseMapping<Kind extends string>(
  content: string,
  file: string,
  known: readonly Fields<Kind>[],
  hasOthers = false,
): Mapping<Kind> {
  const members = object(parsed(content, file), file);
  if ('files' in members || 'ignore_files' in members) return filesMapping(members, file, known, hasOthers);
  const kinds = new Map<string, KindMapping>(
    Object.entries(members).flatMap(([name, part]) => {
      if (name === '$schema') return [];
      const kind = known.find((one) => one.name === name);
      if (!kind && hasOthers) return [];
      if (!kind) {
        const names = known.map((one) => one.name);
        throw unknownName(`${file}: ${name} is no kind of file.`, name, [...names, 'files', 'ignore_files']);
      }
      return [[kind.name, kindMapping(kind, part, `${file}: ${name}`)] as const];
    }),
  );
  return {
    get: (kind) => kinds.get(kind),
    kindsOf: () => [],
    unused: () => [],
    partsOf: (file) => [file],
    ignoredFiles: [],
  };
}

/** Read the text of a {@link KindMapping} again. @param known as for {@link parseMapping} */
export function parseKind(
  kind: string,
  content: string,
  file: string,
  known: readonly Fields[],
): KindMapping {
  const part = object(parsed(content, file), file);
  if ('files' in part) return filesMapping(part, file, known).get(kind) ?? NO_MAPPING;
  const fields = known.find(({ name }) => name === kind);
  return fields ? kindMapping(fields, part, file) : NO_MAPPING;
}

interface Entry<Kind extends string = string> {
  readonly place: string;
  readonly fits: (file: string) => boolean;
  readonly kind: Pick<Fields<Kind>, 'name'>;
  readonly mapping: FileMapping;
  readonly content: Record<string, unknown>;
  readonly lists: readonly ListEntry[];
  readonly rows: NamedRows | undefined;
  /** Whether it may be that no file fits. */
  readonly isOptional: boolean;
}

/** A list of rows that is in other files. */
interface ListEntry {
  readonly field: string;
  readonly fits: (file: string) => boolean;
  readonly mapping: FileMapping;
  /** Columns of the file with the rows, and of the other file, in the same order. */
  readonly key: readonly (readonly [ofRow: string, ofItem: string])[];
}

/** The part of a mapping that says how a file is read: an entry or one of its lists. */
type Reading<Kind extends string> = Pick<Entry<Kind>, 'kind' | 'mapping' | 'rows'>;

/** The entries that a file or a part of it is for: the first that fits, or where it takes some of the rows only, all that do. */
function entriesFor<Kind extends string>(
  entries: readonly Entry<Kind>[],
  name: string,
  file: string,
): readonly Reading<Kind>[] {
  const own = takersOf(sharingEntries(entries, name), partOf(name).part);
  const lists = own.filter(({ mapping }) => mapping.join?.list !== undefined);
  if (lists.length > 1)
    throw new WrongUsage(
      `${file}: ${name} fits the "from" of ${lists.length} lists; a file has items of one.`,
    );
  if (lists.length > 0) return lists;
  return own[0]?.rows ? own.filter(({ rows }) => rows) : own.slice(0, 1);
}

/** The entries of which each takes a file or a part of it, whichever `match` fits it. */
function sharingEntries<Kind extends string>(
  entries: readonly Entry<Kind>[],
  name: string,
): readonly Reading<Kind>[] {
  const file = fileOf(name);
  const lists = entries.flatMap(({ kind, lists: all }) =>
    all.filter(({ fits }) => fits(file)).map(({ mapping }) => ({ kind, mapping, rows: undefined })),
  );
  return sharing<Reading<Kind>>(
    lists,
    entries.filter(({ fits }) => fits(file)),
  );
}

function mappingFor<Kind extends string>(entries: readonly Reading<Kind>[], kind: Fields<Kind>): FileMapping {
  const entry = entries.find((one) => one.kind === kind) ?? entries[0];
  if (!entry?.rows) return entry?.mapping ?? AS_IT_STANDS;
  const others = entries.flatMap(({ rows }) => (rows && rows !== entry.rows ? [rows] : []));
  return { ...entry.mapping, rows: { ...entry.rows, others, isFirst: entry === entries[0] } };
}

function filesMapping<Kind extends string>(
  members: Record<string, unknown>,
  file: string,
  known: readonly Fields<Kind>[],
  hasOthers = false,
): Mapping<Kind> {
  objectOf(members, ['$schema', 'files', 'ignore_files'], file);
  const list = members.files ?? [];
  if (!Array.isArray(list)) throw new WrongUsage(`${file}: files must be a list.`);
  const entries = list.map((content: unknown, index) =>
    entryOf(content, `${file}: files.${index}`, { name: String(index + 1), known, hasOthers }),
  );
  const kinds = new Map<string, KindMapping | undefined>(
    known.map((kind) => {
      const of = (name: string): FileMapping => {
        const parts = textsOf(sharingEntries(entries, name));
        return { ...mappingFor(entriesFor(entries, name, file), kind), ...(parts.length > 0 && { parts }) };
      };
      if (!entries.some((entry) => entry.kind === kind)) return [kind.name, undefined];
      // Those that share files say which rows are of none. Whether an entry needs a file does not change what is read.
      const own = entries
        .filter((entry) => entry.kind === kind || entry.rows)
        .map(({ content: { optional: _, ...content } }) => content);
      return [kind.name, { of, text: JSON.stringify({ files: own }) }];
    }),
  );
  return {
    get: (kind) => kinds.get(kind),
    kindsOf: (name) => {
      const parts = partOf(name).part ? [name] : partsIn(sharingEntries(entries, name), name);
      const all = parts.flatMap((part) => entriesFor(entries, part, file));
      return [...new Set(all.map(({ kind }) => kind.name))];
    },
    unused: (names, kinds) =>
      unusedEntries(
        entries,
        names,
        kinds,
        (entry, name) => entriesFor(entries, name, file).find(({ kind }) => kind === entry.kind) === entry,
      ),
    partsOf: (name) => partsIn(sharingEntries(entries, name), name),
    ignoredFiles: optional(members, 'ignore_files', file, (patterns, at) => texts(patterns, at, true)) ?? [],
  };
}

/** What is said of a file, of rows or of items of a list. */
const FILE_PARTS = ['form', 'fields', 'constants', 'values', 'ignore'];

function entryOf<Kind extends string>(
  value: unknown,
  place: string,
  { name, known, hasOthers }: { name: string; known: readonly Fields<Kind>[]; hasOthers: boolean },
): Entry<Kind> {
  const content = objectOf(value, ['match', 'kind', 'optional', 'rows', ...FILE_PARTS], place);
  const fits = fitting(content.match, `${place}.match`);
  const kind = known.find((one) => one.name === content.kind);
  const rows = optional(content, 'rows', place, namedRows);
  const lists: ListEntry[] = [];
  const said = `files.${Number(name) - 1} (${JSON.stringify(content.match)})`;
  if (!kind && hasOthers) {
    const other = text(content.kind, `${place}.kind`) as Kind;
    // Which parts of a file it takes is known without its fields.
    const form = optional(content, 'form', place, formOf) ?? {};
    const mapping = { ...AS_IT_STANDS, form };
    return { place: said, fits, kind: { name: other }, mapping, content, rows, lists, isOptional: true };
  }
  const kinds = known.map((one) => one.name);
  if (!kind) throw notOneOf(kinds, `${place}.kind`);
  const isOptional =
    optional(content, 'optional', place, (value, at) => oneOf(value, [true, false], at)) === true;
  const mapping = fileMapping(kind, content, { place, name, lists });
  const [first] = lists;
  if (!first) return { place: said, fits, kind, mapping, content, rows, lists, isOptional };
  const key = first.key.map(([ofRow]) => ofRow);
  const names = lists.map(({ field }) => field);
  const joined = lists.map((list) => {
    if (list.key.map(([ofRow]) => ofRow).join('\0') !== key.join('\0'))
      throw new WrongUsage(`${place}: all lists must have the same columns of the rows as their key.`);
    const columns = list.key.map(([, ofItem]) => ofItem);
    const join = { entry: name, list: list.field, lists: names, key: columns };
    const sources = new Map([...list.mapping.sources, ['', keySource(columns)]]);
    return { ...list, mapping: { ...list.mapping, sources, join } };
  });
  const sources = new Map([...mapping.sources, ...names.map((field) => [field, keySource(key)] as const)]);
  const join = { entry: name, lists: names, key };
  return {
    place: said,
    fits,
    kind,
    mapping: { ...mapping, sources, join },
    content,
    rows,
    lists: joined,
    isOptional,
  };
}

/** @param about `lists` is given those that are in other files */
function fileMapping(
  owner: Fields,
  content: Record<string, unknown>,
  {
    place,
    name,
    lists,
    common = {},
  }: { place: string; name: string; lists?: ListEntry[]; common?: ValueForm },
): FileMapping {
  const values = valuesIn(owner, content, place);
  const sources = new Map<string, FieldSource>();
  const constants = constantsIn(owner, content, place);
  for (const [field, part] of Object.entries(object(content.fields ?? {}, `${place}.fields`))) {
    const at = `${place}.fields.${field}`;
    expectField(owner, field, `${place}.fields`);
    if (lists && typeof part === 'object' && part !== null && 'from' in part) {
      lists.push(listEntry(owner, field, part, { place: at, name }));
      continue;
    }
    const source = mappedField(owner, field, part, at);
    if ('constant' in source) addConstant(constants, owner, field, source.constant, at);
    else if ('column' in source) {
      const form = { ...common, ...source.form, values: source.form.values ?? values.get(field) };
      sources.set(field, { ...source, form });
    } else {
      if (values.has(field))
        throw new WrongUsage(`${place}.values.${field}: the field comes from several columns.`);
      sources.set(field, source);
    }
  }
  return {
    form: optional(content, 'form', place, formOf) ?? {},
    sources,
    formOf: (field: string) => ({ ...common, values: values.get(field) }),
    constants,
    ignore: new Set(optional(content, 'ignore', place, texts)),
    isEmpty: false,
    name,
  };
}

/** A list whose items are in other files. Source: choice L11. */
function listEntry(
  kind: Fields,
  field: string,
  value: unknown,
  { place, name }: { place: string; name: string },
): ListEntry {
  const content = objectOf(value, ['from', 'key', ...FILE_PARTS], place);
  const items = kind.lists.get(field);
  if (!items) {
    const lists = [...kind.lists.keys()].join(', ') || 'none';
    throw new WrongUsage(`${place}: ${field} is no list of items. Such lists of ${kind.name}: ${lists}.`);
  }
  const fits = fitting(content.from, `${place}.from`);
  const key = [...mapOf(content.key, `${place}.key`, text)].map(
    ([ofItem, ofRow]) => [ofRow, ofItem] as const,
  );
  if (key.length === 0) throw new WrongUsage(`${place}.key must name a column.`);
  key.sort(([one], [other]) => (one < other ? -1 : 1));
  const mapping = fileMapping(items, content, { place, name: `${name}.${field}` });
  return { field, fits, mapping, key };
}

const KIND_PARTS = ['columns', 'constants', 'values', 'dates', 'timezone', 'ambiguous', 'decimals', 'ignore'];

/** One mapping for all files of a kind, as if it were an entry that names no files. */
function kindMapping(kind: Fields, value: unknown, place: string): KindMapping {
  const {
    columns = {},
    dates,
    timezone,
    ambiguous,
    decimals,
    ...content
  } = objectOf(value, KIND_PARTS, place);
  const fields = Object.fromEntries(mapOf(columns, `${place}.columns`, text));
  for (const field of Object.keys(fields)) expectField(kind, field, `${place}.columns`);
  const sign = { decimals, dates };
  const common = {
    amounts: optional(
      sign,
      'decimals',
      place,
      (decimal, at) => new Amounts({ decimal: oneOf(decimal, [',', '.'] as const, at) }, at),
    ),
    dates: optional(sign, 'dates', place, (form, at) => new DateForms([text(form, at)], at)),
    ...zoneIn({ timezone, ambiguous }, place),
  };
  const mapping = {
    ...fileMapping(kind, { ...content, fields }, { place, name: '', common }),
    isEmpty: Object.keys(object(value, place)).length === 0,
  };
  return { of: () => mapping, text: JSON.stringify(value) };
}
