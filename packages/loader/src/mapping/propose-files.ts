import { ACCOUNTS, delimiterOf, partName, type Part } from '@data-import/files';
import { ACCOUNT, fieldNames, fieldType, isKind, type FieldOwner, type MappedKind } from '../kinds/fields.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import { kindOf } from '../rows/folder.js';
import { assign, fieldsFound } from './assign.js';
import { together } from './column-forms.js';
import type { ColumnSample } from './column-shapes.js';
import { fixedWidth } from './fixed-width.js';
import type { TableGuess } from './guess-form.js';
import type { SampledPart } from './samples.js';
import { findList, hasNoAccount, type FoundList, type RowsSample } from './propose-lists.js';
import { propose, type Proposal } from './propose.js';
import { recordTypes, type RecordTypes } from './record-types.js';
import { ACCOUNT_FILES, kindsByWords } from './synonyms.js';
import type { RowColumns } from './totals.js';

/** The score of {@link fieldsFound} for a file in which only the account of a kind was found. */
const FOUND_ACCOUNT = 11;

/** A file, and what was found in its rows. */
export type SampledFile = SampledPart & { readonly name: string };

/** An entry of a mapping file, for files that are alike. */
export interface ProposedEntry {
  match: string | string[];
  readonly kind: MappedKind;
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly form?: TableGuess['form'];
  fields?: Proposal['fields'];
  constants?: Proposal['constants'];
  ignore?: Proposal['ignore'];
  /** Columns for which nothing is proposed, because several fit one field. This is not part of the mapping file. */
  readonly left?: readonly string[];
}

/** Whether an entry changes how its files are read. */
export function isNeeded({ match, kind, ...said }: ProposedEntry): boolean {
  return Object.keys(said).length > 0 || [match].flat().some((name) => kindOf(name) !== kind);
}

/** A file whose kind follows neither from its name nor from its columns. */
export interface UnknownFile {
  readonly name: string;
  readonly likeliest: MappedKind;
}

export interface ProposedFiles {
  /** All entries, including those that change nothing, see {@link isNeeded}. */
  readonly entries: readonly ProposedEntry[];
  readonly unknown: readonly UnknownFile[];
  readonly remarks: readonly string[];
}

/**
 * Propose entries for files. Files with rows come first, because a file without an account may contain items of a list
 * in these rows.
 *
 * @param about `wanted` is the kind that is requested for a file; `isAlone` is true if there is only one file, which
 * remarks need not name
 */
export function proposeFiles(
  sampled: readonly SampledFile[],
  {
    wanted,
    isAlone,
  }: { readonly wanted: (name: string) => MappedKind | undefined; readonly isAlone: boolean },
): ProposedFiles {
  const entries: ProposedEntry[] = [];
  const unknown: UnknownFile[] = [];
  const remarks: string[] = [];
  const say = (name: string, said: readonly string[], part?: Part): void => {
    const place = part ? partName(name, part) : name;
    const isSaid = (remark: string): boolean => (isAlone && !part) || remark.startsWith(name);
    remarks.push(...said.map((remark) => (isSaid(remark) ? remark : `${place}: ${remark}`)));
  };
  const known: RowsFile[] = [];
  const lists: ListFiles[] = [];
  const mayBeList = ({ name, columns }: SampledFile): boolean =>
    sampled.length > 1 && wanted(name) === undefined && hasNoAccount(columns);
  const inOrder = [...sampled.filter((file) => !mayBeList(file)), ...sampled.filter(mayBeList)];
  for (const file of inOrder) {
    const found = mayBeList(file) ? findList(file.name, file.columns, known) : undefined;
    if (found) {
      addItems(lists, found, file);
      continue;
    }
    const fixed = fixedWidth(file.columns);
    if (fixed !== undefined) {
      say(file.name, [fixed]);
      continue;
    }
    const { proposed, said, likeliest } = proposeFor(file, wanted(file.name));
    if (likeliest && !unknown.some(({ name }) => name === file.name))
      unknown.push({ name: file.name, likeliest });
    say(file.name, said, file.part);
    for (const { entry, columns } of proposed) {
      const added = addEntry(entries, entry);
      if (!mayBeList(file)) addRows(known, added, columns);
    }
  }
  for (const one of lists) say(one.names.join(', '), proposeList(one));
  const isKnown = ({ name }: UnknownFile): boolean =>
    entries.some(({ match }) => [match].flat().includes(name));
  return { entries, unknown: unknown.filter((file) => !isKnown(file)), remarks };
}

/** The entries of a file, each with its columns. */
interface ProposedFile {
  readonly proposed: readonly { readonly entry: ProposedEntry; readonly columns: readonly ColumnSample[] }[];
  readonly said: readonly string[];
  /** Set if the kind of the file is unknown. */
  readonly likeliest?: MappedKind;
}

function proposeFor(file: SampledFile, wanted: MappedKind | undefined): ProposedFile {
  const { name, columns, remarks } = file;
  const types = wanted === undefined && kindOf(name) === undefined ? recordTypes(columns) : undefined;
  if (types) return proposeShared(file, types);
  const { kind, guessed, likeliest } = chosenKind(file, wanted);
  if (!kind) {
    const said = file.part ? [...remarks, 'It fits no kind, and has no entry.'] : [];
    return { proposed: [], said, likeliest };
  }
  const { proposal, left, remarks: others } = propose(kind, columns, delimiterIn(file));
  const { form, said } = withoutTotals(file, [rowColumns(kind, columns)]);
  const entry = { match: name, kind, ...formIn(form), ...proposal, ...(left.length > 0 && { left }) };
  return { proposed: [{ entry, columns }], said: [...guessed, ...remarks, ...said, ...others] };
}

/** An entry for each kind of rows in a file. */
function proposeShared(file: SampledFile, { column, kinds, unknown }: RecordTypes): ProposedFile {
  const { name, remarks } = file;
  const { form, said: totals } = withoutTotals(
    file,
    kinds.map(({ kind }) => rowColumns(kind, file.columns)),
  );
  const list = kinds.map(({ kind, texts }) => `${texts.join(', ')}: ${kind}`).join('; ');
  const said = [
    `${name} has rows of several kinds, as ${column} says: ${list}. Check it.`,
    ...remarks,
    ...totals,
  ];
  if (unknown.length > 0)
    said.push(
      `${column}: rows with ${unknown.join(', ')} have no known kind, and fail. Add the text to the "rows" of an entry, or to "leave_out" of the first one.`,
    );
  const proposed = kinds.map(({ kind, texts, columns, empty }) => {
    const { proposal, left, remarks: others } = propose(kind, columns, delimiterIn(file));
    said.push(...others.map((remark) => `${kind}: ${remark}`));
    const ignore = [...(proposal.ignore ?? []), ...empty];
    const ignored = ignore.length > 0 ? { ignore } : {};
    const entry = {
      match: name,
      kind,
      rows: { [column]: texts },
      ...formIn(form),
      ...proposal,
      ...ignored,
      ...(left.length > 0 && { left }),
    };
    return { entry, columns };
  });
  return { proposed, said };
}

/**
 * Choose the kind of a file. A requested kind or the kind in its name wins. Otherwise the words of its name decide, or
 * the number of fields found in its columns; the choice is then a guess.
 *
 * @returns the kind and whether it is a guess, or, without a kind, the most likely one
 */
function chosenKind(
  { name, part, columns }: SampledFile,
  wanted: MappedKind | undefined,
): { kind?: MappedKind; guessed: readonly string[]; likeliest: MappedKind } {
  const [first, second] = KINDS.map((kind) => ({ kind, found: fieldsFound(kind, columns) })).sort(
    (one, other) => other.found - one.found,
  );
  const found = first && first.found > 0 ? first.kind : 'transactions';
  const likeliest = ACCOUNT_FILES.test(name) ? ACCOUNTS.name : found;
  // The sheets of a workbook may contain anything, so an account alone does not show their kind.
  const fits = (kind: MappedKind | undefined, found: number): boolean =>
    kind !== undefined &&
    (part ? fieldsFound(kind, columns) > FOUND_ACCOUNT : fieldsFound(kind, columns) >= found);
  const guess = (kind: Kind, why: string) => ({
    kind,
    guessed: [`${part ? partName(name, part) : name} is read as ${kind} because of its ${why}. Check it.`],
    likeliest,
  });
  if (wanted) return fits(wanted, 0) ? { kind: wanted, guessed: [], likeliest } : { guessed: [], likeliest };
  const ofPart = part && kindsByWords(part.text.replace(/^.*\./s, '')).find((kind) => fits(kind, 0));
  if (ofPart) return guess(ofPart, 'name');
  const said = kindOf(name);
  if (said && fits(said, 0)) return { kind: said, guessed: [], likeliest };
  const meant = kindsByWords(name).find((kind) => fits(kind, 10));
  if (meant) return guess(meant, 'name');
  const isClear = first && first.found >= 20 && first.found > (second?.found ?? 0);
  if (isClear && likeliest !== ACCOUNTS.name) return guess(first.kind, 'columns');
  return { guessed: [], likeliest };
}

function delimiterIn({ form, name }: Pick<SampledFile, 'form' | 'name'>): string {
  return typeof form.delimiter === 'string' ? form.delimiter : delimiterOf(name);
}

/** The form that leaves out lines with totals. */
function withoutTotals(
  { name, form, columns, totals }: SampledFile,
  kinds: readonly RowColumns[],
): { form: TableGuess['form']; said: readonly string[] } {
  const header = columns.map((column) => column.name);
  const { rule, said } = totals?.leaveOut(header, kinds) ?? { rule: {}, said: [] };
  const left = Object.keys(rule).length > 0 ? { leave_out: rule } : {};
  return { form: { ...form, ...left }, said: said.map((sentence) => `${name}: ${sentence}`) };
}

/**
 * The columns that make a line a row.
 *
 * @param key the key column of an item, which takes the place of the account
 */
function rowColumns(owner: FieldOwner, columns: readonly ColumnSample[], key?: string): RowColumns {
  const { columnOf } = assign(owner, columns, []);
  const indexOf = (column: string | undefined): number => columns.findIndex(({ name }) => name === column);
  const isDate = (field: string): boolean => fieldType(owner, field)?.startsWith('date') ?? false;
  const isOfKey = (field: string): boolean =>
    isKind(owner) ? FACTS[owner].key.includes(field) : fieldType(owner, field) === 'text';
  const others = fieldNames(owner)
    .filter((field) => columnOf.has(field) && (isOfKey(field) || isDate(field)))
    .map((field) => ({ index: indexOf(columnOf.get(field)), isDate: isDate(field) }));
  return { account: indexOf(key ?? columnOf.get(ACCOUNT)), others };
}

function formIn(form: TableGuess['form']): Pick<ProposedEntry, 'form'> {
  return Object.keys(form).length > 0 ? { form } : {};
}

/**
 * Add an entry. Files that are alike share one.
 *
 * @returns the new or the shared entry
 */
function addEntry(entries: ProposedEntry[], entry: ProposedEntry): ProposedEntry {
  const textOf = (one: ProposedEntry): string => JSON.stringify({ ...one, match: '' });
  const same = entries.find((known) => textOf(known) === textOf(entry));
  if (same) same.match = [same.match, entry.match].flat();
  else entries.push(entry);
  return same ?? entry;
}

/** Files with rows that are alike. */
interface RowsFile extends RowsSample {
  readonly entry: ProposedEntry;
  columns: readonly ColumnSample[];
}

function addRows(known: RowsFile[], entry: ProposedEntry, columns: readonly ColumnSample[]): void {
  const { kind } = entry;
  // Accounts have no lists.
  if (!isKind(kind)) return;
  const alike = known.find((rows) => rows.entry === entry);
  if (!alike) known.push({ entry, kind, columns });
  else alike.columns = withMore(alike.columns, columns);
}

/** The columns with the values of files that are alike. */
function withMore(columns: readonly ColumnSample[], others: readonly ColumnSample[]): ColumnSample[] {
  return columns.map((column) => {
    const { values = [], evidence = together([]) } = others.find(({ name }) => name === column.name) ?? {};
    return {
      ...column,
      values: [...column.values, ...values],
      evidence: together([column.evidence, evidence]),
    };
  });
}

/** Files with items of one list that are alike. */
interface ListFiles extends FoundList<RowsFile> {
  readonly names: string[];
  readonly form: TableGuess['form'];
  columns: readonly ColumnSample[];
  readonly remarks: readonly string[];
}

function addItems(lists: ListFiles[], found: FoundList<RowsFile>, file: SampledFile): void {
  const textOf = ({ list, key, form, columns }: Omit<ListFiles, 'names' | 'rows'>): string =>
    JSON.stringify([list, key, form, columns.map(({ name }) => name)]);
  const owner: FieldOwner = `${found.rows.kind}.${found.list}`;
  const { form, said } = withoutTotals(file, [rowColumns(owner, file.columns, found.key.ofItem)]);
  const own = { ...found, ...file, form, remarks: [...file.remarks, ...said], names: [file.name] };
  const alike = lists.find((one) => one.rows === found.rows && textOf(one) === textOf(own));
  if (!alike) {
    lists.push(own);
    return;
  }
  alike.names.push(file.name);
  alike.columns = withMore(alike.columns, file.columns);
}

/**
 * Add a list to the entry of its rows.
 *
 * @returns the remarks about it
 */
function proposeList({
  names,
  form,
  columns,
  remarks,
  rows: { entry, kind },
  list,
  key,
}: ListFiles): string[] {
  const [name = ''] = names;
  const where = `${list} of ${[entry.match].flat().join(', ')}`;
  const { from: known } = (entry.fields?.[list] ?? {}) as { from?: string | string[] };
  if (known !== undefined)
    return [
      `It seems to have ${where} too, in another form than ${[known].flat().join(', ')}. Bring them into one.`,
    ];
  const items = columns.filter((column) => column.name !== key.ofItem);
  const { proposal, remarks: others } = propose(`${kind}.${list}`, items, delimiterIn({ form, name }));
  const from = names.length === 1 ? name : names;
  const source = { from, key: { [key.ofItem]: key.ofRow }, ...formIn(form), ...proposal };
  entry.fields = { ...entry.fields, [list]: source };
  const ignore = entry.ignore?.filter((column) => column !== key.ofRow);
  if (ignore && ignore.length > 0) entry.ignore = ignore;
  else delete entry.ignore;
  const taken = `It is read as ${where}, where ${key.ofItem} is the ${key.ofRow} of the row. Check it.`;
  return [taken, ...idFrom(entry, key.ofRow), ...remarks, ...others];
}

/** If the rows have no field that identifies them, use the column by which the other file refers to them. */
function idFrom(entry: ProposedEntry, column: string): string[] {
  const [id = '', ...others] = isKind(entry.kind) ? FACTS[entry.kind].key : [];
  const { [id]: constant, ...left } = entry.constants ?? {};
  if (others.length > 0 || constant === undefined) return [];
  entry.fields = { [id]: column, ...entry.fields };
  if (Object.keys(left).length > 0) entry.constants = left;
  else delete entry.constants;
  return [`${column} is read as ${id} of ${[entry.match].flat().join(', ')}. Check it.`];
}
