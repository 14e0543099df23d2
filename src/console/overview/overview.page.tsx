import { ADDRESSES } from '../addresses.js';
import type { Page } from '../page.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.repository.js';

export function overviewPage(suppliers: readonly ViewedSupplier[]): Page {
  return {
    title: 'Overview',
    place: 'overview',
    body: (
      <ul>
        {suppliers.map(({ code, name }) => (
          <li key={code}>
            <a href={ADDRESSES.supplier(code)}>{name}</a>
          </li>
        ))}
      </ul>
    ),
  };
}
