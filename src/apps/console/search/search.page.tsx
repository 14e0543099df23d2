import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { AccountLink } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import { Table, type Column } from '../layout/table.js';
import type { Hit, SearchResult } from './search.types.js';

/** The hits of a search, and a link that continues it for ids of transactions and statements (choice C2). */
export function searchPage(result: SearchResult): Page {
  const { text, hits, hasMore } = result;
  const columns = COLUMNS.filter(({ cell }) => hits.some((hit) => cell(hit)));
  return {
    title: 'Find',
    breadcrumbs: breadcrumbs(),
    found: text,
    body:
      text === '' ? (
        <p class="empty">
          Enter an account number, or the name of a supplier or an API key; its beginning is enough. To find a
          loader run, a request, a transaction or a statement, enter its complete id. Customers are not found
          by their names.
        </p>
      ) : (
        <>
          {hits.length > 0 && <Table caption="Results, exact matches first" rows={hits} columns={columns} />}
          {hasMore && <p class="notice">There are more results. Enter more of the number to see fewer.</p>}
          <Items result={result} />
        </>
      ),
  };
}

const COLUMNS: readonly Column<Hit>[] = [
  { head: 'Found', kind: 'row', cell: ({ text, href }) => <a href={href}>{text}</a> },
  { head: 'What', cell: ({ description }) => description },
  {
    head: 'Account',
    cell: ({ supplier, account }) =>
      supplier &&
      account &&
      (account.exists ? (
        <AccountLink code={supplier.code} accountNumber={account.number} />
      ) : (
        `${account.number} (no account has this number)`
      )),
  },
  { head: 'Supplier', kind: 'name', cell: ({ supplier }) => supplier?.name },
  { head: 'Time', cell: ({ at }) => at && <DateTime at={at} /> },
];

/** The extent of the search for the id of a transaction or a statement, and the link that continues it. */
function Items({ result: { text, hits, areItemsSearched, next } }: { result: SearchResult }): VNode {
  if (areItemsSearched && next === undefined) {
    return hits.length > 0 ? (
      <p class="muted">Transactions and statements were searched too.</p>
    ) : (
      <p class="empty">
        Nothing was found. No transaction and no statement has this id. Check that it is complete.
      </p>
    );
  }
  const address = withQuery(`${ADDRESSES.search}/items`, { q: text, from: next?.code, after: next?.after });
  return (
    <p id="item-search">
      {areItemsSearched && hits.length === 0 && 'Nothing was found so far. '}
      Transactions and statements were not {areItemsSearched && 'all '}searched.{' '}
      <a href={address}>{areItemsSearched ? 'Continue searching' : 'Search them for this id'}</a>.{' '}
      <span class="muted">
        It takes up to ten seconds. On the page of an account the filter finds an id at once.
      </span>
    </p>
  );
}
