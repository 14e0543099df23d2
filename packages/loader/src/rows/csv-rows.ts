import { WrongUsage } from '../common/errors.js';
import { hint } from '../common/near-matches.js';
import { CsvFinder } from './csv-finder.js';
import { ACCOUNT, fieldNames, fieldType, type FieldType } from '../kinds/fields.js';
import { valueOfMapped, valueOfText } from './field-value.js';
import { ItemFields } from './item-fields.js';
import { fieldsOfColumns, type KindMapping } from './mapping.js';
import { accountOf, rowOfFields, unreadableRow, type FoundRecord, type RowReader } from './row-reader.js';
import type { Kind } from '../kinds/kinds.js';
import type { ReadRow, RowError } from './row.js';

/** A field and the cell that it is read from. */
interface Column {
  readonly field: string;
  readonly type: FieldType;
  readonly index: number;
}

/** Reads CSV with a header. */
export class CsvRows implements RowReader {
  private readonly columns: readonly Column[];
  private readonly accountIndex: number;
  private readonly fields = new ItemFields();
  private readonly constants: readonly (readonly [string, string])[];

  /**
   * @param header names of the columns
   * @param file its name, for messages
   * @throws WrongUsage when a column is repeated, is no field and not mapped or ignored, or one that the mapping or every row
   *   needs is missing
   */
  constructor(
    private readonly kind: Kind,
    private readonly mapping: KindMapping,
    private readonly header: readonly string[],
    file: string,
    readonly finder: CsvFinder = new CsvFinder(),
  ) {
    this.columns = columnsOf(kind, mapping, header, file);
    this.accountIndex = this.columns.find(({ field }) => field === ACCOUNT)?.index ?? -1;
    this.constants = [...mapping.constants].flatMap(([field, constant]) => {
      const value = valueOfMapped(field, fieldType(kind, field) ?? 'text', constant);
      return typeof value === 'string' ? [[field, value] as const] : [];
    });
    if (this.accountIndex === -1 && !this.constants.some(([field]) => field === ACCOUNT))
      throw withoutAccount(kind, header, file);
  }

  account(record: FoundRecord): string | undefined {
    const hasPlainAccount =
      this.accountIndex >= 0 && !this.mapping.values.has(ACCOUNT) && !this.mapping.constants.has(ACCOUNT);
    if (!hasPlainAccount) return this.row(record).account;
    if (this.finder.count !== this.header.length) return undefined;
    const account = accountOf(this.finder.cell(record.bytes, this.accountIndex));
    return typeof account === 'string' ? account : undefined;
  }

  row(record: FoundRecord): ReadRow {
    const { finder, header, kind, mapping } = this;
    if (finder.count !== header.length) {
      const detail = `The row has ${finder.count} cells, the header ${header.length}.`;
      return unreadableRow(record, { code: 'invalid', attr: '', detail });
    }
    const { fields } = this;
    fields.clear();
    let error: RowError | undefined;
    for (const { field, type, index } of this.columns) {
      const value = valueOfText(field, type, finder.cell(record.bytes, index), mapping);
      if (typeof value === 'object') error ??= value;
      else if (value !== undefined) fields.set(field, value);
    }
    for (const [field, json] of this.constants) if (!fields.has(field)) fields.set(field, json);
    return rowOfFields(kind, fields, error, record);
  }
}

function columnsOf(kind: Kind, mapping: KindMapping, header: readonly string[], file: string): Column[] {
  const repeated = header.find((name, index) => header.indexOf(name) !== index && !mapping.ignore.has(name));
  if (repeated !== undefined) throw new WrongUsage(`${file} has the column ${quoted(repeated)} twice.`);
  const fieldsOf = fieldsOfColumns(mapping);
  for (const column of fieldsOf.keys()) {
    if (header.includes(column)) continue;
    throw new WrongUsage(
      `${file} has no column ${quoted(column)}, which the mapping file names.${hint(column, header)}`,
    );
  }
  return header.flatMap((name, index) => {
    const isRead = !mapping.columns.has(name) && !mapping.ignore.has(name);
    const fields = fieldsOf.get(name) ?? (isRead ? [name] : []);
    const columns = fields.flatMap((field) => {
      const type = fieldType(kind, field);
      return type === undefined ? [] : [{ field, type, index }];
    });
    if (columns.length > 0) return columns;
    if (mapping.ignore.has(name)) return [];
    throw unknownColumn(kind, name, header, file);
  });
}

function unknownColumn(kind: Kind, name: string, header: readonly string[], file: string): WrongUsage {
  const separator = header.length === 1 ? /[;\t|]/.exec(name)?.[0] : undefined;
  if (separator !== undefined) {
    return new WrongUsage(
      `${file} seems to be separated by ${separator === '\t' ? 'tabs' : quoted(separator)}; expected are commas.`,
    );
  }
  return new WrongUsage(
    `${file} has the column ${quoted(name)}, which is no field of ${kind}.${hint(name, fieldNames(kind))} Map it with "columns" or list it in "ignore" of a mapping file.`,
  );
}

function withoutAccount(kind: Kind, header: readonly string[], file: string): WrongUsage {
  return new WrongUsage(
    `${file} has no column ${ACCOUNT}, which every row of ${kind} needs.${hint(ACCOUNT, header)}`,
  );
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
