import type { ImportSupplier } from '../../import-suppliers/import-supplier.entity.js';
import type { ItemCounts } from '../../infrastructure/item-names/item-names.js';
import type { DocumentCounts } from '../../ingest/documents/document-counts.types.js';
import type { Forecast, Pace } from '../totals/forecast.js';
import type { RowProgress } from '../totals/row-progress.js';
import type { SupplierTotals } from '../totals/totals.types.js';

/** Refusals, failures and documents are counted up to this number and one more. */
export const COUNTED_MAX = 1_000;

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
export interface SupplierFacts {
  readonly supplier: JudgedSupplier;
  readonly totals: SupplierTotals;
  readonly pace: Pace;
  /** Undefined when it is not known how many rows there will be. */
  readonly rows: RowProgress | undefined;
  readonly forecast: Forecast;
  /** Import requests that were refused in the last hour. */
  readonly refusals: number;
  readonly documents: Pick<DocumentCounts, 'missing' | 'notLookedUp' | 'notLookedUpSince'>;
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
  Pick<SupplierFacts, 'refusals' | 'refusalCause' | 'failureCause' | 'isUndone' | 'storedInDay'> & {
    readonly id: number;
    readonly controlsAt: Date;
    readonly lagChanges: number;
    readonly lagSeconds: number;
  };
