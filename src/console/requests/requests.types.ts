import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import type { ImportKind } from '../../items/items.js';

interface AnyRequest {
  readonly id: string;
  readonly at: Date;
  readonly kind: ImportKind;
  /** Empty of a refused request that named none. */
  readonly externalAccountNumber: string;
  /** As its client sent it. */
  readonly requestId: string;
}

/** An import request that stored something. */
interface StoredRequest {
  readonly outcome: 'stored' | 'stored_partly';
  /** Items that were sent; null of requests of earlier versions. */
  readonly items: number | null;
  readonly stored: number;
  /** Null of requests of earlier versions. */
  readonly durationMs: number | null;
  /** When what it stored was removed again. */
  readonly undoneAt: Date | null;
}

/** An import request that was refused. */
interface RefusedRequest {
  readonly outcome: 'refused';
  readonly status: number;
  readonly code: string;
  /** Of the first field error, if there is one. */
  readonly fieldCode: string | null;
  readonly attr: string | null;
  readonly isDryRun: boolean;
}

/** An import request with the API key that sent it. */
export type RecentRequest = AnyRequest & (StoredRequest | RefusedRequest) & { readonly apiKeyId: string };

/** An import request as a viewer sees it. */
export type ListedRequest = AnyRequest &
  (StoredRequest | RefusedRequest) & {
    readonly supplier: Pick<ViewedSupplier, 'code' | 'name'>;
    /** Undefined of another organisation than the admin's own (choice C3). */
    readonly organisation: string | undefined;
  };

/** What the page of the requests shows. */
export interface RequestList {
  /** The suppliers to choose from. */
  readonly suppliers: readonly Pick<ViewedSupplier, 'code' | 'name'>[];
  /** The code of the one that was chosen. */
  readonly chosen: string | undefined;
  /** Newest first. */
  readonly requests: readonly ListedRequest[];
}
