import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { RunsModule } from '../../infrastructure/jobs/runs/runs.module.js';
import { DocumentCountsRepository } from './document-counts.repository.js';
import { DocumentStoreModule } from '../../documents/document-store.module.js';
import { DocumentsService } from './documents.service.js';

/** The check of the documents that notes and statements refer to. */
@Module({
  imports: [AuditModule, DocumentStoreModule, ImportSuppliersModule, RunsModule],
  providers: [DocumentsService, DocumentCountsRepository],
  exports: [DocumentsService],
})
export class DocumentsModule {}
