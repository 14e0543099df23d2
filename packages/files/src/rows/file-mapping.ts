import { WrongUsage } from '../common/errors.js';
import type { Fields } from '../fields/fields.js';
import { delimiterOf, isCsv, isWorkbook } from '../text/file-names.js';
import { NO_MAPPING, type FileMapping, type KindMapping } from '../mapping/mapping.js';

/** How the files of a kind are read. */
interface Reading {
  readonly mapping: KindMapping;
  /** For corrected rows, the file whose rows they replace. They are read with its mapping. */
  readonly cameFrom?: string | undefined;
}

/** How a file is read. @throws WrongUsage when its mapping says something that does not apply to this file */
export function mappingOf({ mapping, cameFrom }: Reading, name: string): FileMapping {
  const origin = cameFrom ?? name;
  const found = mapping.of(origin);
  if (cameFrom !== undefined && found.join) return NO_MAPPING.of(name);
  const { delimiter, quote, trim, leaveOut, encoding, sheet } = found.form;
  const isOfTable = (delimiter ?? quote ?? trim ?? leaveOut ?? found.rows) !== undefined;
  if (isOfTable && !isTable({ mapping, cameFrom }, name))
    throw new WrongUsage(
      `${name} is NDJSON, which has no delimiter, quote, trim, leave_out and rows; remove them from its entry in the mapping file.`,
    );
  // All rows of a file with corrected rows are of its kind or of no kind.
  const rows =
    cameFrom === undefined ? found.rows : found.rows && { ...found.rows, others: [], isFirst: true };
  if (isWorkbook(origin)) {
    if ((delimiter ?? quote ?? encoding) !== undefined)
      throw new WrongUsage(
        `${name} is a workbook, which has no delimiter, quote and encoding; remove them from its entry in the mapping file.`,
      );
    const form = cameFrom === undefined ? found.form : { trim };
    return { ...found, form, ...(rows && { rows }), isOfWorkbook: true };
  }
  if (sheet !== undefined)
    throw new WrongUsage(
      `${name} is no workbook, which alone has a sheet; remove it from its entry in the mapping file.`,
    );
  if (cameFrom === undefined) return found;
  const form = { delimiter: delimiter ?? delimiterOf(cameFrom), quote, trim };
  return { ...found, form, ...(rows && { rows }) };
}

/** The fields of the rows of a file, or of the items of one of their lists. */
export function fieldsIn(rows: Fields, { join }: FileMapping): Fields {
  return rows.lists.get(join?.list ?? '') ?? rows;
}

/** Whether a file is a table with a header: by its name, or because it has a mapping and is not NDJSON. */
export function isTable({ mapping, cameFrom }: Reading, name: string): boolean {
  // The loader itself named a file of corrected rows.
  if (cameFrom !== undefined) return isCsv(name);
  return isCsv(name) || (mapping.of(name).name !== '' && !/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name));
}
