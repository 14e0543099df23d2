import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { DocumentStoreModule } from './document-store.module.js';
import { DocumentsService } from './documents.service.js';

/** The check of the documents that notes and statements refer to. */
@Module({
  imports: [DocumentStoreModule, ImportSuppliersModule],
  providers: [DocumentsService],
})
export class DocumentsModule {}
