import Table from 'cli-table3';
import { printable } from './printable.js';

/** No frame and no rules: columns two spaces apart, easy to read and to cut. */
const BORDERLESS = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
);

/**
 * Rows as text for an operator. The head is bold on a terminal and plain everywhere else.
 *
 * Cells may hold what a supplier sent, so they are made {@link printable}.
 *
 * @returns lines without one at the end; only the head when there are no rows
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const drawn = new Table({
    head: [...head],
    chars: BORDERLESS,
    style: {
      head: process.stdout.isTTY ? ['bold'] : [],
      border: [],
      compact: true,
      'padding-left': 0,
      'padding-right': 2,
    },
  });
  drawn.push(...rows.map((row) => row.map((cell) => printable(String(cell)))));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
