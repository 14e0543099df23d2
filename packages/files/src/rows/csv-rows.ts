import { UnknownForm, WrongUsage } from '../common/errors.js';
import { hint } from '../common/near-matches.js';
import { checkedCells, problemOfCell } from '../values/cell-marks.js';
import { isWorkbook } from '../text/file-names.js';
import { CsvFinder } from '../records/csv-finder.js';
import { isOfRows, type Fields, type FieldType, type RowError, type RowFacts } from '../fields/fields.js';
import { columnsOf, fieldsOfColumns, type ColumnsSource } from '../mapping/field-sources.js';
import { errorOf, valueOfText, type Problem, type ValueForm } from '../values/field-value.js';
import { valueInHeader } from '../mapping/header-values.js';
import { ItemFields } from '../fields/item-fields.js';
import type { LeftOutText, NamedRows } from '../mapping/form.js';
import { REPEATED_HEADER, ruleOf, Rules } from './rules.js';
import type { FileMapping } from '../mapping/mapping.js';
import { TOO_LONG, type CellFinder } from '../records/records.js';
import {
  accountOf,
  keepText,
  rowOfFields,
  unreadableRow,
  type FoundRecord,
  type ReadPart,
  type RowReader,
} from './row-reader.js';
import type { ReadRow } from './row.js';

/** A field and the cell from which it is read. */
interface Column {
  readonly field: string;
  readonly type: FieldType;
  readonly index: number;
  readonly form: ValueForm | undefined;
}

/** A field and the cells from which it is read. */
interface Columns {
  readonly field: string;
  readonly type: FieldType | undefined;
  readonly indexes: readonly number[];
  readonly read: ColumnsSource['read'];
}

/** Reads CSV with a header. */
export class CsvRows implements RowReader {
  private readonly columns: readonly Column[];
  private readonly several: readonly Columns[];
  /** Cells whose text can mark a line as not a row. */
  private readonly leftOut: readonly (readonly [
    column: string,
    index: number,
    texts: readonly LeftOutText[],
  ])[];
  readonly rules: Rules;
  /** The index of the account's cell if the account is sent unchanged; otherwise -1. */
  private readonly accountIndex: number;
  private readonly fields = new ItemFields();
  /** The columns that become members of {@link Fields.rest}. */
  private readonly restColumns: readonly (readonly [name: string, index: number])[];
  private readonly restMembers = new ItemFields();
  private readonly facts: RowFacts;
  /** The cells of the key, when the file is joined with others. */
  private readonly key: readonly number[];

  /**
   * @param header the names of the columns
   * @param file the name of the file in messages
   * @throws WrongUsage if a column is repeated, if it is neither a field nor mapped nor ignored, or if a column is
   * missing that the mapping or every row needs
   */
  constructor(
    private readonly owner: Fields,
    private readonly mapping: FileMapping,
    private readonly header: readonly string[],
    file: string,
    readonly finder: CellFinder = new CsvFinder(),
  ) {
    expectColumns(owner, mapping, header, file);
    this.columns = columnsIn(owner, mapping, header);
    this.restColumns = restColumns(owner, mapping, header, file);
    this.facts = owner.row;
    this.key = (mapping.join?.key ?? []).map((name) => header.indexOf(name));
    this.several = [...mapping.sources].flatMap(([field, source]) =>
      'column' in source
        ? []
        : [
            {
              field,
              type: owner.types.get(field),
              indexes: source.columns.map((name) => header.indexOf(name)),
              read: source.read,
            },
          ],
    );
    this.leftOut = [...(mapping.form.leaveOut ?? []), ...(mapping.rows?.leaveOut ?? [])]
      .map(([name, texts]) => [name, header.indexOf(name), texts] as const)
      .filter(([, index]) => index !== -1);
    this.rules = new Rules(owner, mapping);
    for (const name of header) this.rules.see(name);
    const { account: name } = owner.row;
    const account = this.columns.find(({ field }) => field === name);
    const hasOwnForm = account?.form?.values !== undefined || mapping.constants.has(name);
    const isPlain = !hasOwnForm && finder.check === undefined;
    this.accountIndex = isPlain ? (account?.index ?? -1) : -1;
    const hasAccount = account ?? mapping.sources.get(name) ?? mapping.constants.get(name);
    if (hasAccount === undefined && isOfRows(owner)) throw withoutAccount(owner, header, file);
  }

  isLeftOut({ bytes }: FoundRecord): boolean {
    if (this.mapping.form.repeatedHeader && this.isHeader(bytes)) {
      this.rules.leftOut(REPEATED_HEADER);
      return true;
    }
    const rule = this.ruleFor(bytes);
    if (rule !== undefined) this.rules.leftOut(rule);
    return rule !== undefined;
  }

  /** The rule that leaves out the record that was found last. */
  private ruleFor(bytes: Buffer): string | undefined {
    const { finder } = this;
    for (const [column, index, texts] of this.leftOut) {
      const cell = index < finder.count ? finder.cell(bytes, index).trim() : undefined;
      const found = cell === undefined ? undefined : texts.find(({ pattern }) => pattern.test(cell));
      if (found) return ruleOf('leave_out', column, found.text);
    }
    return undefined;
  }

  count({ bytes }: FoundRecord): void {
    const { finder, header, rules } = this;
    for (const column of rules.columns) {
      const index = header.indexOf(column);
      if (index !== -1 && index < finder.count) rules.see(column, finder.cell(bytes, index));
    }
  }

  private isHeader(bytes: Buffer): boolean {
    const { finder, header } = this;
    return (
      finder.count === header.length &&
      header.every((name, index) => finder.cell(bytes, index).trim() === name.trim())
    );
  }

  isOfOther({ bytes }: FoundRecord, problem: RowError | undefined): boolean {
    const { rows: share } = this.mapping;
    if (!share) return false;
    const isOwn = this.isNamed(bytes, share);
    const isOther = share.others.some((other) => this.isNamed(bytes, other));
    // It may be the damaged beginning of another account, so the rows below it have no cells to carry.
    if (problem === TOO_LONG || !(isOwn || isOther || this.ruleFor(bytes) !== undefined))
      this.finder.forget?.();
    // Several entries share the file, but a record that none of them reads, or that cannot be read, must fail only once.
    return share.isFirst ? problem === undefined && isOther : problem !== undefined || !isOwn;
  }

  private isNamed(bytes: Buffer, { column, texts }: NamedRows): boolean {
    const index = this.header.indexOf(column);
    return index < this.finder.count && texts.includes(this.finder.cell(bytes, index).trim());
  }

  account(record: FoundRecord): string | undefined {
    if (this.accountIndex === -1) return this.row(record).account;
    if (this.finder.count !== this.header.length) return undefined;
    const text = this.cell(record, this.accountIndex);
    const account =
      this.mapping.isOfWorkbook && problemOfCell(text) ? undefined : accountOf(this.facts, text);
    return typeof account === 'string' ? account : undefined;
  }

  row(record: FoundRecord): ReadRow {
    const problem = this.recordProblem(record);
    if (problem) return unreadableRow(record, problem);
    const error = this.read(record, false);
    return rowOfFields(this.facts, this.fields, error, record);
  }

  part(record: FoundRecord): ReadPart {
    const { fields } = this;
    const error = this.recordProblem(record);
    if (error) return { fields: undefined, error, key: [] };
    const key = this.key.map((index) => this.cell(record, index).trim());
    // Several rows could share such a key.
    const problem = this.mapping.isOfWorkbook ? key.map(problemOfCell).find(Boolean) : undefined;
    const why = this.read(record, true) ?? (problem && this.errorOf('', this.key, problem, key));
    return { fields, error: why, key: problem ? [] : key };
  }

  /** The reason why the record is not a row. */
  private recordProblem({ bytes }: FoundRecord): RowError | undefined {
    const { finder, header, mapping } = this;
    const { rows: share } = mapping;
    if (finder.count !== header.length) {
      const detail = `The row has ${finder.count} cells, the header ${header.length}.`;
      return { code: 'invalid', attr: '', detail };
    }
    if (!share || this.isNamed(bytes, share)) return finder.check?.();
    const index = header.indexOf(share.column);
    const problem = { problem: 'says no kind of row that the mapping file names.' };
    return this.errorOf('', [index], problem, [finder.cell(bytes, index)]);
  }

  /**
   * Read the fields.
   *
   * @returns the reason why one of them cannot be read
   */
  private read(record: FoundRecord, keepsText: boolean): RowError | undefined {
    const { fields } = this;
    fields.clear();
    let error: RowError | undefined;
    const fail = (field: string, indexes: readonly number[], problem: Problem, texts: string[]): void => {
      error ??= this.errorOf(field, indexes, problem, texts);
      if (keepsText) keepText(fields, field, texts, this.facts);
    };
    for (const { field, type, index, form } of this.columns) {
      const text = this.cell(record, index, form);
      let value = valueOfText(type, text, form);
      if (this.mapping.isOfWorkbook && form?.values?.has(text) !== true)
        value = checkedCells(type, [text], value);
      if (typeof value === 'object') fail(field, [index], this.problemOf(type, value, [text]), [text]);
      else if (value !== undefined) fields.set(field, value);
    }
    for (const { field, type, indexes, read } of this.several) {
      const texts = indexes.map((index) => this.cell(record, index));
      let value = read(texts);
      if (this.mapping.isOfWorkbook) value = checkedCells(type, texts, value);
      if (typeof value === 'object') fail(field, indexes, this.problemOf(type, value, texts), texts);
      else if (value !== undefined) fields.set(field, value);
    }
    const problem = this.readRest(record);
    if (problem) fail(this.owner.rest?.field ?? '', ...problem);
    for (const [field, json] of this.mapping.constants) if (!fields.has(field)) fields.set(field, json);
    return error;
  }

  private problemOf(type: FieldType | undefined, problem: Problem, texts: readonly string[]): Problem {
    return (type === 'number' ? this.finder.advice?.(texts) : undefined) ?? problem;
  }

  /** @returns the first cell for which a workbook has no value, if there is one */
  private readRest(record: FoundRecord): [indexes: number[], problem: Problem, texts: string[]] | undefined {
    const { owner, restMembers: members, restColumns } = this;
    if (!owner.rest || restColumns.length === 0) return undefined;
    members.clear();
    for (const [name, index] of restColumns) {
      const text = this.cell(record, index);
      const problem = this.mapping.isOfWorkbook ? problemOfCell(text) : undefined;
      if (problem) return [[index], problem, [text]];
      if (text !== '') members.set(name, JSON.stringify(text));
    }
    if (!members.isEmpty) this.fields.set(owner.rest.field, members.without());
    return undefined;
  }

  /**
   * The text of a cell; empty if it stands for no value.
   *
   * @param form the form of the field; its `values` are looked up first
   */
  private cell({ bytes }: FoundRecord, index: number, form?: ValueForm): string {
    const text = this.finder.cell(bytes, index);
    const isNothing = this.mapping.form.nulls?.has(text.trim()) === true && form?.values?.has(text) !== true;
    return isNothing ? '' : text;
  }

  private errorOf(
    field: string,
    indexes: readonly number[],
    problem: Problem,
    texts: readonly string[],
  ): RowError {
    const columns = indexes.map(
      (index) => `${this.finder.place?.(index) ?? index + 1} (${this.header[index] ?? ''})`,
    );
    const where = `Column${columns.length > 1 ? 's' : ''} ${columns.join(' and ')}`;
    return errorOf(field, where, problem, texts);
  }
}

/** @throws WrongUsage for a column that is repeated, missing or not accounted for */
function expectColumns(owner: Fields, mapping: FileMapping, header: readonly string[], file: string): void {
  const { sources, ignore, form } = mapping;
  expectCells(header, file);
  // Names that the mapping file gives are never mistaken for values.
  const value = form.header || form.fixed ? undefined : valueInHeader(owner, mapping);
  if (value?.columns.every((name) => header.includes(name)))
    throw new WrongUsage(
      `${file} seems to have no header: ${value.columns.map(quoted).join(' and ')} in its first line is a value of ${value.field}. Give the names of its columns in the mapping file: "form": {"header": [NAME, …]}.`,
    );
  const repeated = header.find((name, index) => header.indexOf(name) !== index && !ignore.has(name));
  if (repeated !== undefined)
    throw new WrongUsage(
      `${file} has the column ${quoted(repeated)} twice. Rename one of them in its header.`,
    );
  const named = new Set([
    ...[...sources.values()].flatMap(columnsOf),
    ...(form.leaveOut?.keys() ?? []),
    ...(mapping.rows ? [mapping.rows, ...mapping.rows.others] : []).map(({ column }) => column),
  ]);
  for (const column of named) {
    if (header.includes(column)) continue;
    throw new WrongUsage(
      `${file} has no column ${quoted(column)}, which the mapping file names.${hint(column, header)}`,
    );
  }
  for (const name of header) {
    const isRead = owner.types.has(name) && !sources.has(name);
    if (isRead || named.has(name) || ignore.has(name)) continue;
    if (!owner.rest || owner.types.has(name)) throw unknownColumn(owner, name, file);
    const problem = owner.rest.problemOf(name);
    if (problem !== undefined) throw new WrongUsage(`${file} has the column ${quoted(name)}. ${problem}`);
  }
}

/** @throws WrongUsage if the field has a column of its own */
function restColumns(
  { rest, types }: Fields,
  { ignore, rows, sources }: FileMapping,
  header: readonly string[],
  file: string,
): (readonly [name: string, index: number])[] {
  if (!rest) return [];
  const used = new Set([...[...sources.values()].flatMap(columnsOf), ...ignore, rows?.column]);
  const found = header.flatMap((name, index) =>
    types.has(name) || used.has(name) ? [] : [[name, index] as const],
  );
  const hasOwn = sources.has(rest.field) || (header.includes(rest.field) && !used.has(rest.field));
  const [[first] = []] = found;
  if (hasOwn && first !== undefined)
    throw new WrongUsage(
      `${file} has both a column for ${rest.field} and columns of its members, such as ${quoted(first)}. Map them or list them in "ignore" of a mapping file.`,
    );
  return found;
}

/** The fields that come from a single column, in the order of the columns. */
function columnsIn(owner: Fields, mapping: FileMapping, header: readonly string[]): Column[] {
  const fieldsOf = fieldsOfColumns(mapping);
  return header.flatMap((name, index) => {
    // The column that tells the kind of a row may have the name of a field. It is not read as that field if the mapping
    // gives the field a constant.
    const isType = name === mapping.rows?.column && mapping.constants.has(name);
    const isPlain = !mapping.sources.has(name) && !mapping.ignore.has(name) && !isType;
    const own =
      isPlain && fieldsOf.get(name) === undefined ? [{ field: name, form: mapping.formOf(name) }] : [];
    return [...(fieldsOf.get(name) ?? []), ...own].flatMap(({ field, form }) => {
      const type = owner.types.get(field);
      return type === undefined ? [] : [{ field, type, index, form }];
    });
  });
}

/** @throws WrongUsage if the header looks like one cell because another character separates the cells */
function expectCells([name = '', ...others]: readonly string[], file: string): void {
  const separator = others.length === 0 ? /[,;\t|]/.exec(name)?.[0] : undefined;
  // The cells of a workbook are separate.
  if (separator === undefined || isWorkbook(file)) return;
  throw new UnknownForm(
    `${file} seems to be separated by ${separator === '\t' ? 'tabs' : quoted(separator)}; name the "delimiter" in the "form" of a mapping file.`,
  );
}

function unknownColumn(owner: Fields, name: string, file: string): UnknownForm {
  return new UnknownForm(
    `${file} has the column ${quoted(name)}, which is no field of ${owner.name}.${hint(name, owner.types.keys())} Map it or list it in "ignore" of a mapping file.`,
  );
}

function withoutAccount({ name, row }: Fields, header: readonly string[], file: string): UnknownForm {
  return new UnknownForm(
    `${file} has no column ${row.account}, which every row of ${name} needs.${hint(row.account, header)}`,
  );
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
