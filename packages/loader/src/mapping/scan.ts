import {
  csvLine,
  problemOfCell,
  CsvFinder,
  visitFile,
  type FileOptions,
  isString,
  Members,
  scanObject,
  stringAt,
  type KindMapping,
  type FoundRecord,
} from '@data-import/files';
import { ACCOUNT } from '../kinds/fields.js';
import { parseMapping } from '../kinds/mapping.js';
import { ColumnForms, together } from './column-forms.js';
import { SAMPLED_ROWS, type Layout, type TableGuess } from './guess-form.js';
import type { ColumnSample } from './column-shapes.js';
import { recordTypes } from './record-types.js';
import { Totals } from './totals.js';

/** A file whose rows are all examined. */
export type ScannedFile = Omit<FileOptions, 'mapping'> & { readonly name: string };

/** Texts that other programs write for a missing value. */
const NULLS = ['NULL', 'null', '\\N'];

const SPACE = 0x20;
const HASH = 0x23;

const NUMBER_STARTS = new Set(Buffer.from('-0123456789'));

/** The most record types of a column that are counted separately; the rest are counted together. */
const RECORD_TYPES_MAX = 40;

export interface ScannedTable extends Required<Pick<TableGuess, 'columns' | 'totals'>> {
  /** The number of times that the header is repeated, and the first line where it is. */
  readonly repeated: { readonly count: number; readonly first: number };
  /** Texts that stand for no value. */
  readonly nulls: readonly string[];
}

/** A mapping that reads every line after the header of a table, whatever it contains. */
export function scannedBy({ form, header }: Pick<Layout, 'form' | 'header'>): KindMapping {
  const { delimiter, quote, trim, encoding, skip_lines, sheet } = form;
  const entry = {
    match: '*',
    kind: 'notes',
    form: { delimiter, quote, trim, encoding, skip_lines, sheet },
    constants: { [ACCOUNT]: '-' },
    ignore: header,
  };
  return parseMapping(JSON.stringify({ files: [entry] }), 'the proposal').of('notes');
}

/** The columns with the values of the first rows only. */
export function firstColumns({ header, rows }: Pick<Layout, 'header' | 'rows'>): ColumnSample[] {
  return header.map((name, index) => ({
    name,
    values: rows.map((cells) => cells[index] ?? ''),
    evidence: together([]),
    parts: new Map(),
  }));
}

/** Read all rows of a table in one pass, in constant memory. */
export async function scanTable(file: ScannedFile, layout: Layout): Promise<ScannedTable> {
  const samples = firstColumns(layout);
  const scan = new TableScan(layout, recordTypes(samples)?.column);
  if (layout.first) scan.addFirst(layout.first, layout.line);
  // The column names may differ from those in the file.
  const mapping = scannedBy({ form: layout.form, header: layout.first ?? layout.header });
  await visitFile(
    { ...file, mapping },
    file.name,
    (record, problem, reader) => {
      if (!problem && reader.finder instanceof CsvFinder) scan.add(record.bytes, record.line, reader.finder);
    },
    { isReused: true },
  );
  const { totals, repeated, nulls } = scan;
  return {
    totals,
    repeated,
    nulls,
    columns: samples.map((sample, index) => ({ ...sample, ...scan.column(index) })),
  };
}

/** Collects facts about all rows of a table. */
class TableScan {
  readonly totals = new Totals();
  readonly repeated = { count: 0, first: 0 };
  private readonly found = new Set<string>();
  private readonly parts = new Map<string, ColumnForms[]>();
  private readonly header: readonly Buffer[];
  private readonly typeIndex: number;
  private readonly isTrimmed: boolean;
  private bytes: Buffer = Buffer.alloc(0);
  private finder = new CsvFinder();
  private readonly texts: (() => string)[];

  constructor(layout: Layout, typeColumn: string | undefined) {
    this.header = layout.header.map((name) => Buffer.from(name));
    this.typeIndex = typeColumn === undefined ? -1 : layout.header.indexOf(typeColumn);
    this.isTrimmed = layout.form.trim === true;
    this.texts = layout.header.map((_, index) => () => this.finder.cell(this.bytes, index));
  }

  get nulls(): string[] {
    return [...this.found];
  }

  column(index: number): Pick<ColumnSample, 'evidence' | 'parts'> {
    const parts = [...this.parts].map(
      ([type, forms]) => [type, together(forms.slice(index, index + 1))] as const,
    );
    return { evidence: together(parts.map(([, evidence]) => evidence)), parts: new Map(parts) };
  }

  /** Add the first row of a file without a header. It was read as a header. */
  addFirst(cells: readonly string[], line: number): void {
    const bytes = Buffer.from(csvLine(cells));
    const finder = new CsvFinder();
    finder.find(bytes, 0, bytes.length, true);
    this.add(bytes, line, finder);
  }

  add(bytes: Buffer, line: number, finder: CsvFinder): void {
    this.finder = finder;
    this.bytes = bytes;
    if (this.isHeader()) {
      this.repeated.first ||= line;
      this.repeated.count += 1;
      return;
    }
    this.totals.add(finder, bytes, line);
    if (finder.count !== this.header.length) return;
    const forms = this.formsFor(this.typeIndex === -1 ? '' : finder.cell(bytes, this.typeIndex).trim());
    for (const [index, column] of forms.entries()) {
      let [from, to] = [finder.cellFrom(index), finder.cellTo(index)];
      if (this.isTrimmed) {
        while (from < to && bytes[from] === SPACE) from += 1;
        while (from < to && bytes[to - 1] === SPACE) to -= 1;
      }
      if (from === to || this.isNothing(index, from, to)) continue;
      column.add({ bytes, from, to, line }, this.texts[index] ?? String);
    }
  }

  /** Whether the record has the same cells as the header. */
  private isHeader(): boolean {
    const { finder, header, bytes } = this;
    if (finder.count !== header.length) return false;
    return header.every((name, index) => {
      const [from, to] = [finder.cellFrom(index), finder.cellTo(index)];
      if (this.isTrimmed) return finder.cell(bytes, index) === name.toString();
      return to - from === name.length && name.compare(bytes, from, to) === 0;
    });
  }

  /** Whether a cell stands for no value, or is a workbook cell without a readable value. */
  private isNothing(index: number, from: number, to: number): boolean {
    if (this.bytes[from] === HASH) return problemOfCell(this.texts[index]?.() ?? '') !== undefined;
    if (to - from !== 4 && to - from !== 2) return false;
    const text = this.bytes.toString('latin1', from, to);
    if (NULLS.includes(text)) this.found.add(text);
    return NULLS.includes(text);
  }

  private formsFor(type: string): ColumnForms[] {
    const key = this.parts.size < RECORD_TYPES_MAX || this.parts.has(type) ? type : '';
    const known = this.parts.get(key);
    if (known) return known;
    const forms = this.header.map(() => new ColumnForms());
    this.parts.set(key, forms);
    return forms;
  }
}

/**
 * Read all rows of NDJSON in one pass.
 *
 * @returns the members and the forms of their values
 */
export async function scanJson(file: ScannedFile, form: TableGuess['form']): Promise<ColumnSample[]> {
  const members = new Members();
  const found = new Map<string, { values: string[]; forms: ColumnForms }>();
  const visit = ({ bytes, from, to, line }: FoundRecord): void => {
    if (scanObject(bytes, from, to, members) !== -1) return;
    for (let member = 0; member < members.count; member += 1) {
      const name = members.name(bytes, member);
      const column = found.get(name) ?? { values: [], forms: new ColumnForms() };
      found.set(name, column);
      const [first, end] = [members.valueFrom(member), members.valueTo(member)];
      const isText = isString(bytes, first);
      // Objects, lists, true, false and null need no mapping.
      if (!isText && !NUMBER_STARTS.has(bytes[first] ?? 0)) continue;
      const text = (): string =>
        isText ? stringAt(bytes, first, end) : bytes.toString('latin1', first, end);
      if (column.values.length < SAMPLED_ROWS) column.values.push(text());
      const [inner, last] = isText ? [first + 1, end - 1] : [first, end];
      if (inner < last)
        column.forms.add({ bytes, from: inner, to: last, line }, text, isText ? 'text' : 'number');
    }
  };
  const mapping = scannedBy({ form, header: [] });
  await visitFile(
    { ...file, mapping },
    file.name,
    (record, problem) => {
      if (!problem) visit(record);
    },
    { isReused: true },
  );
  return Array.from(found, ([name, { values, forms }]) => ({
    name,
    values,
    evidence: together([forms]),
    parts: new Map(),
  }));
}
