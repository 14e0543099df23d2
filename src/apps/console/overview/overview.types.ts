import type { Attention } from '../progress/attention.js';
import type { Progress } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** What the overview shows. */
export interface Overview extends Progress {
  /** Code of the supplier that the chart is of; of all without one. */
  readonly chartOf: string | undefined;
  readonly attention: readonly Attention[];
  /** Ordered by code; their progress is not shown. */
  readonly archived: readonly ViewedSupplier[];
}
