import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { StorageError } from '../../../documents/document-store.js';
import { DocumentReader, type OpenDocument } from '../../../documents/document-reader.js';
import { AccountService } from '../account/account.service.js';
import { PageNotFound } from '../common/page-errors.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { SignedIn } from '../signed-in/signed-in.js';
import { DocumentLocationsRepository } from './documents.repository.js';

/** A document of an account. */
export interface WantedDocument {
  readonly supplier: ViewedSupplier;
  readonly number: string;
  /** The path as sent. */
  readonly path: string;
}

/** A document that the account refers to: open, missing in the store (undefined), or unreadable because the store does not answer. */
export type DocumentOutcome = OpenDocument | undefined | StorageError;

@Injectable()
export class ViewedDocumentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountService,
    private readonly locations: DocumentLocationsRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Open a document that a note or statement of the account refers to. It is recorded first that the signed-in user sees
   * it.
   *
   * @param stop aborts the reading
   * @throws PageNotFound when nothing on the account refers to it
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
