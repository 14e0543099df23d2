import type { DocumentReferrer } from '../../../ingest/documents/document-referrers.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import type { ListPage } from '../common/cursor.js';
import type { DocumentState, SupplierSigns } from '../progress/progress.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** A document that was not seen in the store. */
export interface ListedDocument {
  readonly kind: DocumentReferrer['kind'];
  readonly externalAccountNumber: string;
  /** As it was sent. */
  readonly path: string;
  /** When a request named it. */
  readonly namedAt: Date;
  /** Whether it was named while another store was configured, in which nobody looks. */
  readonly isElsewhere: boolean;
  /** Its place among those of its kind. */
  readonly key: readonly string[];
}

/** Where a page of the list begins: after a document of a kind. */
export type DocumentCursor = Pick<ListedDocument, 'kind' | 'key'>;

/** What the page of the documents of a supplier shows. */
export interface DocumentsView extends SupplierRequest, Omit<SupplierSigns, 'refusals'> {
  readonly state: DocumentState;
  /** When the last look-up of all documents began. */
  readonly lookedUpAt: Date | null;
  readonly documents: ListPage<ListedDocument, DocumentCursor>;
  /** The look-up of the console that is under way, or has ended within an hour; only operators are told. */
  readonly run: Run | undefined;
}
