import { AccountsService } from '../accounts/accounts.service.js';
import { accountsPage } from '../accounts/accounts.page.js';
import { ADDRESSES } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import { DifferencesService } from '../differences/differences.service.js';
import { differencesPage } from '../differences/differences.page.js';
import { documentListPage } from '../documents/document-list.page.js';
import { DocumentListService } from '../documents/document-list.service.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { OPERATORS, USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { ListsService } from './lists.service.js';

/** The accounts of a supplier, those that differ from their control totals, and documents (choices C10, F5, V6). */
@ConsoleController('suppliers/:code')
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly accounts: AccountsService,
    private readonly differences: DifferencesService,
    private readonly documents: DocumentListService,
  ) {}

  @PageFor(USERS, 'accounts')
  async showAccounts(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return accountsPage(await this.lists.page(this.accounts, request));
  }

  @PageFor(USERS, 'accounts.csv')
  downloadAccounts(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.lists.file(this.accounts, request);
  }

  @PageFor(USERS, 'differences')
  async showDifferences(@AtSupplier() request: SupplierRequest): Promise<Page> {
    const view = await this.lists.page(this.differences, request);
    return differencesPage(view, await this.differences.control(request));
  }

  @PageFor(USERS, 'differences.csv')
  downloadDifferences(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.lists.file(this.differences, request);
  }

  @PageFor(USERS, 'documents')
  async showDocuments(@AtSupplier() request: SupplierRequest): Promise<Page> {
    const view = await this.lists.page(this.documents, request);
    return documentListPage(view, await this.documents.run(request));
  }

  @PageFor(USERS, 'documents.csv')
  downloadDocuments(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.lists.file(this.documents, request);
  }

  /** Starts to look up these documents in the background, as `documents check` does. */
  @FormFor(OPERATORS, 'documents')
  async lookUp(@AtSupplier() request: SupplierRequest): Promise<Redirection> {
    await this.documents.lookUp(request);
    return { location: ADDRESSES.documents(request.supplier.code) };
  }
}
