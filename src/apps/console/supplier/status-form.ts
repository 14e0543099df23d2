import { SUPPLIER_STATUSES, type SupplierStatus } from '../../../import-suppliers/import-supplier.entity.js';
import { NotAllowed } from '../common/page-errors.js';
import type { FormFields } from '../common/parameters.js';

/**
 * The status that a form requests. Completing a supplier has a page of its own (choice C13).
 *
 * @throws NotAllowed for anything that the forms of the page do not send
 */
export function statusOf(form: FormFields): Exclude<SupplierStatus, 'complete'> {
  const status = SUPPLIER_STATUSES.find((known) => known === form.status);
  if (status === undefined || status === 'complete') throw new NotAllowed();
  return status;
}

/**
 * Whether a form archives a supplier, or shows an archived one again.
 *
 * @throws NotAllowed for anything that the forms of the page do not send
 */
export function isArchivedIn({ archived }: FormFields): boolean {
  if (archived !== 'yes' && archived !== 'no') throw new NotAllowed();
  return archived === 'yes';
}
