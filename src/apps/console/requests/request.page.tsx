import type { VNode } from 'preact';
import { countRows, itemOf } from '../../../ingest/kinds/items.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { capitalised, formatCount, formatDuration } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import { Details, type Pair } from '../layout/pairs.js';
import { refusalPairs } from '../layout/refusal.js';
import { CopyButton } from '../layout/request-link.js';
import { Section } from '../layout/section.js';
import { Outcome } from './request-parts.js';
import { SHOWN_MAX, type ShownRequest } from './requests.types.js';

/** The page of one request id: the import requests that were sent with it (choice C11). */
export function requestPage(id: string, requests: readonly ShownRequest[]): Page {
  return {
    title: 'Request',
    place: 'requests',
    breadcrumbs: breadcrumbs({ text: 'Requests', href: ADDRESSES.requests }),
    body: (
      <>
        <p>
          <code id="request-id">{id}</code>
          <CopyButton />
        </p>
        {requests.length > 1 && (
          <p>
            The client sent this id {formatCount(requests.length)} times
            {requests.length === SHOWN_MAX && ' or more'}. The newest request is first.
          </p>
        )}
        {requests.map((request, index) => (
          <Request request={request} index={index} />
        ))}
      </>
    ),
  };
}

function Request({ request, index }: { request: ShownRequest; index: number }): VNode {
  const { at, kind } = request;
  return (
    <Section
      id={`request-${index + 1}`}
      title={
        <>
          {capitalised(itemOf(kind).requestWords)}, <DateTime at={at} />
        </>
      }
    >
      <Details pairs={pairsOf(request)} />
    </Section>
  );
}

function pairsOf(request: ShownRequest): Pair[] {
  const { status, items, counts, supplier, isAccount, details } = request;
  const { externalAccountNumber: number, apiKeyId, sender, traceId } = details;
  return [
    ['Outcome', <Outcome request={request} />],
    ['Supplier', <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>],
    ['Account', isAccount ? <a href={ADDRESSES.account(supplier.code, number)}>{number}</a> : number],
    [
      'API key',
      <a href={withQuery(ADDRESSES.requests, { key: apiKeyId })}>
        {sender ? `${sender.organisation}: ${sender.label}` : apiKeyId}
      </a>,
    ],
    ...(status === null ? [] : refusalPairs(request.kind, details)),
    ['Sent', items === null ? undefined : formatCount(items)],
    ...(counts === null
      ? []
      : countRows(counts).map(([label, count]): Pair => [
          `Stored: ${label.toLowerCase()}`,
          count === 0 ? undefined : formatCount(count),
        ])),
    ['Duration', details.durationMs === null ? undefined : formatDuration(details.durationMs)],
    ['Trace id', traceId && <code>{traceId}</code>],
  ];
}
