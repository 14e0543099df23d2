import { Get, Post } from '@nestjs/common';
import { DocumentsService } from '../../../ingest/documents/documents.service.js';
import { ADDRESSES } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import {
  AtSupplier,
  OperatorAtSupplier,
  type OperatorRequest,
  type SupplierRequest,
} from '../signed-in/supplier-request.js';
import { documentListPage } from './document-list.page.js';
import { DocumentListService } from './document-list.service.js';

/** The documents of a supplier that are missing in the store or were not looked up yet (choice F5). */
@ConsoleController('suppliers/:code')
export class DocumentListController {
  constructor(
    private readonly documents: DocumentListService,
    private readonly lookUps: DocumentsService,
  ) {}

  @Get('documents')
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return documentListPage(await this.documents.page(request));
  }

  @Get('documents.csv')
  download(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.documents.download(request);
  }

  /** Starts to look up these documents in the background, as `documents check` does. */
  @Post('documents')
  async lookUp(@OperatorAtSupplier() { user, supplier: { code } }: OperatorRequest): Promise<Redirection> {
    const isBegun = await this.lookUps.begin(code, user.recordedAs);
    return { location: ADDRESSES.documents(code, { busy: isBegun ? undefined : 'yes' }) };
  }
}
