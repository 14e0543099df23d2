import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';

/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (choice F1). */
  readonly location: string;
}

/** Key of a note or a statement among its kind; only its own module knows what the texts mean. */
type ReferrerKey = readonly string[];

/** A note or a statement with those of its documents that were never seen in the store. */
export interface UnseenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  readonly documents: readonly ReferredDocument[];
}

/** One of them after a lookup that found at least one of the documents. */
export interface SeenDocuments {
  readonly key: ReferrerKey;
  /** Paths of the documents that were not found. */
  readonly unseenPaths: readonly string[];
}

/** What the repository of a module implements whose rows refer to documents, for `documents check` (choice F3). */
export interface DocumentReferrer {
  readonly kind: 'note' | 'statement';
  /** How many documents are to be looked up. */
  readonly countNotSeen: (tx: Tx, importSupplierId: number) => Promise<number>;
  /**
   * The next rows of a supplier with documents that were not seen, in the order of their keys.
   *
   * @param after the key after which to continue; nothing for the start
   */
  readonly listNotSeen: (
    tx: Tx,
    importSupplierId: number,
    after: ReferrerKey | undefined,
    countMax: number,
  ) => Promise<UnseenDocuments[]>;
  /** Remember which documents exist. */
  readonly markSeen: (tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]) => Promise<void>;
}

/**
 * Everything that refers to documents. The modules above this one add themselves when they are created; a module that is
 * loaded later (Nest's LazyModuleLoader) has no `onModuleInit`.
 */
@Injectable()
export class DocumentReferrers {
  private readonly referrers: DocumentReferrer[] = [];

  add(referrer: DocumentReferrer): void {
    this.referrers.push(referrer);
  }

  /** In the order of their kinds. */
  all(): readonly DocumentReferrer[] {
    return this.referrers.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
  }
}
