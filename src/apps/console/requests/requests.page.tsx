import type { VNode } from 'preact';
import { REFUSAL_CODES } from '../../../capabilities/request-log/refusals/refusal-counts.js';
import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import { formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Pager } from '../layout/pager.js';
import { RequestLink } from '../layout/request-link.js';
import { UpdatingPart } from '../layout/section.js';
import { Field, Select } from '../layout/filter-fields.js';
import { Table, type Column } from '../layout/table.js';
import { Account, Duration, Outcome, Unknown } from './request-parts.js';
import { OUTCOMES } from './requests-query.js';
import type { ListedRequest, RequestList } from './requests.types.js';

export function requestsPage(list: RequestList): Page {
  const { query, requests, readTo } = list;
  const { after, ...filter } = query;
  const addressOf = (from?: string): string => withQuery(ADDRESSES.requests, { ...filter, after: from });
  const supplier = list.suppliers.find(({ code }) => code === query.supplier);
  const body = (
    <>
      {requests.rows.length === 0 ? (
        <NoRequest
          isFiltered={Object.values({ ...query, supplier: undefined }).some((value) => value !== undefined)}
        />
      ) : (
        <Table
          caption="Import requests"
          rows={requests.rows}
          columns={supplier ? COLUMNS.filter((column) => column !== SUPPLIER) : COLUMNS}
          attributesOf={({ id }) => ({ id: `request-${id}` })}
        />
      )}
      {readTo && (
        <p class="muted">
          Requests since <DateTime at={readTo} /> were searched;{' '}
          <a href={addressOf(requests.next)}>older ones</a> were not searched yet.
        </p>
      )}
      <Pager page={requests} addressOf={addressOf} firstText="Newest" nextText="Older" />
    </>
  );
  return {
    title: 'Requests',
    ...(supplier ? ofSupplier(supplier, 'requests') : { place: 'requests' }),
    body: (
      <>
        <p>Import requests that stored something or were rejected, newest first.</p>
        <Filter list={list} />
        <UpdatingPart id="requests" address={addressOf()} everySeconds={after === undefined ? 5 : undefined}>
          {body}
        </UpdatingPart>
      </>
    ),
  };
}

function Filter({ list: { suppliers, keys, query } }: { list: RequestList }): VNode {
  const { timeZone } = usePageContext();
  const { supplier, outcome, kind, code, key, from, until } = query;
  return (
    <form class="filters" action={ADDRESSES.requests}>
      {suppliers.length > 1 && (
        <Select
          name="supplier"
          label="Supplier"
          chosen={supplier}
          options={suppliers.map(({ code: value, name }) => ({ value, text: name }))}
        />
      )}
      <Select
        name="outcome"
        label="Outcome"
        chosen={outcome}
        options={OUTCOMES.map((value) => ({ value, text: OUTCOME_NAMES[value] }))}
      />
      <Select
        name="kind"
        label="Kind"
        chosen={kind}
        options={IMPORT_KINDS.map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
      />
      <Select
        name="code"
        label="Error code"
        chosen={code}
        options={REFUSAL_CODES.map((value) => ({ value, text: value }))}
      />
      <Select
        name="key"
        label="API key"
        chosen={key}
        options={keys.map(({ id, name }) => ({ value: id, text: name }))}
      />
      <Field name="from" label={`From (${timeZone})`} type="datetime-local" value={from} />
      <Field name="until" label={`Before (${timeZone})`} type="datetime-local" value={until} />
      <button>Filter</button>
    </form>
  );
}

const OUTCOME_NAMES = { stored: 'stored', refused: 'rejected' } as const;

function NoRequest({ isFiltered }: { isFiltered: boolean }): VNode {
  return isFiltered ? (
    <p class="empty">
      No import request matches. <a href={ADDRESSES.requests}>Show all</a>
    </p>
  ) : (
    <p class="empty">
      No import request was stored or rejected yet. They appear here when a supplier sends notes,
      transactions, statements or payment instructions.
    </p>
  );
}

const SUPPLIER: Column<ListedRequest> = {
  head: 'Supplier',
  kind: 'name',
  cell: ({ supplier: { code, name } }) => <a href={ADDRESSES.supplier(code)}>{name}</a>,
};

const COLUMNS: readonly Column<ListedRequest>[] = [
  { head: 'Time', cell: ({ at }) => <DateTime at={at} relative /> },
  { head: 'Outcome', cell: (request) => <Outcome request={request} /> },
  { head: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  SUPPLIER,
  { head: 'Account', kind: 'account', cell: (request) => <Account request={request} /> },
  {
    head: 'Sent',
    kind: 'number',
    cell: ({ items }) => (items === null ? <Unknown /> : formatCount(items)),
  },
  { head: 'Stored', kind: 'number', cell: ({ stored }) => formatCount(stored) },
  {
    head: 'Duration',
    kind: 'number',
    cell: ({ details }) => <Duration ms={details?.durationMs} />,
  },
  {
    head: 'Organisation',
    kind: 'name',
    cell: ({ details }) =>
      details ? details.sender?.organisation : <span class="muted">{ANOTHER_ORGANISATION}</span>,
  },
  { head: 'Request id', kind: 'path', cell: ({ details }) => <RequestLink id={details?.requestId} /> },
];
