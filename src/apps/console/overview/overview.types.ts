import type { ExpiringKey } from '../../../auth/api-keys.queries.js';
import type { Progress } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** The view model of the overview; its suppliers begin with the most severe conditions. */
export interface Overview extends Progress {
  /** Keys that expire soon. */
  readonly keys: readonly ExpiringKey[];
  /** Ordered by code; their progress is not shown. */
  readonly archived: readonly ViewedSupplier[];
}
