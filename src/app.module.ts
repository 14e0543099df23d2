import { Module, type DynamicModule } from '@nestjs/common';
import { ENTITIES } from './database/data-source.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthModule } from './auth/auth.module.js';
import { RuntimeLimitsModule } from './catalogues/runtime-limits.module.js';
import { BudgetModule } from './budget/budget.module.js';
import { CommonModule } from './common/common.module.js';
import { ConfigModule } from './config/config.module.js';
import { hasConsole } from './config/has-console.js';
import type { Environment } from './config/settings.js';
import { ContentsModule } from './contents/contents.module.js';
import { ConsoleModule } from './console/console.module.js';
import { ControlTotalsModule } from './control-totals/control-totals.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { StagedRetentionJob } from './erasure/staged-retention.job.js';
import { EvidenceRetentionJob } from './evidence/evidence-retention.job.js';
import { EvidenceModule } from './evidence/evidence.module.js';
import { FeedModule } from './feed/feed.module.js';
import { ReaderLagJob } from './feed/reader-lag.job.js';
import { ReadersModule } from './feed/readers.module.js';
import { HealthModule } from './health/health.module.js';
import { HistoryModule } from './history/history.module.js';
import { ImportingModule } from './importing/importing.module.js';
import { ImportSuppliersModule } from './import-suppliers/import-suppliers.module.js';
import { ViewerModule } from './import-suppliers/viewer.module.js';
import { RefusalsModule } from './imports/refusals/refusals.module.js';
import { NotesModule } from './notes/notes.module.js';
import { StatementsModule } from './statements/statements.module.js';
import { PaymentInstructionsModule } from './payment-instructions/payment-instructions.module.js';
import { PeriodsModule } from './periods/periods.module.js';
import { CarryOverJob } from './totals/carry-over.job.js';
import { TotalsModule } from './totals/totals.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';

/** The root module of the HTTP service. */
@Module({})
export class AppModule {
  /** @param databaseUrl postgres:// address of a migrated database */
  static with(environment: Environment, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment),
        CommonModule,
        BudgetModule,
        DatabaseModule.with(databaseUrl, environment, {
          entities: ENTITIES,
          statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
        }),
        HealthModule,
        RuntimeLimitsModule,
        AuthModule,
        ImportSuppliersModule,
        ViewerModule,
        AccountsModule,
        TotalsModule,
        ReadersModule,
        FeedModule,
        ControlTotalsModule,
        ImportingModule,
        PeriodsModule,
        EvidenceModule,
        ErasureModule,
        HistoryModule,
        RefusalsModule,
        NotesModule,
        StatementsModule,
        DocumentsModule,
        PaymentInstructionsModule,
        TransactionsModule,
        ContentsModule,
        ...(hasConsole(environment) ? [ConsoleModule] : []),
      ],
      providers: [CarryOverJob, ReaderLagJob, EvidenceRetentionJob, StagedRetentionJob],
    };
  }
}
