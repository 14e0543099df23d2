import { countText } from './progress.js';

/** A table in the text or the page of a report. A column is aligned as numbers if its first cell is a number. */
export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export function isOfNumbers({ rows }: Table, column: number): boolean {
  return typeof rows[0]?.[column] === 'number';
}

export function cellText(cell: string | number): string {
  return typeof cell === 'number' ? countText(cell) : cell;
}

/**
 * A table as text. Numbers are aligned right, everything else left. Characters that would break a line, such as a line
 * feed in a note, are written as `\u000a`.
 */
export function tableText(table: Table): string {
  const lines = [table.heads, ...table.rows].map((cells) =>
    cells.map((cell) =>
      cellText(cell).replace(
        /\p{Cc}/gu,
        (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  );
  const widths = table.heads.map((_head, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return isOfNumbers(table, column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function plural(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
}
