import type { ImportSupplier } from '../../import-suppliers/import-supplier.entity.js';
import type { ItemCounts } from '../../infrastructure/item-names/item-names.js';
import type { DocumentCounts } from '../../ingest/documents/document-counts.types.js';
import type { Forecast, Pace } from '../totals/forecast.js';
import type { RowProgress } from '../totals/row-progress.js';
import type { SupplierTotals } from '../totals/totals.types.js';

/** A count up to a bound. */
export interface BoundedCount {
  readonly count: number;
  /** Whether there are more than the bound. */
  readonly isMore: boolean;
}

/** Documents that were not found in the store. */
export interface DocumentSigns {
  /** Those that the last look-up of the whole supplier did not find. */
  readonly missingDocuments: BoundedCount;
  /** Those that were referred to after that look-up began; `since` is the time of the first one. */
  readonly documentsNotLookedUp: BoundedCount & { readonly since: Date | null };
}

/** The cause that most of the counted failures have. */
export interface CommonestCause {
  readonly words: string;
  readonly count: number;
}

/** The settings of a supplier that its conditions depend on. */
export type JudgedSupplier = Pick<
  ImportSupplier,
  'id' | 'code' | 'name' | 'status' | 'cutOver' | 'quietAfter' | 'archivedAt'
>;

/** Everything that the conditions of a supplier depend on. */
export interface SupplierFacts extends DocumentSigns {
  readonly supplier: JudgedSupplier;
  readonly totals: SupplierTotals;
  readonly pace: Pace;
  /** Undefined when it is not known how many rows there will be. */
  readonly rows: RowProgress | undefined;
  readonly forecast: Forecast;
  /** Import requests that were refused in the last hour. */
  readonly refusals: BoundedCount;
  /** The commonest cause of the refusals that the viewer may see (choice A8). */
  readonly refusalCause: CommonestCause | null;
  /** The commonest cause of the accounts that failed last. */
  readonly failureCause: CommonestCause | null;
  /** The changes that the slowest reader of the feed has not done, and the age of the oldest one. */
  readonly lag: { readonly changes: number; readonly seconds: number };
  /** Whether an import was undone after the last row was stored. */
  readonly isUndone: boolean;
  /** The rows stored in the last day, if the supplier has a cut-over. */
  readonly storedInDay: ItemCounts;
}

/** The facts as the database returns them. */
export type FactsRow = SupplierTotals &
  Omit<Pace, 'minutes'> &
  DocumentCounts &
  Pick<SupplierFacts, 'refusalCause' | 'failureCause' | 'isUndone' | 'storedInDay'> & {
    readonly id: number;
    readonly controlsAt: Date;
    readonly refusals: number;
    readonly lagChanges: number;
    readonly lagSeconds: number;
  };
