import { WrongUsage } from '../common/errors.js';
import type { Form } from '../mapping/form.js';
import type { Fields } from '../fields/fields.js';
import { delimiterOf, isCsv, isWorkbook } from '../text/file-names.js';
import { NO_MAPPING, type FileMapping, type KindMapping } from '../mapping/mapping.js';

/** The rules for reading the files of a kind. */
interface Reading {
  readonly mapping: KindMapping;
  /** For corrected rows, the file whose rows they replace. They are read with its mapping. */
  readonly cameFrom?: string | undefined;
  /** Whether the file is a table, if this does not follow from its name. */
  readonly isTable?: boolean | undefined;
}

/**
 * The mapping with which a file is read.
 *
 * @throws WrongUsage if the mapping contains a part that does not apply to this file
 */
export function mappingOf(reading: Reading, name: string): FileMapping {
  const { mapping, cameFrom } = reading;
  const origin = cameFrom ?? name;
  const found = mapping.of(origin);
  if (cameFrom !== undefined && found.join) return NO_MAPPING.of(name);
  const { form } = found;
  if (form.records !== undefined) return documentMapping(found, name, cameFrom !== undefined);
  if (!isTable(reading, name)) expectParts(found, name, 'NDJSON', OF_TABLES);
  if (isWorkbook(origin)) expectParts(found, name, 'a workbook', OF_TEXTS);
  else expectParts(found, name, 'no workbook', ['sheet']);
  if (form.fixed) expectParts(found, name, 'of fixed width', OF_LINES);
  const isOfWorkbook = isWorkbook(origin) && { isOfWorkbook: true };
  if (cameFrom === undefined) return { ...found, ...isOfWorkbook };
  const { trim, header, quote, nulls } = form;
  const delimiter = form.delimiter ?? delimiterOf(cameFrom);
  const carry = form.fixed?.carry && { carry: { ...form.fixed.carry, isDirectlyAbove: true } };
  const fixed = form.fixed && { ...form.fixed, ...carry };
  const own = { trim, header, fixed, nulls, ...(!isWorkbook(origin) && { delimiter, quote }) };
  // Each row in a file of corrected rows either belongs to the kind of the file or to no kind.
  const rows = found.rows && { ...found.rows, others: [], isFirst: true };
  return { ...found, form: own, ...(rows && { rows }), ...isOfWorkbook };
}

type PartName = keyof Form;

const OF_LINES: readonly PartName[] = ['delimiter', 'quote', 'trim', 'header', 'repeatedHeader'];
const OF_TABLES: readonly PartName[] = [...OF_LINES, 'leaveOut', 'fixed'];
const OF_TEXTS: readonly PartName[] = ['delimiter', 'quote', 'encoding', 'fixed'];

/** @throws WrongUsage for a part that does not apply to the file */
function expectParts(
  { form, rows }: FileMapping,
  name: string,
  is: string,
  parts: readonly PartName[],
): void {
  const wrong = parts.filter((part) => form[part] !== undefined).map(writtenName);
  if (rows && parts.includes('leaveOut')) wrong.push('rows');
  if (wrong.length > 0)
    throw new WrongUsage(
      `${name} is ${is} and has no ${wrong.join(', ')}; remove this from its entry in the mapping file.`,
    );
}

/** The name of a part as a mapping file writes it: `skip_lines` for `skipLines`. */
function writtenName(part: PartName): string {
  return part === 'fixed' ? 'positions' : part.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Records of a JSON document are read from their copy, which is NDJSON in UTF-8. */
function documentMapping(found: FileMapping, name: string, isCorrected: boolean): FileMapping {
  expectParts(found, name, 'a JSON document', [...OF_TABLES, 'sheet', 'skipLines']);
  const { records, nulls } = found.form;
  return { ...found, form: { ...(!isCorrected && { records }), nulls } };
}

/** The fields of the rows of a file, or of the items of one of their lists. */
export function fieldsIn(rows: Fields, { join }: FileMapping): Fields {
  return rows.lists.get(join?.list ?? '') ?? rows;
}

/** Whether a file is a table with a header: by its name, or because it has a mapping and is not NDJSON. */
export function isTable({ mapping, cameFrom, isTable: is }: Reading, name: string): boolean {
  if (is !== undefined) return is;
  // The loader itself named a file of corrected rows.
  if (cameFrom !== undefined) return isCsv(name);
  const { name: entry, form } = mapping.of(name);
  if (form.records !== undefined) return false;
  return isCsv(name) || (entry !== '' && !/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name));
}
