import type { ImportSupplier } from '../../../import-suppliers/import-supplier.entity.js';

/** The columns of a supplier that the pages use. */
export type ViewedSupplier = Omit<ImportSupplier, 'grants'>;
