import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AnsweredItems } from './answered-items.js';
import { DocumentImports } from './document-check.js';
import { ImportRunner } from './import-runner.js';

/** What the services of all of them need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [AnsweredItems, ImportRunner, DocumentImports],
  exports: [DocumentStoreModule, AnsweredItems, ImportRunner, DocumentImports],
})
export class ImportsModule {}
