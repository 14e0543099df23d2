import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../../auth/organisations.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { ImportingModule } from '../../accounts/importing/importing.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { DemonstrationSetupService } from './demonstration-setup.service.js';
import { DemonstrationService } from './demonstration.service.js';

/** The demonstration that the first start creates, and `demonstration remove`. */
@Module({
  imports: [OrganisationsModule, ImportSuppliersModule, ImportingModule, ErasureModule, TotalsModule],
  providers: [DemonstrationSetupService, DemonstrationService],
  exports: [DemonstrationService],
})
export class DemonstrationModule {}
