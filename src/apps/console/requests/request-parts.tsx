import type { VNode } from 'preact';
import type { SentRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { fieldText } from '../layout/refusal.js';
import { Undone } from '../layout/timeline.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

type AnyRequest = SentRequest & { readonly supplier: ViewedSupplier };

/** The account of a request. A refused request may name an account that does not exist. */
export function Account({ request: { supplier, status, details } }: { request: AnyRequest }): VNode {
  const number = details?.externalAccountNumber ?? '';
  if (number === '' || status === 404) return <>{number === '' ? '–' : number}</>;
  return <a href={ADDRESSES.account(supplier.code, number)}>{number}</a>;
}

export function Outcome({ request: { status, items, stored, details } }: { request: AnyRequest }): VNode {
  if (status === null) {
    return (
      <>
        <span class="badge badge-stored">{(items ?? 0) > stored ? 'partly stored' : 'stored'}</span>
        {details?.undoneAt && <Undone at={details.undoneAt} />}
      </>
    );
  }
  return (
    <>
      <span class="badge badge-refused">rejected</span> {status} <code>{details?.code}</code>{' '}
      <span class="muted">
        {details && fieldText(details)}
        {details?.isDryRun === true && ' (dry run)'}
      </span>
    </>
  );
}
