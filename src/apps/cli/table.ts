import CliTable from 'cli-table3';
import type { Table, TableRow } from '../../infrastructure/commands/command-line.js';
import { printable } from '../../infrastructure/text/printable.js';

/** No borders: columns are two spaces apart, easy to read and to cut. */
const BORDERLESS = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
);

/** Rows that are drawn together. A longer list is printed while it is read, so the width of its columns may change after so many. */
const ROWS_MAX = 1_000;

/**
 * A table as pieces of text. Cells may contain a supplier's input, so they are made {@link printable}. Numbers are grouped with commas. A
 * column of numbers only is right-aligned.
 *
 * @param isTerminal prints the header in bold
 * @returns lines without a final line end
 */
export async function* drawTable(
  { head, rows, none }: Table,
  isTerminal: boolean,
): AsyncGenerator<string, void, undefined> {
  let part: TableRow[] = [];
  let headLines = 0;
  for await (const row of rows) {
    if (part.length === ROWS_MAX) {
      const lines = linesOf(head, part, isTerminal).slice(headLines);
      yield `${lines.join('\n')}\n`;
      part = [];
      headLines = head.length > 0 ? 1 : 0;
    }
    part.push(row);
  }
  if (part.length === 0 && none !== undefined) yield none;
  else yield linesOf(head, part, isTerminal).slice(headLines).join('\n');
}

function linesOf(head: Table['head'], rows: readonly TableRow[], isTerminal: boolean): string[] {
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
    .map((line) => line.trimEnd());
}

/** Empty cells do not count: a row may have no number. */
function isOfNumbers(rows: readonly TableRow[], column: number): boolean {
  const cells = rows.map((row) => row[column]).filter((cell) => cell !== '' && cell !== undefined);
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

function textOf(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : printable(cell);
}
