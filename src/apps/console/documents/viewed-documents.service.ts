import { Injectable } from '@nestjs/common';
import { query, run } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { StorageError } from '../../../documents/document-store.js';
import { DocumentReader, type OpenDocument } from '../../../documents/document-reader.js';
import { keyValues } from '../account/account-key.js';
import { AccountService } from '../account/account.service.js';
import { PageNotFound } from '../common/page-errors.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** A document of an account. */
export interface WantedDocument {
  readonly supplier: ViewedSupplier;
  readonly accountNumber: string;
  /** The path as sent. */
  readonly path: string;
}

/** A document that the account refers to: open, missing in the store (undefined), or unreadable because the store does not answer. */
export type DocumentOutcome = OpenDocument | undefined | StorageError;

/**
 * The locations of a path to which notes or statements of the account refer. After a change of the document root the same
 * path has several locations. That of the latest request comes first.
 */
const LOCATIONS = query<{ location: string }>(
  'console.document_locations',
  `SELECT named.location
     FROM (SELECT s.document_location AS location, s.import_request_id
             FROM statement s
            WHERE s.import_supplier_id = :import_supplier_id AND s.external_account_number = :external_account_number
              AND s.statement_path = :path
            UNION ALL
           SELECT document.location, n.import_request_id
             FROM note n, unnest(n.document_paths, n.document_locations) AS document (path, location)
            WHERE n.import_supplier_id = :import_supplier_id AND n.external_account_number = :external_account_number
              AND document.path = :path) AS named
    GROUP BY named.location
    ORDER BY max(named.import_request_id::text) DESC
    LIMIT 10`,
);

@Injectable()
export class ViewedDocumentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountService,
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
  async open(user: SignedInUser, wanted: WantedDocument, stop: AbortSignal): Promise<DocumentOutcome> {
    const { supplier, accountNumber, path } = wanted;
    const key = await this.accounts.visible(supplier, accountNumber);
    const found = await this.work.query((tx) => run(tx, LOCATIONS, { ...keyValues(key), path }));
    if (found.length === 0) throw new PageNotFound();
    await this.accounts.recordView(user, supplier.code, key, 'document.view');
    const locations = found.map(({ location }) => location);
    return this.reader.open(path, locations, stop).catch((error: unknown) => {
      if (error instanceof StorageError) return error;
      throw error;
    });
  }
}
