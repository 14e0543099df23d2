import { SUPPLIER_STATUSES, type SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { NotAllowed } from '../common/page-errors.js';

/** The field that confirms a change of which nothing reminds later. */
export const CONFIRMED_FIELD = 'confirmed';

/**
 * The status that a form asks for.
 *
 * @throws NotAllowed for anything that the forms of the page do not send: without its box ticked `complete` is no wish
 */
export function statusOf(form: unknown): SupplierStatus {
  const fields = (form ?? {}) as Readonly<Record<string, unknown>>;
  const status = SUPPLIER_STATUSES.find((known) => known === fields.status);
  if (status === undefined || (status === 'complete' && fields[CONFIRMED_FIELD] !== 'yes'))
    throw new NotAllowed();
  return status;
}
