import type { VNode } from 'preact';
import { REFUSAL_CODES } from '../../../capabilities/request-log/refusals/refusal-counts.js';
import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import { formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { Filters } from '../layout/filters.js';
import { List } from '../layout/list.js';
import { usePageContext } from '../layout/page-context.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { CopyButton, RequestLink } from '../layout/request-link.js';
import { UpdatingPart } from '../layout/section.js';
import type { Column } from '../layout/table.js';
import { Account, Outcome } from './request-parts.js';
import type { ListedRequest, RequestList } from './requests.types.js';

/** The import requests that match the filters (choice C11). */
export function requestsPage(view: RequestList): Page {
  const { query, requests, readTo } = view;
  const { after, ...filter } = query;
  const addressOf = (from?: string): string => withQuery(ADDRESSES.requests, { ...filter, after: from });
  const supplier = view.suppliers.find(({ code }) => code === query.supplier);
  const isFiltered = Object.values({ ...filter, supplier: undefined }).some((value) => value !== undefined);
  return {
    title: 'Requests',
    ...(supplier ? ofSupplier(supplier, 'requests') : { place: 'requests' }),
    body: (
      <>
        <RequestFilters view={view} />
        <UpdatingPart id="requests" address={addressOf()} everySeconds={after === undefined ? 5 : undefined}>
          {readTo && (
            <p class="muted">
              Requests since <DateTime at={readTo} /> were searched;{' '}
              <a href={addressOf(requests.next)}>older ones</a> were not searched yet.
            </p>
          )}
          <List
            list={requests}
            listed="requests"
            kind="lines requests"
            caption="Import requests that stored something or were rejected, newest first"
            columns={supplier ? COLUMNS.filter((column) => column !== SUPPLIER) : COLUMNS}
            attributesOf={({ id }) => ({ id: `request-${id}` })}
            addressOf={addressOf}
            isNewestFirst
            empty={isFiltered ? NO_MATCH : NO_REQUEST}
          />
        </UpdatingPart>
      </>
    ),
  };
}

const NO_MATCH = (
  <>
    No import request matches. <a href={ADDRESSES.requests}>Show all</a>
  </>
);
const NO_REQUEST =
  'No import request was stored or rejected yet. They appear here when a supplier sends notes, transactions, statements or payment instructions.';

function RequestFilters({ view: { suppliers, keys, query } }: { view: RequestList }): VNode {
  const { timeZone } = usePageContext();
  const { supplier, outcome, kind, code, key, run, from, until } = query;
  const kinds = IMPORT_KINDS.map((one) => [one, one.replaceAll('_', ' ')] as const);
  return (
    <Filters
      action={ADDRESSES.requests}
      filters={[
        ...(suppliers.length > 1
          ? [
              {
                ...{ name: 'supplier', label: 'Supplier', value: supplier },
                options: suppliers.map((one) => [one.code, one.name] as const),
              },
            ]
          : []),
        { name: 'outcome', label: 'Outcome', value: outcome, options: OUTCOME_NAMES },
        { name: 'kind', label: 'Kind', value: kind, options: kinds },
        {
          ...{ name: 'code', label: 'Error code', value: code },
          options: REFUSAL_CODES.map((one) => [one, one]),
        },
        { name: 'key', label: 'API key', value: key, options: keys.map(({ id, label }) => [id, label]) },
        { name: 'run', label: 'Loader run', value: run },
        { name: 'from', label: `From (${timeZone})`, value: from, input: { type: 'datetime-local' } },
        { name: 'until', label: `Before (${timeZone})`, value: until, input: { type: 'datetime-local' } },
      ]}
    />
  );
}

const OUTCOME_NAMES = [
  ['stored', 'stored'],
  ['refused', 'rejected'],
] as const;

const SUPPLIER: Column<ListedRequest> = {
  head: 'Supplier',
  kind: 'name',
  cell: ({ supplier: { code, name } }) => <a href={ADDRESSES.supplier(code)}>{name}</a>,
};

const COLUMNS: readonly Column<ListedRequest>[] = [
  { head: 'Time', cell: ({ at }) => <DateTime at={at} relative /> },
  { head: 'Outcome', cell: (request) => <Outcome request={request} /> },
  { head: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  {
    head: 'Rows',
    cell: ({ items, stored }) => (items === null ? '' : `${formatCount(stored)} of ${formatCount(items)}`),
  },
  { head: 'Account', kind: 'account', cell: (request) => <Account request={request} /> },
  SUPPLIER,
  {
    head: 'Request id',
    cell: ({ details }) =>
      details ? (
        <span title={details.sender?.organisation}>
          <RequestLink id={details.requestId} />
          <CopyButton />
        </span>
      ) : (
        <span class="muted">{ANOTHER_ORGANISATION}</span>
      ),
  },
];
