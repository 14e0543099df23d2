import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../../auth/organisations.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { ImportingModule } from '../../accounts/importing/importing.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { DemonstrationService } from './demonstration.service.js';

/** Removes the demonstration; createDemonstration takes the services it needs from the running application. */
@Module({
  imports: [OrganisationsModule, ImportSuppliersModule, ImportingModule, ErasureModule, TotalsModule],
  providers: [DemonstrationService],
  exports: [DemonstrationService],
})
export class DemonstrationModule {}
