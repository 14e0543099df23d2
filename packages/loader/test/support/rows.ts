import { type ReadRow, toRow, visitFile } from '@data-import/files';
import { Intervals } from '../../src/rows/intervals.js';
import { readRows } from '../../src/rows/read-rows.js';

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
export async function rowsIn(options: Parameters<typeof visitFile>[0], name: string): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  await visitFile(options, name, (...record) => rows.push(toRow(...record)));
  return rows;
}
