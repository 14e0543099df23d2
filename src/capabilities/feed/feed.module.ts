import { Module } from '@nestjs/common';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { ChangesController } from './changes.controller.js';
import { ChangesRepository } from './changes.repository.js';
import { ChangesService } from './changes.service.js';
import { FeedWatch } from './feed-watch.js';
import { ReadersModule } from './readers.module.js';

/** The feed that the platform reads. */
@Module({
  imports: [ChangesModule, EvidenceModule, ImportSuppliersModule, ReadersModule, TotalsModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangesRepository, FeedWatch],
})
export class FeedModule {}
