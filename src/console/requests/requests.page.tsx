import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount, formatDuration } from '../common/format.js';
import { Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import { Undone } from '../layout/undone.js';
import type { Page } from '../layout/page.js';
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
        <div
          id="requests"
          hx-get={withQuery(ADDRESSES.requests, { supplier: chosen })}
          hx-trigger="every 5s"
          hx-select="#requests"
          hx-swap="outerMorph"
        >
          {requests.length === 0 ? <NoRequest /> : <RequestsTable requests={requests} />}
        </div>
      </>
    ),
  };
}

function SupplierFilter({ suppliers, chosen }: Pick<RequestList, 'suppliers' | 'chosen'>): VNode {
  return (
    <form class="filters" action={ADDRESSES.requests}>
      <div>
        <label for="supplier">Supplier</label>
        <select id="supplier" name="supplier">
          <option value="">All</option>
          {suppliers.map(({ code, name }) => (
            <option key={code} value={code} selected={code === chosen}>
              {name}
            </option>
          ))}
        </select>
      </div>
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

function RequestsTable({ requests }: Pick<RequestList, 'requests'>): VNode {
  return (
    <Table caption="Import requests">
      <thead>
        <tr>
          <th scope="col">Moment</th>
          <th scope="col">Outcome</th>
          <th scope="col">Kind</th>
          <th scope="col">Supplier</th>
          <th scope="col">Account</th>
          <th scope="col" class="number">
            Sent
          </th>
          <th scope="col" class="number">
            Stored
          </th>
          <th scope="col" class="number">
            Duration
          </th>
          <th scope="col">Organisation</th>
          <th scope="col">Request id</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </tbody>
    </Table>
  );
}

function RequestRow({ request }: { request: ListedRequest }): VNode {
  const { id, at, kind, supplier, externalAccountNumber: number, organisation, requestId } = request;
  return (
    <tr id={`request-${id}`}>
      <td>
        <Moment at={at} />
      </td>
      <td>
        <Outcome request={request} />
      </td>
      <td>{kind.replaceAll('_', ' ')}</td>
      <td class="name">
        <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>
      </td>
      <td>{number === '' ? '–' : <AccountLink request={request} />}</td>
      <Numbers request={request} />
      <td class="name">{organisation ?? <span class="muted">another organisation</span>}</td>
      <td class="path">{requestId}</td>
    </tr>
  );
}

/** A refused request may name an account that does not exist. */
function AccountLink({ request }: { request: ListedRequest }): VNode {
  const { supplier, externalAccountNumber: number } = request;
  if (request.outcome === 'refused' && request.status === 404) return <>{number}</>;
  return <a href={ADDRESSES.account(supplier.code, number)}>{number}</a>;
}

function Outcome({ request }: { request: ListedRequest }): VNode {
  if (request.outcome !== 'refused') {
    return (
      <>
        <span class="badge badge-stored">{request.outcome === 'stored' ? 'stored' : 'stored partly'}</span>
        {request.undoneAt && <Undone at={request.undoneAt} />}
      </>
    );
  }
  const { status, code, fieldCode, attr, isDryRun } = request;
  return (
    <>
      <span class="badge badge-refused">refused</span> {status} <code>{code}</code>
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

function Numbers({ request }: { request: ListedRequest }): VNode {
  const isRefused = request.outcome === 'refused';
  const why = isRefused ? 'Not recorded of a refused request' : 'Not recorded by the version that stored it';
  const items = isRefused ? null : request.items;
  const durationMs = isRefused ? null : request.durationMs;
  return (
    <>
      <td class="number">{items === null ? <Unknown why={why} /> : formatCount(items)}</td>
      <td class="number">{isRefused ? '0' : formatCount(request.stored)}</td>
      <td class="number">{durationMs === null ? <Unknown why={why} /> : formatDuration(durationMs)}</td>
    </>
  );
}

function Unknown({ why }: { why: string }): VNode {
  return (
    <span class="muted" title={why}>
      –
    </span>
  );
}
