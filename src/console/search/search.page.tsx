import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import type { ComponentChildren, VNode } from 'preact';
import { itemOf } from '../../items/items.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { Section } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import type { Hit, ItemSearchResult, SearchResult } from './search.types.js';

/** What was found at once, and the way to a search that takes longer (choice C2). */
export function searchPage(result: SearchResult): Page {
  const { text } = result;
  if (text === '') {
    const body = (
      <p class="empty">
        Write an account number or its beginning, or the whole id of a request, a transaction or a statement
        into the box above.
      </p>
    );
    return { title: 'Find', breadcrumbs: breadcrumbs(), body };
  }
  return {
    title: 'Find',
    breadcrumbs: breadcrumbs(),
    body: (
      <>
        <Section id="hits" title={<TitleWith text={text}>Accounts and requests for</TitleWith>}>
          <Hits result={result} />
        </Section>
        <Section id="items" title="Transactions and statements">
          <p>
            An id of a transaction or a statement is searched for on one account after the other, which may
            take ten seconds. On the page of an account the filter finds it at once.
          </p>
          <ItemSearchLinks text={text} suppliers={result.suppliers} />
        </Section>
      </>
    ),
  };
}

function Hits({ result: { hits, hasMore } }: { result: SearchResult }): VNode {
  return (
    <>
      {hits.length === 0 && (
        <p class="empty">
          No account number begins like this, and no request has this id. Check it, or search below.
        </p>
      )}
      {hits.length > 0 && <Table caption="Found, exact ones first" rows={hits} columns={COLUMNS} />}
      {hasMore && <p class="notice">There are more than these. Write more of the number to see fewer.</p>}
    </>
  );
}

const COLUMNS: readonly Column<Hit>[] = [
  {
    head: 'Account',
    kind: 'row',
    cell: ({ supplier, number, isAccount }) =>
      isAccount ? (
        <a href={ADDRESSES.account(supplier.code, number)}>{number}</a>
      ) : (
        <>
          {number} <span class="muted">no account has this number</span>
        </>
      ),
  },
  { head: 'Platform account', cell: ({ serviceAccountNumber }) => serviceAccountNumber },
  { head: 'Supplier', cell: ({ supplier }) => supplier.name },
  {
    head: 'Found',
    cell: ({ what, at, requestId }) => (
      <>
        {requestId === undefined ? what : <a href={ADDRESSES.request(requestId)}>{what}</a>}{' '}
        {at && <DateTime at={at} />}
      </>
    ),
  },
];

interface LinksOptions {
  readonly text: string;
  readonly suppliers: readonly ViewedSupplier[];
}

/** In all suppliers, and in each of several by itself. */
function ItemSearchLinks({ text, suppliers }: LinksOptions): VNode {
  const inOne = suppliers.length > 1 ? suppliers : [];
  return (
    <div id="item-search">
      <p>
        <ItemSearchLink address={withQuery(`${ADDRESSES.search}/items`, { q: text })}>
          Search transactions and statements for this id
        </ItemSearchLink>
      </p>
      {inOne.length > 0 && (
        <ul class="links">
          {inOne.map(({ code, name }) => (
            <li key={code}>
              <ItemSearchLink address={withQuery(`${ADDRESSES.search}/items`, { q: text, supplier: code })}>
                Only {name}
              </ItemSearchLink>
            </li>
          ))}
        </ul>
      )}
      <p class="waiting" role="status">
        Searching, at most ten seconds …
      </p>
    </div>
  );
}

/** The result takes the place of the links; until then the text below them is shown. */
function ItemSearchLink({ address, children }: { address: string; children: ComponentChildren }): VNode {
  return (
    <a
      href={address}
      hx-get={address}
      hx-target="#item-search"
      hx-select="#item-search"
      hx-swap="outerHTML"
      hx-indicator="#item-search"
    >
      {children}
    </a>
  );
}

/** What was found by the id of a transaction or a statement. */
export function itemSearchPage(result: ItemSearchResult): Page {
  const { text } = result;
  return {
    title: 'Find',
    breadcrumbs: breadcrumbs(undefined, {
      text: 'Find',
      href: withQuery(ADDRESSES.search, { q: text === '' ? undefined : text }),
    }),
    body: (
      <Section id="items" title={<TitleWith text={text}>Transactions and statements for</TitleWith>}>
        <div id="item-search">
          <Refusals result={result} />
          <Outcome result={result} />
        </div>
      </Section>
    ),
  };
}

function TitleWith({ text, children }: { text: string; children: string }): VNode {
  return (
    <>
      {children} <q class="text">{text}</q>
    </>
  );
}

/** Refused requests with an item of the id, which may have been sent again since. */
function Refusals({ result: { refusals, notSearched } }: { result: ItemSearchResult }): VNode {
  const names = notSearched.map(({ name }) => name).join(', ');
  return (
    <>
      {refusals.length > 0 && (
        <>
          <p>{counted(refusals.length, 'refused request')} had it, the newest first:</p>
          <ul class="links">
            {refusals.map(({ id, at, kind, status, supplier, details }) => (
              <li key={id}>
                <a href={ADDRESSES.request(details.requestId)}>
                  Refused {itemOf(kind).requestWords}: {status} {details.code}
                </a>{' '}
                <span class="muted">
                  <DateTime at={at} />, account {details.externalAccountNumber}, {supplier.name}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {names !== '' && <p class="notice notice-warning">Refused requests were not searched in {names}.</p>}
    </>
  );
}

function Outcome({ result }: { result: ItemSearchResult }): VNode {
  const { text, outcome, hits, refusals, next, left } = result;
  if (outcome === 'not_found') {
    return (
      <p class="empty">
        {refusals.length > 0
          ? 'No stored transaction and no stored statement has this id.'
          : 'No transaction and no statement has this id. Check it: only the whole id is found.'}
      </p>
    );
  }
  const names = left.map(({ name }) => name).join(', ');
  return (
    <>
      {outcome === 'found' && (
        <ul class="links">
          {hits.map(({ supplier, row }, index) => (
            <li key={index}>
              <a href={itemAddress(supplier, row.external_account_number, row.kind, text)}>
                {row.kind === 'transaction' ? 'Transaction' : 'Statement'} on account{' '}
                {row.external_account_number}
              </a>{' '}
              <span class="muted">{supplier.name}</span>
            </li>
          ))}
        </ul>
      )}
      {outcome === 'out_of_time' && (
        <p class="notice notice-warning">
          Not found within 10 seconds in {names}. Go on, narrow it to a supplier, or open the account and
          filter there.
        </p>
      )}
      {next && (
        <p>
          <GoOn result={result} />
        </p>
      )}
      {outcome === 'out_of_time' && left.length > 1 && <ItemSearchLinks text={text} suppliers={left} />}
    </>
  );
}

function GoOn({ result: { text, code, next } }: { result: ItemSearchResult }): VNode {
  const address = withQuery(`${ADDRESSES.search}/items`, {
    ...{ q: text, supplier: code },
    ...{ from: next?.code, after: next?.after === '' ? undefined : next?.after },
  });
  return <a href={address}>Go on searching</a>;
}

/** The statements have no filter, and are in the order of their periods. */
function itemAddress(supplier: ViewedSupplier, number: string, kind: string, id: string): string {
  const account = ADDRESSES.account(supplier.code, number);
  return kind === 'transaction' ? `${withQuery(account, { id })}#transactions` : `${account}#statements`;
}
