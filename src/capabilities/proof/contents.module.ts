import { Module } from '@nestjs/common';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { AccountContentsService } from './account-contents.service.js';
import { ContentsController } from './contents.controller.js';
import { ContentsRepository } from './contents.repository.js';

/** What accounts hold, at the interface. */
@Module({
  imports: [EvidenceModule, ImportSuppliersModule],
  controllers: [ContentsController],
  providers: [AccountContentsService, ContentsRepository],
})
export class ContentsModule {}
