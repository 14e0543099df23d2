import type { ApiKeySummary } from '../../auth/api-keys.service.js';
import type { FeedReader } from '../../feed/readers.types.js';
import type { Attention } from '../progress/attention.js';
import type { ItemHistory, SupplierProgress } from '../progress/progress.types.js';
import type { TimelineEvent } from '../layout/timeline.js';
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

/** What the page of a supplier shows. */
export interface SupplierDetails {
  readonly viewer: Viewer['kind'];
  /** Whether this service has the documents, and with them the loader (choice L15). */
  readonly hasDocs: boolean;
  readonly now: Date;
  readonly progress: SupplierProgress;
  readonly history: ItemHistory;
  readonly attention: readonly Attention[];
  readonly organisations: readonly GrantedOrganisation[];
  /** Of the feed; undefined for a supplier's admin, whom they do not concern. */
  readonly readers: readonly FeedReader[] | undefined;
  readonly events: readonly TimelineEvent[];
}
