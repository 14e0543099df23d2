import type { ComponentChildren, VNode } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * A `row` cell names its row, a `number` is aligned right, an `account` is an account number, and a `path` or `name` may
   * be broken anywhere.
   */
  readonly kind?: 'row' | 'number' | 'account' | 'path' | 'name';
}

export interface TableProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Additional CSS classes of the table. */
  readonly kind?: string;
  /** Attributes of a row. */
  readonly attributesOf?: (row: Row) => { readonly id?: string; readonly class?: string | undefined };
}

/**
 * A table with a caption. A table that is wider than the window scrolls inside its own frame, with the mouse or the keyboard. On a
 * phone each row is a block whose cells name their columns (console.css).
 */
export function Table<Row>({ caption, rows, columns, kind = '', attributesOf }: TableProps<Row>): VNode {
  return (
    <div class="scroll" role="group" aria-label={caption} tabindex={0}>
      <table class={`data ${kind}`.trim()}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, kind: columnKind }) => (
              <th scope="col" class={columnKind === 'number' ? columnKind : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr {...attributesOf?.(row)}>
              {columns.map((column) => (
                <Cell {...column}>{column.cell(row)}</Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({
  head,
  kind,
  children,
}: Pick<Column<never>, 'head' | 'kind'> & { children: ComponentChildren }): VNode {
  return kind === 'row' ? (
    <th scope="row">{children}</th>
  ) : (
    <td class={kind} data-label={head}>
      {children}
    </td>
  );
}
