import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { ErasureRepository } from './erasure.repository.js';
import { ErasureService } from './erasure.service.js';
import { ErasureTools } from './running-erasure.js';
import { StagedRetentionRepository } from './staged-retention.repository.js';

/** Erases accounts and suppliers, and removes staged data after its retention time. */
@Module({
  imports: [AuditModule, ChangesModule, EvidenceModule, ImportSuppliersModule],
  providers: [ErasureService, ErasureTools, ErasureRepository, StagedRetentionRepository],
  exports: [ErasureService, StagedRetentionRepository],
})
export class ErasureModule {}
