import { visitFile, type FileOptions, type ReadRow } from '@data-import/files';
import { FIELDS } from '../../src/kinds/fields.js';
import type { Kind } from '../../src/kinds/kinds.js';
import { Intervals } from '../../src/rows/intervals.js';
import { readRows } from '../../src/rows/read-rows.js';
import { toRow } from '../../src/rows/to-row.js';

/** The rows of what was prepared, but for those that were read before. @param meanwhile is done when it has begun */
export async function collect(
  preparation: Parameters<typeof readRows>[0],
  options: Parameters<typeof readRows>[1],
  done = new Intervals(),
  meanwhile: () => void = () => undefined,
): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  for await (const some of readRows(preparation, options, done)) {
    if (rows.length === 0) meanwhile();
    rows.push(...some);
  }
  return rows;
}

/** The rows of one file. */
export async function rowsIn(
  { kind, ...options }: Omit<FileOptions, 'fields'> & { readonly kind: Kind },
  name: string,
): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  await visitFile({ ...options, fields: FIELDS[kind] }, name, (...record) => rows.push(toRow(...record)));
  return rows;
}
