import { SUPPLIER_STATUSES, type SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { NotAllowed } from '../common/page-errors.js';

/**
 * The status that a form asks for. A supplier is completed on a page of its own (choice C13).
 *
 * @throws NotAllowed for anything that the forms of the page do not send
 */
export function statusOf(form: unknown): Exclude<SupplierStatus, 'complete'> {
  const fields = (form ?? {}) as Readonly<Record<string, unknown>>;
  const status = SUPPLIER_STATUSES.find((known) => known === fields.status);
  if (status === undefined || status === 'complete') throw new NotAllowed();
  return status;
}
