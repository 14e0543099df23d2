import type { ImportSupplier } from '../../import-suppliers/import-supplier.entity.js';

/** What the pages need of a supplier. */
export type ViewedSupplier = Pick<
  ImportSupplier,
  | 'id'
  | 'code'
  | 'name'
  | 'status'
  | 'documentRoot'
  | 'documentCheck'
  | 'customerEmails'
  | 'createdAt'
  | 'archivedAt'
>;
