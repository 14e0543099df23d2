import { unreadableRow, type ReadRow, type Visit } from '@data-import/files';
import { withinBounds } from './item-bounds.js';

export function toRow(...[record, problem, reader]: Parameters<Visit>): ReadRow {
  return problem ? unreadableRow(record, problem) : withinBounds(record, reader.row(record));
}
