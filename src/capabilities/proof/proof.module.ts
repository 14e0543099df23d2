import { Module } from '@nestjs/common';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { AccountContentsService } from './account-contents.service.js';
import { ProofController } from './proof.controller.js';
import { ProofRepository } from './proof.repository.js';

/** The endpoints for the content of accounts. */
@Module({
  imports: [EvidenceModule, ImportSuppliersModule],
  controllers: [ProofController],
  providers: [AccountContentsService, ProofRepository],
})
export class ProofModule {}
