import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';

/** What the batchers of all imports need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  exports: [ImportSuppliersModule, DocumentStoreModule],
})
export class ImportsModule {}
