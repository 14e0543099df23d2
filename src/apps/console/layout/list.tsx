import type { ComponentChildren, VNode } from 'preact';
import type { ListPage } from '../common/cursor.js';
import { Pager } from './pager.js';
import { Table, type TableProps } from './table.js';

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly list: ListPage<Row>;
  /** The address of the page that begins after a position, or of the first page. */
  readonly addressOf: (after?: string) => string;
  /** The plural noun for the rows. */
  readonly listed: string;
  /** Shown in place of the first page when it has no row. */
  readonly empty: ComponentChildren;
  /** The address of the CSV file with all rows. */
  readonly file?: string;
  readonly isNewestFirst?: boolean;
}

/** A page of a list: its rows, the file with all of them, and the links to other pages. */
export function List<Row>(props: ListProps<Row>): VNode {
  const { list, addressOf, listed, empty, file, isNewestFirst = false, ...table } = props;
  return (
    <>
      {list.rows.length === 0 && <p class="empty">{list.isContinued ? `No more ${listed}.` : empty}</p>}
      {list.rows.length > 0 && (
        <>
          {file !== undefined && (
            <p>
              <a href={file}>Download all as CSV</a>
            </p>
          )}
          <Table {...table} rows={list.rows} />
        </>
      )}
      <Pager
        page={list}
        addressOf={addressOf}
        {...(isNewestFirst && { firstText: 'Newest', nextText: 'Older' })}
      />
    </>
  );
}
