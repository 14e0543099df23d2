import type { ApiKeySummary } from '../../../auth/api-keys.service.js';
import type { FeedReader } from '../../../capabilities/feed/readers.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** An organisation that may see the supplier. An admin learns of another organisation only that it exists (choice C3). */
export interface GrantedOrganisation {
  /** Undefined for an organisation other than the admin's own. */
  readonly name: string | undefined;
  readonly grantedAt: Date;
  /** Oldest first; never the keys themselves. Empty for an organisation other than the admin's own. */
  readonly keys: readonly (ApiKeySummary & { readonly isExpired: boolean })[];
}

/** The view model of the page of a supplier's settings. */
export interface SupplierSettings extends SupplierRequest {
  readonly organisations: readonly GrantedOrganisation[];
  /** Readers of the feed; undefined for a supplier's admin, who does not need them. */
  readonly readers: readonly FeedReader[] | undefined;
}
