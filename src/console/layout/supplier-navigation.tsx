import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import type { Page, SupplierPart } from './page.js';

const PARTS: readonly {
  readonly part: SupplierPart;
  readonly text: string;
  readonly href: (code: string) => string;
}[] = [
  { part: 'summary', text: 'Summary', href: ADDRESSES.supplier },
  { part: 'accounts', text: 'Accounts', href: ADDRESSES.accounts },
  { part: 'failures', text: 'Failures', href: ADDRESSES.failures },
  {
    part: 'requests',
    text: 'Requests',
    href: (code) => withQuery(ADDRESSES.requests, { supplier: code }),
  },
  { part: 'differences', text: 'Mismatches', href: ADDRESSES.differences },
  { part: 'documents', text: 'Documents', href: ADDRESSES.documents },
  { part: 'activity', text: 'Activity', href: ADDRESSES.activity },
  { part: 'settings', text: 'Settings', href: ADDRESSES.settings },
];

/** Leads from each page of a supplier to the others. */
export function SupplierNavigation({
  of: { code, name, part },
}: {
  of: NonNullable<Page['supplier']>;
}): VNode {
  return (
    <nav class="supplier-parts" aria-label={`Supplier ${name}`}>
      <ul>
        {PARTS.map((one) => (
          <li key={one.part}>
            <a href={one.href(code)} aria-current={one.part === part ? 'page' : undefined}>
              {one.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
