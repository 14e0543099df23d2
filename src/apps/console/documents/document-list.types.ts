import type { DocumentReferrer } from '../../../ingest/documents/document-referrers.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import type { ListPage } from '../common/cursor.js';
import type { DocumentSigns } from '../../../capabilities/conditions/facts.types.js';
import type { DocumentState } from '../progress/progress.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** A document that is missing in the store or was not looked up yet. */
export interface ListedDocument {
  readonly kind: DocumentReferrer['kind'];
  readonly externalAccountNumber: string;
  /** The path as sent. */
  readonly path: string;
  /** When a request referred to it. */
  readonly namedAt: Date;
  /** Whether it was referred to while another store was configured, which is no longer searched. */
  readonly isElsewhere: boolean;
  /** Its position among the documents of its kind. */
  readonly key: readonly string[];
}

/** Where a page of the list begins: after a document of a kind. */
export type DocumentCursor = Pick<ListedDocument, 'kind' | 'key'>;

/** The view model of the page of a supplier's documents. */
export interface DocumentsView extends SupplierRequest, DocumentSigns {
  readonly state: DocumentState;
  /** When the last look-up of all documents started. */
  readonly lookedUpAt: Date | null;
  readonly documents: ListPage<ListedDocument, DocumentCursor>;
  /** The look-up from the console that is running or ended within the last hour; only for operators. */
  readonly run: Run | undefined;
}
