import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { OrganisationsModule } from '../../auth/organisations.module.js';
import { MigrationOperationsModule } from '../../capabilities/proof/migration/migration-operations.module.js';
import { DocumentStoreModule } from '../../documents/document-store.module.js';
import { DocumentsModule } from '../../ingest/documents/documents.module.js';
import { EvidenceModule } from '../../infrastructure/audit/evidence/evidence.module.js';
import { ReadersModule } from '../../capabilities/feed/readers.module.js';
import { HistoryModule } from '../../capabilities/request-log/history/history.module.js';
import { ImportingModule } from '../../accounts/importing/importing.module.js';
import { ConditionsModule } from '../../capabilities/conditions/conditions.module.js';
import { TotalsModule } from '../../capabilities/totals/totals.module.js';
import { SentRequestsModule } from '../../capabilities/request-log/requests/sent-requests.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { AccountListsModule } from '../../accounts/lists/account-lists.module.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityService } from './activity/activity.service.js';
import { AccountItemsRepository } from './account/account-items.repository.js';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { CompletionController } from './completion/completion.controller.js';
import { SupplierCompletionService } from './completion/supplier-completion.service.js';
import { AccountsService } from './accounts/accounts.service.js';
import { DifferencesService } from './differences/differences.service.js';
import { DocumentListService } from './documents/document-list.service.js';
import { DocumentsController } from './documents/documents.controller.js';
import { ViewedDocumentsService } from './documents/viewed-documents.service.js';
import { AllFailuresController, FailuresController } from './failures/failures.controller.js';
import { FailuresService } from './failures/failures.service.js';
import { ConsoleErrorFilter } from './layout/console-error.filter.js';
import { ListsController } from './lists/lists.controller.js';
import { ListsService } from './lists/lists.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { ProgressService } from './progress/progress.service.js';
import { RequestsController } from './requests/requests.controller.js';
import { RequestsService } from './requests/requests.service.js';
import { ItemSearchService } from './search/item-search.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionCookies } from './signed-in/session-cookies.js';
import { BegunSignIns } from './sign-in/begun-sign-ins.js';
import { IdentityProvider } from './sign-in/identity-provider.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SettingsService } from './supplier/settings.service.js';
import { SupplierController } from './supplier/supplier.controller.js';
import { SessionsModule } from './signed-in/sessions.module.js';
import { ViewedSuppliersService } from './signed-in/viewed-suppliers.service.js';

/** The pages below `/console/`. */
@Module({
  imports: [
    TotalsModule,
    ConditionsModule,
    AccountListsModule,
    ImportingModule,
    HistoryModule,
    ReadersModule,
    EvidenceModule,
    AuthModule,
    DocumentStoreModule,
    DocumentsModule,
    ImportSuppliersModule,
    OrganisationsModule,
    MigrationOperationsModule,
    SentRequestsModule,
    SessionsModule,
  ],
  controllers: [
    AccountController,
    ActivityController,
    CompletionController,
    ListsController,
    DocumentsController,
    AllFailuresController,
    FailuresController,
    OverviewController,
    RequestsController,
    SearchController,
    SessionsController,
    SignInController,
    SupplierController,
  ],
  providers: [
    ConsoleErrorFilter,
    SessionCookies,
    SignInService,
    IdentityProvider,
    BegunSignIns,
    ViewedSuppliersService,
    AccountService,
    AccountsService,
    AccountItemsRepository,
    SupplierCompletionService,
    DifferencesService,
    DocumentListService,
    ViewedDocumentsService,
    SearchService,
    SearchRepository,
    ItemSearchService,
    ListsService,
    ProgressService,
    OverviewService,
    SettingsService,
    ActivityService,
    RequestsService,
    FailuresService,
  ],
  exports: [ConsoleErrorFilter, SessionCookies, SessionsModule],
})
export class ConsoleModule {}
