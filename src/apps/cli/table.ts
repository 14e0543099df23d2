import CliTable from 'cli-table3';
import type { Table } from '../../infrastructure/commands/command-line.js';
import { printable } from '../../infrastructure/text/printable.js';

/** No borders: columns are two spaces apart, easy to read and to cut. */
const BORDERLESS = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
);

/**
 * A table as text. Cells may contain a supplier's input, so they are made {@link printable}. Numbers are grouped with commas. A column
 * of numbers only is right-aligned.
 *
 * @param isTerminal prints the header in bold
 * @returns lines without a final line end; only the header when there are no rows
 */
export function drawTable({ head, rows }: Table, isTerminal: boolean): string {
  const table = new CliTable({
    head: [...head],
    chars: BORDERLESS,
    colAligns: (rows[0] ?? []).map((_cell, column) => (isOfNumbers(rows, column) ? 'right' : 'left')),
    style: {
      head: isTerminal ? ['bold'] : [],
      border: [],
      compact: true,
      'padding-left': 0,
      'padding-right': 2,
    },
  });
  table.push(...rows.map((row) => row.map(textOf)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Empty cells do not count: a row may have no number. */
function isOfNumbers(rows: Table['rows'], column: number): boolean {
  const cells = rows.map((row) => row[column]).filter((cell) => cell !== '' && cell !== undefined);
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

function textOf(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : printable(cell);
}
