import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount, formatDuration } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { Select } from '../layout/select.js';
import { Table, type Column } from '../layout/table.js';
import { Undone } from '../layout/undone.js';
import type { Page } from '../layout/page.js';
import { UpdatingPart } from '../layout/section.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import type { RequestDetails } from '../../sent-requests/sent-requests.types.js';
import type { ListedRequest, RequestList } from './requests.types.js';

export function requestsPage(list: RequestList): Page {
  const { suppliers, chosen, requests } = list;
  return {
    title: 'Requests',
    place: 'requests',
    body: (
      <>
        <p>The last 100 import requests that stored something or were refused, newest first.</p>
        {suppliers.length > 1 && <SupplierFilter suppliers={suppliers} chosen={chosen} />}
        <UpdatingPart
          id="requests"
          address={withQuery(ADDRESSES.requests, { supplier: chosen })}
          everySeconds={5}
        >
          {requests.length === 0 ? (
            <NoRequest />
          ) : (
            <Table
              caption="Import requests"
              rows={requests}
              columns={COLUMNS}
              attributesOf={({ id }) => ({ id: `request-${id}` })}
            />
          )}
        </UpdatingPart>
      </>
    ),
  };
}

function SupplierFilter({ suppliers, chosen }: Pick<RequestList, 'suppliers' | 'chosen'>): VNode {
  return (
    <form class="filters" action={ADDRESSES.requests}>
      <Select
        {...{ id: 'supplier', name: 'supplier', label: 'Supplier', chosen }}
        options={suppliers.map(({ code, name }) => ({ value: code, text: name }))}
      />
      <button>Show</button>
    </form>
  );
}

function NoRequest(): VNode {
  return (
    <p class="empty">
      No import request was stored or refused yet. They appear here when a supplier sends notes, transactions,
      statements or payment instructions.
    </p>
  );
}

const COLUMNS: readonly Column<ListedRequest>[] = [
  { head: 'Time', cell: ({ at }) => <DateTime at={at} /> },
  { head: 'Outcome', cell: (request) => <Outcome request={request} /> },
  { head: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  {
    head: 'Supplier',
    kind: 'name',
    cell: ({ supplier: { code, name } }) => <a href={ADDRESSES.supplier(code)}>{name}</a>,
  },
  { head: 'Account', cell: (request) => <Account request={request} /> },
  {
    head: 'Sent',
    kind: 'number',
    cell: ({ items, status }) =>
      items === null ? <Unknown isRefused={status !== null} /> : formatCount(items),
  },
  { head: 'Stored', kind: 'number', cell: ({ stored }) => formatCount(stored) },
  {
    head: 'Duration',
    kind: 'number',
    cell: ({ details, status }) => <Duration ms={details?.durationMs} isRefused={status !== null} />,
  },
  {
    head: 'Organisation',
    kind: 'name',
    cell: ({ details }) =>
      details ? details.sender?.organisation : <span class="muted">{ANOTHER_ORGANISATION}</span>,
  },
  { head: 'Request id', kind: 'path', cell: ({ details }) => details?.requestId },
];

/** A refused request may name an account that does not exist. */
function Account({ request: { supplier, status, details } }: { request: ListedRequest }): VNode {
  const number = details?.externalAccountNumber ?? '';
  if (number === '' || status === 404) return <>{number === '' ? '–' : number}</>;
  return <a href={ADDRESSES.account(supplier.code, number)}>{number}</a>;
}

function Outcome({ request: { status, items, stored, details } }: { request: ListedRequest }): VNode {
  if (status === null) {
    return (
      <>
        <span class="badge badge-stored">{(items ?? 0) > stored ? 'stored partly' : 'stored'}</span>
        {details?.undoneAt && <Undone at={details.undoneAt} />}
      </>
    );
  }
  return (
    <>
      <span class="badge badge-refused">refused</span> {status} {details && <Refusal of={details} />}
    </>
  );
}

function Refusal({ of: { code, fieldCode, attr, isDryRun } }: { of: RequestDetails }): VNode {
  return (
    <>
      <code>{code}</code>
      {fieldCode !== null && (
        <>
          {' '}
          <span class="muted">
            {fieldCode} {attr === '' || attr === null ? '' : `at ${attr}`}
          </span>
        </>
      )}
      {isDryRun && <span class="muted"> (dry run)</span>}
    </>
  );
}

/** Also of another organisation’s request, of which it is not told. */
function Duration({ ms, isRefused }: { ms: number | null | undefined; isRefused: boolean }): VNode {
  if (ms === undefined) return <>–</>;
  return ms === null ? <Unknown isRefused={isRefused} /> : <>{formatDuration(ms)}</>;
}

function Unknown({ isRefused }: { isRefused: boolean }): VNode {
  const why = isRefused ? 'Not recorded of a refused request' : 'Not recorded by the version that stored it';
  return (
    <span class="muted" title={why}>
      –
    </span>
  );
}
