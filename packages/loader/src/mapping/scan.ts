import {
  problemOfCell,
  CsvFinder,
  visitFile,
  type FileOptions,
  isString,
  Members,
  REPEATED_HEADER,
  scanObject,
  stringAt,
  type KindMapping,
} from '@data-import/files';
import { ACCOUNT } from '../kinds/fields.js';
import { parseMapping } from '../kinds/mapping.js';
import { ColumnForms, together, type Evidence, type Seen } from './column-forms.js';
import { SAMPLED_ROWS, type Layout, type TableGuess } from './guess-form.js';
import type { ColumnSample } from './column-shapes.js';
import { recordTypes } from './record-types.js';
import { Totals } from './totals.js';

/** A file whose rows are all examined. */
export type ScannedFile = Omit<FileOptions, 'mapping'> & { readonly name: string };

/** Texts that other programs write for a missing value. */
const NULLS = ['NULL', 'null', '\\N'];

const NUMBER_STARTS = new Set(Buffer.from('-0123456789'));

/** The most record types of a column that are counted separately; the rest are counted together. */
const RECORD_TYPES_MAX = 40;

/** A mapping that reads every line after the header of a file, whatever it contains. */
export function scannedBy({ form, header }: Pick<Layout, 'form' | 'header'>): KindMapping {
  const entry = {
    match: '*',
    kind: 'notes',
    form: { ...form, ...(header.length > 0 && { [REPEATED_HEADER]: 'leave_out' }) },
    constants: { [ACCOUNT]: '-' },
    ignore: header,
  };
  return parseMapping(JSON.stringify({ files: [entry] }), 'the proposal').of('notes');
}

/** Read all rows of a table in one pass, in constant memory. */
export async function scanTable(file: ScannedFile, layout: Layout): Promise<TableGuess> {
  const { header, rows, form } = layout;
  const remarks = [...layout.remarks];
  if (header.length === 0) return { form, columns: [], remarks };
  const samples = header.map((name, index) => ({
    name,
    values: rows.map((cells) => cells[index] ?? ''),
    evidence: together([]),
  }));
  const type = recordTypes(samples)?.column;
  const typeIndex = type === undefined ? -1 : header.indexOf(type);
  const totals = new Totals();
  const parts = new Map<string, ColumnForms[]>();
  const { rules } = await visitFile(
    { ...file, mapping: scannedBy(layout) },
    file.name,
    ({ bytes, line }, problem, { finder }) => {
      if (problem || !(finder instanceof CsvFinder)) return;
      totals.add(finder, bytes, line);
      if (finder.count !== header.length) return;
      const text = typeIndex === -1 ? '' : finder.cell(bytes, typeIndex).trim();
      const part = parts.size < RECORD_TYPES_MAX || parts.has(text) ? text : '';
      const forms = parts.get(part) ?? header.map(() => new ColumnForms());
      parts.set(part, forms);
      for (const [index, column] of forms.entries()) column.add(finder.cell(bytes, index));
    },
    { isReused: true },
  );
  const all = [...parts.values()].flat().flatMap(({ forms }) => forms.map(({ text }) => text));
  const columns = samples.map((sample, index) => {
    const own = [...parts].map(
      ([text, forms]) => [text, withoutNulls(forms.slice(index, index + 1))] as const,
    );
    return { ...sample, evidence: together(own.map(([, evidence]) => evidence)), parts: new Map(own) };
  });
  const repeated = rules[REPEATED_HEADER] ?? 0;
  const nulls = NULLS.filter((text) => all.includes(text));
  if (repeated > 0)
    remarks.push(
      `${file.name} has its header ${repeated + 1} times; the repetitions are left out. Check it.`,
    );
  if (nulls.length > 0) remarks.push(`${file.name}: ${nulls.join(', ')} is read as nothing. Check it.`);
  const left = {
    ...(repeated > 0 && { [REPEATED_HEADER]: 'leave_out' }),
    ...(nulls.length > 0 && { null: nulls }),
  };
  return { form: { ...form, ...left }, columns, totals, remarks };
}

/** The evidence of a column without texts for a missing value, and without workbook cells that have no readable value. */
function withoutNulls(columns: readonly Evidence[]): Evidence {
  const isValue = (text: string): boolean => !NULLS.includes(text) && problemOfCell(text) === undefined;
  const { forms, isWhole, words } = together(columns);
  return { forms: forms.filter(({ text }) => isValue(text)), isWhole, words: words?.filter(isValue) };
}

/** The members of JSON objects as columns. */
export class MemberColumns {
  private readonly columns = new Map<string, { values: string[]; forms: ColumnForms }>();

  get samples(): ColumnSample[] {
    return Array.from(this.columns, ([name, { values, forms }]) => ({
      name,
      values,
      evidence: together([forms]),
    }));
  }

  /** @param text a text, or the digits of a number. Other values need no mapping */
  add(name: string, text?: string, json?: Seen['json']): void {
    const { values, forms } = this.columns.get(name) ?? { values: [], forms: new ColumnForms() };
    this.columns.set(name, { values, forms });
    if (text === undefined) return;
    if (values.length < SAMPLED_ROWS) values.push(text);
    forms.add(text, json);
  }
}

/**
 * Read all rows of NDJSON in one pass.
 *
 * @returns the members and the forms of their values
 */
export async function scanJson(file: ScannedFile, form: TableGuess['form']): Promise<ColumnSample[]> {
  const members = new Members();
  const columns = new MemberColumns();
  await visitFile(
    { ...file, mapping: scannedBy({ form, header: [] }) },
    file.name,
    ({ bytes, from, to }, problem) => {
      if (problem || scanObject(bytes, from, to, members) !== -1) return;
      for (let member = 0; member < members.count; member += 1) {
        const name = members.name(bytes, member);
        const [first, end] = [members.valueFrom(member), members.valueTo(member)];
        if (isString(bytes, first)) columns.add(name, stringAt(bytes, first, end), 'text');
        else if (NUMBER_STARTS.has(bytes[first] ?? 0))
          columns.add(name, bytes.toString('latin1', first, end), 'number');
        else columns.add(name);
      }
    },
    { isReused: true },
  );
  return columns.samples;
}
