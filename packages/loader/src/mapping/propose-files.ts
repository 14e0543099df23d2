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

/** What is found where a file has an account and nothing else of a kind. */
const FOUND_ACCOUNT = 11;

/** A file, and what was found in its rows. */
export type SampledFile = SampledPart & { readonly name: string };

/** What a mapping file says of files that are alike. */
export interface ProposedEntry {
  match: string | string[];
  readonly kind: MappedKind;
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly form?: TableGuess['form'];
  fields?: Proposal['fields'];
  constants?: Proposal['constants'];
  ignore?: Proposal['ignore'];
  /** Columns that are not said anything of, because several fit one field; no part of the mapping file. */
  readonly left?: readonly string[];
}

/** Whether files are not read as they stand. */
export function isNeeded({ match, kind, ...said }: ProposedEntry): boolean {
  return Object.keys(said).length > 0 || [match].flat().some((name) => kindOf(name) !== kind);
}

/** A file that neither its name nor its columns say the kind of. */
export interface UnknownFile {
  readonly name: string;
  readonly likeliest: MappedKind;
}

export interface ProposedFiles {
  /** Also entries that say nothing, see {@link isNeeded}. */
  readonly entries: readonly ProposedEntry[];
  readonly unknown: readonly UnknownFile[];
  readonly remarks: readonly string[];
}

/**
 * Propose how files are read: those with rows first, then those without an account, which may have items of a list of these rows.
 *
 * @param about `wanted`: the kind that is named for a file; `isAlone`: whether it is one file, which remarks need not name
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

/** The entries of a file, each with the columns that it is about. */
interface ProposedFile {
  readonly proposed: readonly { readonly entry: ProposedEntry; readonly columns: readonly ColumnSample[] }[];
  readonly said: readonly string[];
  /** Set when it is not known what the file holds. */
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
 * @returns the kind that is named or that the name says; else one whose words the name has, or the one that finds most of its fields,
 *   and that this is a guess; without a kind the likeliest
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
  // Other sheets may hold anything, and need more than an account.
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

/** The form with which totals are left out. */
function withoutTotals(
  { name, form, columns, totals }: SampledFile,
  kinds: readonly RowColumns[],
): { form: TableGuess['form']; said: readonly string[] } {
  const header = columns.map((column) => column.name);
  const { rule, said } = totals?.leaveOut(header, kinds) ?? { rule: {}, said: [] };
  const left = Object.keys(rule).length > 0 ? { leave_out: rule } : {};
  return { form: { ...form, ...left }, said: said.map((sentence) => `${name}: ${sentence}`) };
}

/** The columns by which a line is a row. @param key of an item, in place of the account */
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

/** Files that are alike have one entry. @returns it */
function addEntry(entries: ProposedEntry[], entry: ProposedEntry): ProposedEntry {
  const textOf = (one: ProposedEntry): string => JSON.stringify({ ...one, match: '' });
  const same = entries.find((known) => textOf(known) === textOf(entry));
  if (same) same.match = [same.match, entry.match].flat();
  else entries.push(entry);
  return same ?? entry;
}

/** Files of rows that are alike. */
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

/** Columns with the values of files that are alike. */
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

/** Files with items of a list that are alike. */
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

/** Add to the entry of rows that files have items of a list of theirs. @returns what is said of it */
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

/** Where rows have nothing that identifies them, it is what other files know them by. */
function idFrom(entry: ProposedEntry, column: string): string[] {
  const [id = '', ...others] = isKind(entry.kind) ? FACTS[entry.kind].key : [];
  const { [id]: constant, ...left } = entry.constants ?? {};
  if (others.length > 0 || constant === undefined) return [];
  entry.fields = { [id]: column, ...entry.fields };
  if (Object.keys(left).length > 0) entry.constants = left;
  else delete entry.constants;
  return [`${column} is read as ${id} of ${[entry.match].flat().join(', ')}. Check it.`];
}
