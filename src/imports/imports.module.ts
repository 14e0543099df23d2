import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ImportAdmissionService } from './import-admission.service.js';
import { ItemCounts } from './item-counts.js';

/** The admission of imports, and what the services and batchers of all of them need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [ImportAdmissionService, ItemCounts],
  exports: [ImportSuppliersModule, DocumentStoreModule, ItemCounts],
})
export class ImportsModule {}
