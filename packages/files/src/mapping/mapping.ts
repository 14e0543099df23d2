import { WrongUsage } from '../common/errors.js';
import { unknownName } from '../common/near-matches.js';
import type { Fields } from '../fields/fields.js';
import { entryName, unusedEntries } from './entry-use.js';
import { addConstant, constantsIn, expectField, fitting, keySource, valuesIn } from './field-parts.js';
import { formOfKind, mappedField, type FieldSource } from './field-sources.js';
import type { ValueForm } from '../values/field-value.js';
import { formOf, namedRows, type Form, type LeftOutText, type NamedRows } from './form.js';
import { mapOf, notOneOf, object, objectOf, oneOf, optional, parsed, text, texts } from './mapping-json.js';
import { fileOf, partOf } from '../text/parts.js';
import { partsIn, sharing, takersOf, textsOf } from './sharing.js';

/** The rules for reading one file (choice L11). */
export interface FileMapping {
  readonly form: Form;
  /** The source of each field that does not come from the column of the same name. */
  readonly sources: ReadonlyMap<string, FieldSource>;
  /** The form of a field that comes from the column of the same name. */
  readonly formOf: (field: string) => ValueForm | undefined;
  /** The JSON of each field that has the same value in all rows. */
  readonly constants: ReadonlyMap<string, string>;
  /** Columns that are left out. */
  readonly ignore: ReadonlySet<string>;
  /** Whether the rows come from a workbook, which marks unreadable cells (copies.ts). */
  readonly isOfWorkbook?: boolean;
  /** The rows to read, for a file that also has rows of other kinds. */
  readonly rows?: SharedRows;
  /** Whether the mapping changes nothing, so that rows are read as they are. */
  readonly isEmpty: boolean;
  /** A name that distinguishes the file's mapping from others of its kind; empty if all files of the kind share one. */
  readonly name: string;
  /** The sheets or paths of records that the entries read from the file. */
  readonly parts?: readonly string[];
  /** Set for a file whose rows have lists in other files, and for those other files. */
  readonly join?: Join;
}

/** The way in which rows and the items of their lists are found in several files. */
export interface Join {
  /** The entry of the mapping. The keys of one entry have nothing to do with those of another. */
  readonly entry: string;
  /** The list whose items the file contains; undefined for the file with the rows. */
  readonly list?: string;
  /** All lists of the entry, in order. */
  readonly lists: readonly string[];
  /** The columns of the file whose texts form the key. */
  readonly key: readonly string[];
}

/** The rows that one entry reads from a file which several entries share. */
export interface SharedRows extends NamedRows {
  /** The rows that the other entries read. */
  readonly others: readonly NamedRows[];
  /** The rules of the other entries for lines that are no rows. */
  readonly leaveOut: readonly (readonly [column: string, texts: readonly LeftOutText[]])[];
  /** Whether lines that are left out, and rows that no entry reads, are reported here. */
  readonly isFirst: boolean;
}

/** The rules for reading the files of one kind. */
export interface KindMapping {
  /** @param file the name of the file */
  readonly of: (file: string) => FileMapping;
  /** The kind's part of the mapping file as compact JSON, which shows whether the mapping has changed. */
  readonly text: string;
}

/** A mapping file. */
export interface Mapping<Kind extends string = string> {
  /** @returns {@link NO_MAPPING} for a kind that the mapping does not mention */
  readonly of: (kind: string) => KindMapping;
  /** The kinds that the mapping gives a file, whatever the name of the file says; none if it does not mention the file. */
  readonly kindsOf: (file: string) => readonly Kind[];
  /** The entries with which no file is read, see {@link unusedEntries}. */
  readonly unused: (names: readonly string[], kinds: readonly string[]) => readonly string[];
  /** The names under which the parts of a file are read; the file's own name if it is read as one. */
  readonly partsOf: (file: string) => readonly string[];
  /** Patterns of files that are not loaded. */
  readonly ignore: readonly string[];
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
 * Read a mapping file. It has either one mapping for each kind, or a list of mappings, of which a file uses the first
 * whose `match` fits.
 *
 * @param content the text of the file
 * @param file the name of the file in messages
 * @param known the kinds of rows that it can name
 * @param hasOthers whether it may name other kinds, whose mappings are skipped
 * @throws WrongUsage if it is not JSON, or names a kind, a part or a field that does not exist
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
    of: (kind) => kinds.get(kind) ?? NO_MAPPING,
    kindsOf: () => [],
    unused: () => [],
    partsOf: (file) => [file],
    ignore: [],
  };
}

interface Entry<Kind extends string = string> {
  readonly place: string;
  readonly fits: (file: string) => boolean;
  readonly kind: Pick<Fields<Kind>, 'name'>;
  readonly mapping: FileMapping;
  readonly content: Record<string, unknown>;
  readonly lists: readonly ListEntry[];
  readonly rows: NamedRows | undefined;
  /** Whether the entry may fit no file. */
  readonly isOptional: boolean;
}

/** A list of rows whose items are in other files. */
interface ListEntry {
  readonly field: string;
  readonly fits: (file: string) => boolean;
  readonly mapping: FileMapping;
  /** The key columns of the file with the rows, each with the matching column of the other file. */
  readonly key: readonly (readonly [ofRow: string, ofItem: string])[];
}

/** The part of a mapping that says how a file is read. It is an entry or one of its lists. */
type Reading<Kind extends string> = Pick<Entry<Kind>, 'kind' | 'mapping' | 'rows'>;

/**
 * The entries with which a file or a part of it is read. This is the first entry that fits, or, if it reads only some of
 * the rows, all entries that do so.
 */
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

/** The entries that read a file or a part of it, whichever `match` fits. */
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
  const rest = entries.filter(({ rows }) => rows && rows !== entry.rows);
  const others = rest.flatMap(({ rows }) => rows ?? []);
  const leaveOut = rest.flatMap(({ mapping }) => [...(mapping.form.leaveOut ?? [])]);
  return { ...entry.mapping, rows: { ...entry.rows, others, leaveOut, isFirst: entry === entries[0] } };
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
    entryOf(content, file, { number: index + 1, known, hasOthers }),
  );
  const kinds = new Map<string, KindMapping | undefined>(
    known.map((kind) => {
      const of = (name: string): FileMapping => {
        const parts = textsOf(sharingEntries(entries, name));
        return { ...mappingFor(entriesFor(entries, name, file), kind), ...(parts.length > 0 && { parts }) };
      };
      if (!entries.some((entry) => entry.kind === kind)) return [kind.name, undefined];
      // Entries of other kinds are included if they share the file, because they decide which rows belong to no kind.
      // `optional` is removed, because it does not change what is read.
      const own = entries
        .filter((entry) => entry.kind === kind || entry.rows)
        .map(({ content: { optional: _, ...content } }) => content);
      return [kind.name, { of, text: JSON.stringify({ files: own }) }];
    }),
  );
  return {
    of: (kind) => kinds.get(kind) ?? NO_MAPPING,
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
    ignore: optional(members, 'ignore_files', file, (patterns, at) => texts(patterns, at, true)) ?? [],
  };
}

/** The members of a mapping that describe a file, its rows, or the items of a list. */
const FILE_PARTS = ['form', 'fields', 'constants', 'values', 'ignore'];

function entryOf<Kind extends string>(
  value: unknown,
  file: string,
  { number, known, hasOthers }: { number: number; known: readonly Fields<Kind>[]; hasOthers: boolean },
): Entry<Kind> {
  const name = String(number);
  const said = entryName(value, number);
  const place = `${file}: ${said}`;
  const content = objectOf(value, ['match', 'kind', 'optional', 'rows', ...FILE_PARTS], place);
  const fits = fitting(content.match, `${place}.match`);
  const kind = known.find((one) => one.name === content.kind);
  const rows = optional(content, 'rows', place, namedRows);
  const lists: ListEntry[] = [];
  if (!kind && hasOthers) {
    const other = text(content.kind, `${place}.kind`) as Kind;
    // The parts of a file that an entry reads can be determined without the fields of its kind.
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

/** @param about `lists` receives the lists whose items are in other files */
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

/**
 * A list whose items are in other files.
 *
 * Source: choice L11.
 */
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

/** One mapping for all files of a kind, in the form of an entry that names no files. */
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
  const common = formOfKind({ decimals, dates, timezone, ambiguous }, place);
  const mapping = {
    ...fileMapping(kind, { ...content, fields }, { place, name: '', common }),
    isEmpty: Object.keys(object(value, place)).length === 0,
  };
  return { of: () => mapping, text: JSON.stringify(value) };
}
