import type { VNode } from 'preact';
import { SUPPLIER_PARTS } from '../common/addresses.js';
import type { Page } from './page.js';

/** Links from each page of a supplier to the others. */
export function SupplierNavigation({
  supplier: { code, name, part },
}: {
  supplier: NonNullable<Page['supplier']>;
}): VNode {
  return (
    <nav class="supplier-parts" aria-label={`Supplier ${name}`}>
      <ul>
        {Object.entries(SUPPLIER_PARTS).map(([one, { text, address }]) => (
          <li key={one}>
            <a href={address(code)} aria-current={one === part ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
