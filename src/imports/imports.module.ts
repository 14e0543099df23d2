import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ImportAdmissionService } from './import-admission.service.js';
import { AnsweredItems } from './answered-items.js';

/** The admission of imports, and what the services and batchers of all of them need. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [ImportAdmissionService, AnsweredItems],
  exports: [ImportSuppliersModule, DocumentStoreModule, AnsweredItems],
})
export class ImportsModule {}
