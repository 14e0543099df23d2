import type { ImportSupplier } from '../../../import-suppliers/import-supplier.entity.js';

/** What the pages need of a supplier. */
export type ViewedSupplier = Omit<ImportSupplier, 'grants'>;
