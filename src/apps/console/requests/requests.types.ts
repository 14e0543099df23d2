import type {
  FoundRequest,
  ListedRequest as OfSupplier,
} from '../../../capabilities/request-log/requests/sent-requests.types.js';
import type { ListPage } from '../common/cursor.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { RequestsQuery } from './requests-query.js';

/** An import request as a viewer sees it. */
export type ListedRequest = OfSupplier & { readonly supplier: ViewedSupplier };

/** An import request of the own organisation, with its supplier. */
export type ShownRequest = FoundRequest & { readonly supplier: ViewedSupplier };

/** What the page of the requests shows. */
export interface RequestList {
  /** The suppliers to choose from. */
  readonly suppliers: readonly ViewedSupplier[];
  /** The API keys to choose from, by their ids. */
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly query: RequestsQuery;
  /** Newest first. */
  readonly requests: ListPage<ListedRequest>;
  /** The filter finds few requests: older ones than this are left to the next page. */
  readonly readTo: Date | undefined;
}

/** Requests of the same id that their page shows. */
export const SHOWN_MAX = 50;
