import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AccountContentsService } from './account-contents.service.js';
import { ContentsController } from './contents.controller.js';
import { ContentsReadingModule } from './contents-reading.module.js';

/** What accounts hold, at the interface. */
@Module({
  imports: [ContentsReadingModule, EvidenceModule, ImportSuppliersModule],
  controllers: [ContentsController],
  providers: [AccountContentsService],
})
export class ContentsModule {}
