import type { ApiKeySummary } from '../../auth/api-keys.service.js';
import type { FeedReader } from '../../feed/readers.types.js';
import type { Attention } from '../progress/attention.js';
import type { ItemHistory, SupplierProgress } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import type { Viewer } from '../viewers/viewer.js';

/** An organisation that may see the supplier. Of another one an admin learns only that it is there (choice C3). */
export interface GrantedOrganisation {
  /** Undefined of another organisation than the admin's own. */
  readonly name: string | undefined;
  readonly grantedAt: Date;
  /** Never the keys themselves. Oldest first; none of another organisation than the admin's own. */
  readonly keys: readonly ApiKeyOfSupplier[];
}

export interface ApiKeyOfSupplier extends ApiKeySummary {
  readonly isExpired: boolean;
}

/** What the summary of a supplier shows. */
export interface SupplierSummary {
  readonly viewer: Viewer['kind'];
  /** Whether this service has the documents, and with them the loader (choice L15). */
  readonly hasDocs: boolean;
  readonly now: Date;
  readonly progress: SupplierProgress;
  readonly history: ItemHistory;
  readonly attention: readonly Attention[];
}

/** What the page of the settings of a supplier shows. */
export interface SupplierSettings {
  readonly viewer: Viewer['kind'];
  readonly supplier: ViewedSupplier;
  readonly organisations: readonly GrantedOrganisation[];
  /** Of the feed; undefined for a supplier's admin, whom they do not concern. */
  readonly readers: readonly FeedReader[] | undefined;
}
