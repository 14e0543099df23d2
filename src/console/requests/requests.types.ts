import type { SentRequest } from '../../sent-requests/sent-requests.types.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** An import request as a viewer sees it. */
export type ListedRequest = SentRequest & { readonly supplier: ViewedSupplier };

/** What the page of the requests shows. */
export interface RequestList {
  /** The suppliers to choose from. */
  readonly suppliers: readonly ViewedSupplier[];
  /** The code of the one that was chosen. */
  readonly chosen: string | undefined;
  /** Newest first. */
  readonly requests: readonly ListedRequest[];
}
