import { Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ENTITIES } from './apps/data-source.js';
import { ConsoleModule } from './apps/console/console.module.js';
import { ConsolePlugin } from './apps/http/plugins/console.plugin.js';
import { HttpPlugins } from './apps/http/plugins/http-plugins.js';
import { connectionMetrics, requestMetrics } from './apps/http/plugins/request-metrics.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthModule } from './auth/auth.module.js';
import { RuntimeLimitsModule } from './import-suppliers/catalogues/runtime-limits.module.js';
import { BudgetModule } from './infrastructure/limits/budget.module.js';
import { ClockModule } from './infrastructure/clock/clock.module.js';
import { ConfigModule } from './infrastructure/config/config.module.js';
import { hasConsole } from './infrastructure/config/has-console.js';
import type { Environment } from './infrastructure/config/settings.js';
import { ProofModule } from './capabilities/proof/proof.module.js';
import { ConditionsModule } from './capabilities/conditions/conditions.module.js';
import { ControlTotalsModule } from './accounts/control-totals/control-totals.module.js';
import { DatabaseModule } from './infrastructure/database/database.module.js';
import { DemonstrationModule } from './capabilities/demonstration/demonstration.module.js';
import { DocumentsModule } from './ingest/documents/documents.module.js';
import { ErasureModule } from './capabilities/erasure/erasure.module.js';
import { StagedRetentionJob } from './capabilities/erasure/staged-retention.job.js';
import { EvidenceRetentionJob } from './infrastructure/audit/evidence/evidence-retention.job.js';
import { EvidenceModule } from './infrastructure/audit/evidence/evidence.module.js';
import { FeedModule } from './capabilities/feed/feed.module.js';
import { ReadersModule } from './capabilities/feed/readers.module.js';
import { HealthModule } from './infrastructure/health/health.module.js';
import { MetricsModule } from './infrastructure/metrics/metrics.module.js';
import { registerMetrics } from './infrastructure/metrics/metrics.registry.js';
import { HistoryModule } from './capabilities/request-log/history/history.module.js';
import { ImportingModule } from './accounts/importing/importing.module.js';
import { ImportSuppliersModule } from './import-suppliers/import-suppliers.module.js';
import { RefusalsModule } from './capabilities/request-log/refusals/refusals.module.js';
import { NotesModule } from './notes/notes.module.js';
import { StatementsModule } from './statements/statements.module.js';
import { PaymentInstructionsModule } from './payment-instructions/payment-instructions.module.js';
import { CarryOverJob } from './capabilities/totals/carry-over.job.js';
import { TotalsModule } from './capabilities/totals/totals.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';

/** The root module of the HTTP service. */
@Module({})
export class AppModule {
  /** @param databaseUrl postgres:// address of a migrated database */
  static with(environment: Environment, databaseUrl: string): DynamicModule {
    const isConsoleOn = hasConsole(environment);
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment),
        ClockModule,
        MetricsModule,
        BudgetModule,
        DatabaseModule.with(databaseUrl, environment, {
          entities: ENTITIES,
          statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
        }),
        HealthModule,
        RuntimeLimitsModule,
        AuthModule,
        ImportSuppliersModule,
        AccountsModule,
        TotalsModule,
        ReadersModule,
        FeedModule,
        ConditionsModule,
        ControlTotalsModule,
        ImportingModule,
        EvidenceModule,
        ErasureModule,
        DemonstrationModule,
        HistoryModule,
        RefusalsModule,
        NotesModule,
        StatementsModule,
        DocumentsModule,
        PaymentInstructionsModule,
        TransactionsModule,
        ProofModule,
        ...(isConsoleOn ? [ConsoleModule] : []),
      ],
      providers: [
        CarryOverJob,
        EvidenceRetentionJob,
        StagedRetentionJob,
        HttpPlugins,
        ...(isConsoleOn ? [ConsolePlugin] : []),
        registerMetrics(requestMetrics, HttpAdapterHost),
        registerMetrics(connectionMetrics, HttpAdapterHost),
      ],
    };
  }
}
