import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { StorageError } from '../../../documents/document-store.js';
import { DocumentReader, type OpenDocument } from '../../../documents/document-reader.js';
import { AccountService } from '../account/account.service.js';
import { PageNotFound } from '../common/page-errors.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { SignedIn } from '../signed-in/signed-in.js';
import { DocumentLocationsRepository } from './documents.repository.js';

/** Which document of which account. */
export interface WantedDocument {
  readonly supplier: ViewedSupplier;
  readonly number: string;
  /** As it was sent. */
  readonly path: string;
}

/** A document that the account names: open, missing in the store, or not to be read because the store does not answer. */
export type DocumentOutcome = OpenDocument | undefined | StorageError;

/** The documents that people see. */
@Injectable()
export class ViewedDocumentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountService,
    private readonly locations: DocumentLocationsRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Open a document that a note or statement of the account names. That the viewer sees one is recorded first.
   *
   * @param stop ends it when it fires
   * @throws PageNotFound when nothing on the account names it
   * Source: choice C6.
   */
  async open(signedIn: SignedIn, wanted: WantedDocument, stop: AbortSignal): Promise<DocumentOutcome> {
    const { supplier, number, path } = wanted;
    const key = { importSupplierId: supplier.id, externalAccountNumber: number };
    const { state } = await this.accounts.find(key);
    if (state === 'being_erased') throw new PageNotFound();
    const locations = await this.work.query((tx) => this.locations.list(tx, supplier.id, number, path));
    if (locations.length === 0) throw new PageNotFound();
    await this.accounts.recordView(signedIn, supplier.code, key, 'document.view');
    return this.reader.open(path, locations, stop).catch((error: unknown) => {
      if (error instanceof StorageError) return error;
      throw error;
    });
  }
}
