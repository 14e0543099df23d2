import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ImportAdmissionService } from './import-admission.service.js';

/** The admission of imports, and what the batchers of all of them need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [ImportAdmissionService],
  exports: [ImportSuppliersModule, DocumentStoreModule],
})
export class ImportsModule {}
