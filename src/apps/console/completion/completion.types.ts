import type { MigrationCounts } from '../../../capabilities/proof/migration/migration.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** What keeps a supplier from being complete. */
export interface ShownCompletion {
  /** With its present status. */
  readonly supplier: ViewedSupplier;
  readonly counts: MigrationCounts;
  /** Up to when the totals contain everything; nothing when the rows were counted now. */
  readonly asOf: Date | undefined;
  /** Why the form that was sent has changed nothing. */
  readonly problem?: string;
}
