import type { DocumentReferrer } from '../../documents/document-referrers.js';
import type { Run } from '../../runs/runs.types.js';
import type { DocumentState, SupplierSigns } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import type { Viewer } from '../viewers/viewer.js';

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
export interface DocumentsView extends Omit<SupplierSigns, 'refusals'> {
  readonly viewer: Viewer['kind'];
  readonly supplier: ViewedSupplier;
  readonly state: DocumentState;
  /** When the last look-up of all documents began. */
  readonly lookedUpAt: Date | null;
  readonly documents: readonly ListedDocument[];
  readonly isFirst: boolean;
  /** The last document of the page, if there is another page. */
  readonly next: DocumentCursor | undefined;
  /** The look-up of the console that is under way, or has ended within an hour; only operators are told. */
  readonly run: Run | undefined;
  /** Whether a look-up was just asked for while another one is under way. */
  readonly isBusy: boolean;
}
