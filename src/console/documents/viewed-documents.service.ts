import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { StorageError } from '../../documents/document-store.js';
import { DocumentReader, type OpenDocument } from '../../documents/document-reader.js';
import { EvidenceService } from '../../evidence/evidence.service.js';
import { AccountService } from '../account/account.service.js';
import { PageNotFound } from '../common/page-errors.js';
import type { Viewer } from '../viewers/viewer.js';
import { DocumentLocationsRepository } from './documents.repository.js';

/** Which document of which account. */
export interface WantedDocument {
  readonly code: string;
  readonly number: string;
  /** As it was sent. */
  readonly path: string;
}

/** What became of the wish to see a document; the account names it in any case. */
export type DocumentOutcome =
  | { readonly kind: 'open'; readonly document: OpenDocument }
  | { readonly kind: 'missing' }
  | { readonly kind: 'store_away'; readonly cause: StorageError };

/** The documents that people see. */
@Injectable()
export class ViewedDocumentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountService,
    private readonly evidence: EvidenceService,
    private readonly locations: DocumentLocationsRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Open a document that a note or statement of the account names. That the viewer sees one is recorded first.
   *
   * @param stop ends it when it fires
   * @throws PageNotFound when nothing on the account names it, or the viewer does not see the account
   * Source: choice C6.
   */
  async open(viewer: Viewer, wanted: WantedDocument, stop: AbortSignal): Promise<DocumentOutcome> {
    const { code, number, path } = wanted;
    const { importSupplierId, summary } = await this.accounts.find(viewer, code, number);
    if (summary.state === 'being_erased') throw new PageNotFound();
    const locations = await this.work.single((tx) => this.locations.list(tx, importSupplierId, number, path));
    if (locations.length === 0) throw new PageNotFound();
    const isRecorded = await this.evidence.recordView({
      viewer: viewer.recordedAs,
      isFromAnotherSite: viewer.isFromAnotherSite,
      action: 'document.view',
      importSupplier: code,
      importSupplierId,
      externalAccountNumber: number,
    });
    if (!isRecorded) throw new PageNotFound();
    try {
      const document = await this.reader.open(path, locations, stop);
      return document ? { kind: 'open', document } : { kind: 'missing' };
    } catch (cause) {
      if (cause instanceof StorageError) return { kind: 'store_away', cause };
      throw cause;
    }
  }
}
