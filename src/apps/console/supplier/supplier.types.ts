import type { ApiKeySummary } from '../../../auth/api-keys.service.js';
import type { FeedReader } from '../../../capabilities/feed/readers.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** An organisation that may see the supplier. Of another one an admin learns only that it is there (choice C3). */
export interface GrantedOrganisation {
  /** Undefined of another organisation than the admin's own. */
  readonly name: string | undefined;
  readonly grantedAt: Date;
  /** Never the keys themselves. Oldest first; none of another organisation than the admin's own. */
  readonly keys: readonly (ApiKeySummary & { readonly isExpired: boolean })[];
}

/** What the page of the settings of a supplier shows. */
export interface SupplierSettings extends SupplierRequest {
  readonly organisations: readonly GrantedOrganisation[];
  /** Of the feed; undefined for a supplier's admin, whom they do not concern. */
  readonly readers: readonly FeedReader[] | undefined;
}
