import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { ComponentChildren, VNode } from 'preact';
import { itemOf } from '../../../ingest/kinds/items.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { Section } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import type { Hit, ItemSearchResult, Meant, SearchResult } from './search.types.js';

/** The results, what was searched, and the link to a longer search (choice C2). */
export function searchPage(result: SearchResult): Page {
  return {
    title: 'Find',
    breadcrumbs: breadcrumbs(),
    body:
      result.text === '' ? (
        <p class="empty">
          Enter an account number, or the name of a supplier or an API key; its beginning is enough. To find a
          request, a transaction or a statement, enter its complete id.
        </p>
      ) : (
        <Results result={result} />
      ),
  };
}

function Results({ result }: { result: SearchResult }): VNode {
  const { text, suppliers, items } = result;
  return (
    <>
      <p class="muted">
        {`Searched: suppliers, API keys, account numbers and requests, in ${counted(suppliers.length, 'supplier')}.`}
      </p>
      <NamedHits result={result} />
      <Section id="hits" title={<TitleWith text={text}>Accounts and requests for</TitleWith>}>
        <Hits result={result} />
      </Section>
      <Section id="items" title="Transactions and statements">
        <div id="item-search">
          {items ? (
            <Items result={items} isAutomatic />
          ) : (
            <>
              <p>{`Not searched yet: ${SEARCHED_ITEMS} of ${namesOf(suppliers)}.`}</p>
              <ItemSearchLinks {...{ text, suppliers }} />
            </>
          )}
        </div>
      </Section>
    </>
  );
}

const SEARCHED_ITEMS = 'transactions, statements and rejected items';

/** The most suppliers that a sentence names; the others are counted. */
const NAMES_MAX = 5;

function namesOf(suppliers: readonly ViewedSupplier[]): string {
  const names = suppliers.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = suppliers.length - names.length;
  return [...names, ...(more > 0 ? [counted(more, 'other supplier')] : [])].join(', ');
}

/** Suppliers and API keys. */
function NamedHits({ result: { namedSuppliers, keys } }: { result: SearchResult }): VNode {
  return (
    <>
      {namedSuppliers.length > 0 && (
        <Section id="named-suppliers" title="Suppliers">
          <ul class="links">
            {namedSuppliers.map(({ code, name }) => (
              <li key={code}>
                <a href={ADDRESSES.supplier(code)}>{name}</a> <span class="muted">{code}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {keys.length > 0 && (
        <Section id="named-keys" title="Requests with an API key">
          <ul class="links">
            {keys.map(({ id, label, organisation, isRevoked }) => (
              <li key={id}>
                <a href={withQuery(ADDRESSES.requests, { key: id })}>{label}</a>{' '}
                <span class="muted">
                  {organisation}
                  {isRevoked && ', revoked'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Hits({ result: { hits, hasMore } }: { result: SearchResult }): VNode {
  return (
    <>
      {hits.length === 0 && (
        <p class="empty">No account number begins with this text, and no request has this id.</p>
      )}
      {hits.length > 0 && <Table caption="Results, exact matches first" rows={hits} columns={COLUMNS} />}
      {hasMore && <p class="notice">There are more results. Enter more of the number to see fewer.</p>}
    </>
  );
}

const COLUMNS: readonly Column<Hit>[] = [
  {
    head: 'Account',
    kind: 'row',
    cell: ({ supplier, accountNumber, isAccount }) =>
      isAccount ? (
        <a href={ADDRESSES.account(supplier.code, accountNumber)}>{accountNumber}</a>
      ) : (
        <>
          {accountNumber} <span class="muted">no account has this number</span>
        </>
      ),
  },
  { head: 'Platform number', cell: ({ serviceAccountNumber }) => serviceAccountNumber },
  { head: 'Supplier', cell: ({ supplier }) => supplier.name },
  {
    head: 'Match',
    cell: ({ description, at, requestId }) => (
      <>
        {requestId === undefined ? description : <a href={ADDRESSES.request(requestId)}>{description}</a>}{' '}
        {at && <DateTime at={at} />}
      </>
    ),
  },
];

interface LinksOptions {
  readonly text: string;
  readonly suppliers: readonly ViewedSupplier[];
}

/** Links to a search in all suppliers and, if there are several, in each one. */
function ItemSearchLinks({ text, suppliers }: LinksOptions): VNode {
  const inOne = suppliers.length > 1 ? suppliers : [];
  return (
    <>
      <p>
        <ItemSearchLink address={withQuery(`${ADDRESSES.search}/items`, { q: text })}>
          Search transactions and statements for this id
        </ItemSearchLink>{' '}
        <span class="muted">
          It takes up to ten seconds. On the page of an account the filter finds an id at once.
        </span>
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
    </>
  );
}

/** A link to a search. Its result replaces the links; while the search runs, the text below them is shown. */
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

/** The results of a search for the id of a transaction or a statement. */
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
          <Items result={result} />
        </div>
      </Section>
    ),
  };
}

interface ItemsProps {
  readonly result: ItemSearchResult;
  /** Whether this is the short search that the page runs by itself, without a click. */
  readonly isAutomatic?: boolean;
}

function Items({ result, isAutomatic = false }: ItemsProps): VNode {
  const { text, outcome, suppliers, refusals, next, left, notSearched } = result;
  const isOutOfTime = outcome === 'out_of_time';
  const rest = [
    ...(left.length > 0 ? [`transactions and statements of ${namesOf(left)}`] : []),
    ...(notSearched.length > 0 ? [`rejected items of ${namesOf(notSearched)}`] : []),
  ];
  return (
    <>
      <Refusals refusals={refusals} />
      <HitsOfItems result={result} />
      {outcome === 'not_found' && (
        <p class="empty">
          {refusals.length > 0
            ? 'No stored transaction and no stored statement has this id.'
            : 'No transaction and no statement has this id. Check that you entered the complete id.'}
        </p>
      )}
      {isOutOfTime && !isAutomatic && (
        <p class="notice notice-warning">
          Not found within 10 seconds. Continue, choose one supplier, or open the account and filter there.
        </p>
      )}
      <p class="muted">
        {rest.length === 0
          ? `Searched: ${SEARCHED_ITEMS} of ${namesOf(suppliers)}.`
          : `Not searched yet: ${rest.join('; ')}.`}
      </p>
      {next && !(isOutOfTime && isAutomatic) && (
        <p>
          <ContinueLink result={result} />
        </p>
      )}
      {isOutOfTime && (isAutomatic || left.length > 1) && <ItemSearchLinks text={text} suppliers={left} />}
    </>
  );
}

function TitleWith({ text, children }: { text: string; children: string }): VNode {
  return (
    <>
      {children} <q class="text">{text}</q>
    </>
  );
}

/** Refused requests that contain an item with this id. The item may have been sent again and stored since. */
function Refusals({ refusals }: Pick<ItemSearchResult, 'refusals'>): VNode | null {
  if (refusals.length === 0) return null;
  return (
    <>
      <p>{counted(refusals.length, 'rejected request')} with this id, newest first:</p>
      <ul class="links">
        {refusals.map(({ id, at, kind, status, supplier, details }) => (
          <li key={id}>
            <a href={ADDRESSES.request(details.requestId)}>
              Rejected {itemOf(kind).requestWords}: {status} {details.code}
            </a>{' '}
            <span class="muted">
              <DateTime at={at} />, account {details.externalAccountNumber}, {supplier.name}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function HitsOfItems({ result: { text, hits } }: { result: ItemSearchResult }): VNode | null {
  if (hits.length === 0) return null;
  return (
    <ul class="links">
      {hits.map(({ supplier, row: { kind, external_account_number: accountNumber } }, index) => (
        <li key={index}>
          <a href={addressOf({ supplier, accountNumber, kind }, text)}>
            {kind === 'transaction' ? 'Transaction' : 'Statement'} on account {accountNumber}
          </a>{' '}
          <span class="muted">{supplier.name}</span>
        </li>
      ))}
    </ul>
  );
}

function ContinueLink({ result: { text, code, next } }: { result: ItemSearchResult }): VNode {
  const address = withQuery(`${ADDRESSES.search}/items`, {
    ...{ q: text, supplier: code },
    ...{ from: next?.code, after: next?.after === '' ? undefined : next?.after },
  });
  return <a href={address}>Continue searching</a>;
}

/** The address of an account, or of an item on it. Statements have no filter and are ordered by period. */
export function addressOf({ supplier, accountNumber, kind }: Meant, id: string): string {
  const account = ADDRESSES.account(supplier.code, accountNumber);
  if (kind === undefined) return account;
  return kind === 'transaction' ? `${withQuery(account, { id })}#transactions` : `${account}#statements`;
}
