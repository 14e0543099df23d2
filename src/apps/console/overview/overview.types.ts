import type { Attention } from '../progress/attention.js';
import type { Progress } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** The view model of the overview. */
export interface Overview extends Progress {
  /** Code of the supplier whose rows the chart shows; undefined for all. */
  readonly chartOf: string | undefined;
  readonly attention: readonly Attention[];
  /** Ordered by code; their progress is not shown. */
  readonly archived: readonly ViewedSupplier[];
}
