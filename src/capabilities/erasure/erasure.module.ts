import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { ErasureRepository } from './erasure.repository.js';
import { ErasureService } from './erasure.service.js';
import { ErasureTools } from './running-erasure.js';

/** Erases accounts and suppliers, and removes staged data after its retention time. */
@Module({
  imports: [AuditModule, ChangesModule, EvidenceModule, ImportSuppliersModule],
  providers: [ErasureService, ErasureTools, ErasureRepository],
  exports: [ErasureService],
})
export class ErasureModule {}
