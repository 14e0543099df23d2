import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import type { Page, SupplierPart } from './page.js';

const PARTS: Readonly<Record<SupplierPart, readonly [text: string, addressOf: (code: string) => string]>> = {
  summary: ['Summary', ADDRESSES.supplier],
  accounts: ['Accounts', ADDRESSES.accounts],
  failures: ['Failures', ADDRESSES.failures],
  requests: ['Requests', (code) => withQuery(ADDRESSES.requests, { supplier: code })],
  differences: ['Mismatches', ADDRESSES.differences],
  documents: ['Documents', ADDRESSES.documents],
  activity: ['Activity', ADDRESSES.activity],
  settings: ['Settings', ADDRESSES.settings],
};

/** Links from each page of a supplier to the others. */
export function SupplierNavigation({
  of: { code, name, part },
}: {
  of: NonNullable<Page['supplier']>;
}): VNode {
  return (
    <nav class="supplier-parts" aria-label={`Supplier ${name}`}>
      <ul>
        {Object.entries(PARTS).map(([one, [text, addressOf]]) => (
          <li key={one}>
            <a href={addressOf(code)} aria-current={one === part ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
