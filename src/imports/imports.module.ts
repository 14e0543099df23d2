import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AnsweredItems } from './answered-items.js';

/** What the services and batchers of all of them need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [AnsweredItems],
  exports: [ImportSuppliersModule, DocumentStoreModule, AnsweredItems],
})
export class ImportsModule {}
