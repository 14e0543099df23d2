import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ControlRepository } from './control/control.repository.js';
import { SetControlsService } from './control/set-controls.service.js';
import { ErasureRepository } from './erasure/erasure.repository.js';
import { ErasureService } from './erasure/erasure.service.js';
import { AccountHistoryRepository } from './history/account-history.repository.js';
import { AccountHistoryService } from './history/account-history.service.js';
import { ImportingRepository } from './importing/importing.repository.js';
import { ImportingService } from './importing/importing.service.js';
import { RetryRepository } from './importing/retry.repository.js';
import { RetryService } from './importing/retry.service.js';
import { ImportProgressRepository } from './import-progress.repository.js';
import { ImportProgressService } from './import-progress.service.js';
import { PeriodsRepository } from './periods/periods.repository.js';
import { PeriodsService } from './periods/periods.service.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { StagingRepository } from './staging/staging.repository.js';
import { StagingService } from './staging/staging.service.js';
import { CarryOverRepository } from './totals/carry-over.repository.js';
import { TotalsCheckRepository } from './totals/totals-check.repository.js';
import { TotalsCheckService } from './totals/totals-check.service.js';
import { TotalsRepository } from './totals/totals.repository.js';
import { TotalsService } from './totals/totals.service.js';

/** What operators do with accounts: stage them, make platform accounts of them, and see how far that is. */
@Module({
  imports: [AuditModule, ImportSuppliersModule],
  providers: [
    StagingService,
    StagingRepository,
    ImportingService,
    ImportingRepository,
    RetryService,
    RetryRepository,
    ImportProgressService,
    ImportProgressRepository,
    AccountHistoryService,
    AccountHistoryRepository,
    ErasureService,
    ErasureRepository,
    RequestsUnderWay,
    PeriodsService,
    PeriodsRepository,
    SetControlsService,
    ControlRepository,
    TotalsService,
    TotalsRepository,
    CarryOverRepository,
    TotalsCheckService,
    TotalsCheckRepository,
  ],
  exports: [
    StagingService,
    ImportingService,
    RetryService,
    ImportProgressService,
    AccountHistoryService,
    ErasureService,
    RequestsUnderWay,
    PeriodsService,
    SetControlsService,
    TotalsService,
    TotalsCheckService,
  ],
})
export class AccountOperationsModule {}
