import { Module } from '@nestjs/common';
import { AccountOperationsModule } from '../accounts/account-operations.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { DemonstrationService } from './demonstration.service.js';

/** Removes the demonstration; createDemonstration takes the services it needs from the running application. */
@Module({
  imports: [OrganisationsModule, ImportSuppliersModule, AccountOperationsModule],
  providers: [DemonstrationService],
  exports: [DemonstrationService],
})
export class DemonstrationModule {}
