import type { FoundRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { itemOf } from '../../../ingest/kinds/items.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { refusedTitle } from '../layout/refusal.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { FoundAccountRow, FoundKey, Hit, SearchedPart } from './search.types.js';

export function supplierHit({ code, name }: ViewedSupplier): Hit {
  return { text: name, href: ADDRESSES.supplier(code), description: `Supplier ${code}` };
}

export function keyHit({ id, label, organisation, isRevoked }: FoundKey): Hit {
  return {
    ...{ text: `Requests with API key ${label}`, href: withQuery(ADDRESSES.requests, { key: id }) },
    description: `API key of ${organisation}${isRevoked ? ', revoked' : ''}`,
  };
}

export function runHit(supplier: ViewedSupplier, run: string): Hit {
  const href = withQuery(ADDRESSES.requests, { run });
  return { text: `Requests of run ${run}`, href, supplier, isExact: true, meant: href };
}

const STATES: Readonly<Record<FoundAccountRow['state'], string>> = {
  pending: 'Account, pending',
  imported: 'Account',
  failed: 'Account, failed',
};

export function accountHit(supplier: ViewedSupplier, row: FoundAccountRow, isExact: boolean): Hit {
  const { external_account_number: number, service_account_number: platformNumber, state } = row;
  const href = ADDRESSES.account(supplier.code, number);
  const description = [STATES[state], ...(platformNumber === null ? [] : [platformNumber])].join(', ');
  return { text: number, href, description, supplier, isExact, meant: href };
}

/** A request that was found by its id. It means its account. */
export function requestHit(supplier: ViewedSupplier, request: FoundRequest): Hit {
  const { externalAccountNumber: number } = request.details;
  const meant = request.isAccount ? ADDRESSES.account(supplier.code, number) : undefined;
  return { ...refusedItemHit(supplier, request), meant };
}

/** A request that has an item of the id. The item may have been sent again and stored since, so it never means its account. */
export function refusedItemHit(supplier: ViewedSupplier, request: FoundRequest): Hit {
  const { kind, at, status, isAccount, details } = request;
  const stored = `Request of ${itemOf(kind).requestWords}${details.undoneAt ? ', undone' : ''}`;
  return {
    text: status === null ? stored : refusedTitle({ kind, status, ...details }),
    href: ADDRESSES.request(details.requestId),
    account: { number: details.externalAccountNumber, exists: isAccount },
    ...{ supplier, at, isExact: true },
  };
}

/** A stored transaction or statement. Statements have no filter and are ordered by period. */
export function itemHit(
  supplier: ViewedSupplier,
  { kind, external_account_number: number, id }: SearchedPart['found'][number],
): Hit {
  const account = ADDRESSES.account(supplier.code, number);
  const [text, href] =
    kind === 'transaction'
      ? ['Transaction', `${withQuery(account, { id })}#transactions`]
      : ['Statement', `${account}#statements`];
  return { text, href, supplier, account: { number, exists: true }, isExact: true, meant: href };
}
