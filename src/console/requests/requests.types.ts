import type { ImportKind } from '../../items/items.js';
import type { Sender } from '../viewers/senders.types.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** An import request that stored something or, with a status, was refused. */
export interface RecentRequest {
  readonly id: string;
  readonly at: Date;
  readonly kind: ImportKind;
  /** Empty of a refused request that named none. */
  readonly externalAccountNumber: string;
  /** As its client sent it. */
  readonly requestId: string;
  readonly apiKeyId: string;
  /** Items that were sent; null of refused requests and those of earlier versions, as is the duration. */
  readonly items: number | null;
  readonly stored: number;
  readonly durationMs: number | null;
  /** When what it stored was removed again. */
  readonly undoneAt: Date | null;
  /** Of the answer to a refused request. */
  readonly status: number | null;
  readonly code: string | null;
  /** Of the first field error, if there is one. */
  readonly fieldCode: string | null;
  readonly attr: string | null;
  readonly isDryRun: boolean;
}

/** An import request as a viewer sees it. */
export interface ListedRequest extends RecentRequest {
  readonly supplier: ViewedSupplier;
  /** Undefined of another organisation than the admin's own (choice C3). */
  readonly sender: Sender | undefined;
}

/** What the page of the requests shows. */
export interface RequestList {
  /** The suppliers to choose from. */
  readonly suppliers: readonly ViewedSupplier[];
  /** The code of the one that was chosen. */
  readonly chosen: string | undefined;
  /** Newest first. */
  readonly requests: readonly ListedRequest[];
}
