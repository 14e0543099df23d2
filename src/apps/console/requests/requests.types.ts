import type {
  FoundRequest,
  ListedRequest as OfSupplier,
} from '../../../capabilities/request-log/requests/sent-requests.types.js';
import type { ListPage } from '../common/cursor.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { RequestsQuery } from './requests-query.js';

/** An import request as the signed-in user sees it. */
export type ListedRequest = OfSupplier & { readonly supplier: ViewedSupplier };

/** An import request of the user's own organisation, with its supplier. */
export type ShownRequest = FoundRequest & { readonly supplier: ViewedSupplier };

/** The view model of the page of requests. */
export interface RequestList {
  /** The suppliers to choose from. */
  readonly suppliers: readonly ViewedSupplier[];
  /** The API keys to choose from, by their ids. */
  readonly keys: readonly { readonly id: string; readonly label: string }[];
  readonly query: RequestsQuery;
  /** Newest first. */
  readonly requests: ListPage<ListedRequest>;
  /** Set when the filter matches few requests: requests before this time are left to the next page. */
  readonly readTo: Date | undefined;
}

/** The most requests with the same id that the page shows. */
export const SHOWN_MAX = 50;
