import type { MigrationCounts } from '../../../capabilities/proof/migration/migration.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** The view model of the page on which a supplier is completed. */
export interface ShownCompletion {
  /** With its current status. */
  readonly supplier: ViewedSupplier;
  readonly counts: MigrationCounts;
  /** The time up to which the totals include everything; undefined when the rows were just counted. */
  readonly asOf: Date | undefined;
  /** Why the submitted form has changed nothing. */
  readonly problem?: string;
}
