import CliTable from 'cli-table3';
import type { Table } from '../common/command-line.js';
import { printable } from '../common/printable.js';

/** No frame and no rules: columns two spaces apart, easy to read and to cut. */
const BORDERLESS = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
);

/**
 * A table as text. Cells may hold what a supplier sent, so they are made {@link printable}.
 *
 * @param isTerminal prints the head in bold
 * @returns lines without a line end at the end; only the head when there are no rows
 */
export function drawTable({ head, rows }: Table, isTerminal: boolean): string {
  const table = new CliTable({
    head: [...head],
    chars: BORDERLESS,
    style: {
      head: isTerminal ? ['bold'] : [],
      border: [],
      compact: true,
      'padding-left': 0,
      'padding-right': 2,
    },
  });
  table.push(...rows.map((row) => row.map((cell) => printable(String(cell)))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
