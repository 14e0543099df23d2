import { ACCOUNTS, partName, type Part } from '@data-import/files';
import { ACCOUNT, fieldNames, fieldType, isKind, type FieldOwner, type MappedKind } from '../kinds/fields.js';
import { FACTS, KINDS } from '../kinds/kinds.js';
import { kindOf } from '../rows/folder.js';
import { assign, fieldsFound } from './assign.js';
import { together } from './column-forms.js';
import type { ColumnSample } from './column-shapes.js';
import { isOfAccount } from './column-words.js';
import type { TableGuess } from './guess-form.js';
import type { SampledPart } from './samples.js';
import { findList, type FoundList, type RowsFiles } from './propose-lists.js';
import { propose, type ProposedEntry } from './propose.js';
import { recordTypes } from './record-types.js';
import WORDS from './words.json' with { type: 'json' };
import type { RowColumns } from './totals.js';

/** The score of {@link fieldsFound} for a file in which only the account of a kind was found. */
const FOUND_ACCOUNT = 11;

/** A file, and what was found in its rows. */
export type SampledFile = SampledPart & { readonly name: string };

/** Whether an entry changes how its files are read. */
export function isNeeded({ match, kind, ...said }: ProposedEntry): boolean {
  return Object.keys(said).length > 0 || [match].flat().some((name) => kindOf(name) !== kind);
}

export interface ProposedFiles {
  /** All entries, including those that change nothing, see {@link isNeeded}. */
  readonly entries: readonly ProposedEntry[];
  /** Files whose kind follows neither from their name nor from their columns, each with the most likely kind. */
  readonly unknown: ReadonlyMap<string, MappedKind>;
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
  const known: RowsFiles[] = [];
  const unknown = new Map<string, MappedKind>();
  let remarks: string[] = [];
  const say = (name: string, said: readonly string[], part?: Part): void => {
    const place = part ? partName(name, part) : name;
    for (const remark of said) {
      const own = remark.startsWith(`${name}: `) ? remark.slice(name.length + 2) : remark;
      const isSaid = (isAlone && !part) || own.startsWith(name);
      remarks.push(isSaid ? remark : `${place}: ${own}`);
    }
  };
  const addRows = (file: SampledFile, isOnly = false): void => {
    const { name, part } = file;
    const { kinds, said, likeliest } = kindsIn(file, wanted(name), isOnly);
    if (likeliest) unknown.set(name, unknown.get(name) ?? likeliest);
    const { found, remarks: others } = proposeRows(file, kinds);
    say(name, [...said, ...others], part);
    for (const one of found) addEntry(known, one);
  };
  const isOfList = ({ name, columns }: SampledFile): boolean =>
    sampled.length > 1 && wanted(name) === undefined && !columns.some((column) => isOfAccount(column.name));
  for (const file of sampled) if (!isOfList(file)) addRows(file);
  const rows = [...known];
  const lists: ListFiles[] = [];
  for (const file of sampled.filter(isOfList)) {
    const found = findList(file.name, file.columns, rows);
    if (found) addItems(lists, found, file);
    else addRows(file);
  }
  for (const one of lists) say(one.names.join(', '), proposeList(one));
  // A requested kind is that of some part: of the last with an account, which is the innermost list of a document.
  for (const name of [...unknown.keys()].filter(
    (one) => wanted(one) && !known.some(({ entry }) => [entry.match].flat().includes(one)),
  )) {
    const parts = sampled.filter((file) => file.name === name);
    const last =
      parts.findLast(({ columns }) => columns.some((column) => isOfAccount(column.name))) ?? parts.at(-1);
    if (!last?.part) continue;
    const place = partName(name, last.part);
    remarks = remarks.filter((remark) => !remark.startsWith(`${place}: `));
    addRows(last, true);
  }
  const entries = known.map(({ entry }) => entry);
  const names = entries.flatMap(({ match }) => match);
  for (const name of names) unknown.delete(name);
  return { entries, unknown, remarks };
}

/** The rows of one kind in a file. */
interface KindOfRows {
  readonly kind: MappedKind;
  readonly columns: readonly ColumnSample[];
  /** The rows, if the file also has rows of other kinds. */
  readonly rows?: ProposedEntry['rows'];
  /** Columns that are empty in all of these rows. */
  readonly empty?: readonly string[];
}

/** @returns the kinds of rows in a file; without them, the most likely kind */
function kindsIn(
  file: SampledFile,
  wanted: MappedKind | undefined,
  isOnly: boolean,
): {
  readonly kinds: readonly KindOfRows[];
  readonly said: readonly string[];
  readonly likeliest?: MappedKind;
} {
  const { name, part, columns, remarks } = file;
  const types = wanted === undefined && kindOf(name) === undefined ? recordTypes(columns) : undefined;
  if (!types) {
    const { kind, why, likeliest } = chosenKind(file, wanted, isOnly);
    if (!kind)
      return { kinds: [], said: part ? [...remarks, 'It fits no kind, and has no entry.'] : [], likeliest };
    const place = part ? partName(name, part) : name;
    const guessed = why === undefined ? [] : [`${place} is read as ${kind} because of its ${why}. Check it.`];
    return { kinds: [{ kind, columns }], said: [...guessed, ...remarks] };
  }
  const { column, kinds, unknown } = types;
  const list = kinds.map(({ kind, texts }) => `${texts.join(', ')}: ${kind}`).join('; ');
  const said = [`${name} has rows of several kinds, as ${column} says: ${list}. Check it.`, ...remarks];
  if (unknown.length > 0)
    said.push(
      `${column}: rows with ${unknown.join(', ')} have no known kind, and fail. Add the text to the "rows" of an entry, or to "leave_out" of the first one.`,
    );
  return { kinds: kinds.map(({ texts, ...one }) => ({ ...one, rows: { [column]: texts } })), said };
}

/** An entry for each kind of rows in a file. */
function proposeRows(
  file: SampledFile,
  kinds: readonly KindOfRows[],
): { readonly found: readonly RowsFiles[]; readonly remarks: readonly string[] } {
  const { form, remarks } = withoutTotals(
    file,
    kinds.map(({ kind }) => rowColumns(kind, file.columns)),
  );
  const found = kinds.map(({ kind, columns, rows, empty = [] }) => {
    const { proposal, left, remarks: others } = propose(kind, columns, file.form);
    remarks.push(...others.map((remark) => (rows ? `${kind}: ${remark}` : remark)));
    const ignore = [...(proposal.ignore ?? []), ...empty];
    const entry = {
      match: file.name,
      kind,
      ...(rows && { rows }),
      ...formIn(form),
      ...proposal,
      ...(ignore.length > 0 && { ignore }),
      ...(left.length > 0 && { left }),
    };
    return { entry, columns };
  });
  return { found, remarks };
}

/**
 * Choose the kind of a file, or of its only part with an entry. A requested kind or the kind in its name wins. Otherwise
 * the words of its name decide, or the number of fields found in its columns; the choice is then a guess.
 *
 * @returns the kind, with the reason for a guess, or, without a kind, the most likely one
 */
function chosenKind(
  { name, part, columns }: SampledFile,
  wanted: MappedKind | undefined,
  isOnly: boolean,
): { readonly kind?: MappedKind; readonly why?: string; readonly likeliest: MappedKind } {
  const [first = { kind: 'transactions' as const, found: 0 }, second] = KINDS.map((kind) => ({
    kind,
    found: fieldsFound(kind, columns),
  })).sort((one, other) => other.found - one.found);
  const likely = first.found > 0 ? first.kind : 'transactions';
  const likeliest = isNamed(name, ACCOUNTS.name) ? ACCOUNTS.name : likely;
  const isClear = first.found > (second?.found ?? 0) && likeliest !== ACCOUNTS.name;
  const said = kindOf(name);
  const choices: readonly { kind: MappedKind; why?: string; least: number }[] = wanted
    ? [{ kind: wanted, least: 0 }]
    : [
        ...kindsNamed(part?.text.replace(/^.*\./s, '') ?? '').map((kind) => ({
          kind,
          why: 'name',
          least: 0,
        })),
        ...(said ? [{ kind: said, least: 0 }] : []),
        ...kindsNamed(name).map((kind) => ({ kind, why: 'name', least: 10 })),
        ...(isClear ? [{ kind: first.kind, why: 'columns', least: 20 }] : []),
      ];
  // The sheets of a workbook may contain anything, so an account alone does not show their kind.
  const chosen = choices.find(({ kind, least }) => {
    return fieldsFound(kind, columns) >= (part && !isOnly ? Math.max(least, FOUND_ACCOUNT + 1) : least);
  });
  return { ...chosen, likeliest };
}

/** Whether the words of a file's name are those of a kind. */
function isNamed(name: string, kind: MappedKind): boolean {
  return new RegExp(WORDS.files[kind], 'i').test(name);
}

/** Files with accounts are recognised only with an option. */
function kindsNamed(name: string): MappedKind[] {
  return KINDS.filter((kind) => isNamed(name, kind));
}

/** The form that leaves out lines with totals. */
function withoutTotals(
  { name, form, columns, totals }: SampledFile,
  kinds: readonly RowColumns[],
): { readonly form: TableGuess['form']; readonly remarks: string[] } {
  const header = columns.map((column) => column.name);
  const { rule, said } = totals?.leaveOut(header, kinds) ?? { rule: {}, said: [] };
  const left = Object.keys(rule).length > 0 ? { leave_out: rule } : {};
  return { form: { ...form, ...left }, remarks: said.map((sentence) => `${name}: ${sentence}`) };
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

/** Add an entry. Files that are alike share one. */
function addEntry(known: RowsFiles[], one: RowsFiles): void {
  const textOf = ({ entry }: RowsFiles): string => JSON.stringify({ ...entry, match: '' });
  const same = known.find((other) => textOf(other) === textOf(one));
  if (!same) known.push(one);
  else {
    same.entry.match = [same.entry.match, one.entry.match].flat();
    same.columns = withMore(same.columns, one.columns);
  }
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
interface ListFiles extends FoundList {
  readonly names: string[];
  readonly form: TableGuess['form'];
  columns: readonly ColumnSample[];
  readonly remarks: readonly string[];
}

function addItems(lists: ListFiles[], found: FoundList, file: SampledFile): void {
  const textOf = ({ list, key, form, columns }: Omit<ListFiles, 'names' | 'rows'>): string =>
    JSON.stringify([list, key, form, columns.map(({ name }) => name)]);
  const { form, remarks } = withoutTotals(file, [rowColumns(found.owner, file.columns, found.key.ofItem)]);
  const own = { ...found, ...file, form, remarks: [...file.remarks, ...remarks], names: [file.name] };
  const alike = lists.find((one) => one.rows === found.rows && textOf(one) === textOf(own));
  if (!alike) lists.push(own);
  else {
    alike.names.push(file.name);
    alike.columns = withMore(alike.columns, file.columns);
  }
}

/**
 * Add a list to the entry of its rows.
 *
 * @returns the remarks about it
 */
function proposeList({ names, form, columns, remarks, rows, list, owner, key }: ListFiles): string[] {
  const { entry } = rows;
  const where = `${list} of ${[entry.match].flat().join(', ')}`;
  const { from: known } = (entry.fields?.[list] ?? {}) as { from?: string | string[] };
  if (known !== undefined)
    return [
      `It seems to have ${where} too, in another form than ${[known].flat().join(', ')}. Bring them into one.`,
    ];
  const items = columns.filter((column) => column.name !== key.ofItem);
  const { proposal, remarks: others } = propose(owner, items, form);
  const from = names.length === 1 ? names[0] : names;
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
