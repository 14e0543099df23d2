import { Module } from '@nestjs/common';
import { AccountOperationsModule } from '../accounts/account-operations.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { AccountItemsRepository } from './account/account-items.repository.js';
import { AccountController } from './account/account.controller.js';
import { AccountRepository } from './account/account.repository.js';
import { AccountService } from './account/account.service.js';
import { HistoryViewService } from './account/history-view.service.js';
import { DocumentsController } from './documents/documents.controller.js';
import { DocumentLocationsRepository } from './documents/documents.repository.js';
import { ViewedDocumentsService } from './documents/viewed-documents.service.js';
import { ConsoleErrorFilter } from './layout/console-error.filter.js';
import { OverviewController } from './overview/overview.controller.js';
import { ItemSearchService } from './search/item-search.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignOutController } from './sessions/sign-out.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SessionsModule } from './viewers/sessions.module.js';
import { ViewedSuppliersRepository } from './viewers/viewed-suppliers.repository.js';
import { ViewedSuppliersService } from './viewers/viewed-suppliers.service.js';

/** The pages for people below `/console/`. */
@Module({
  imports: [
    SessionsModule,
    AuthModule,
    OrganisationsModule,
    AccountOperationsModule,
    AuditModule,
    DocumentStoreModule,
  ],
  controllers: [
    OverviewController,
    SessionsController,
    SignInController,
    SignOutController,
    AccountController,
    DocumentsController,
    SearchController,
  ],
  providers: [
    ConsoleErrorFilter,
    SignInService,
    ViewedSuppliersService,
    ViewedSuppliersRepository,
    AccountService,
    AccountRepository,
    AccountItemsRepository,
    HistoryViewService,
    ViewedDocumentsService,
    DocumentLocationsRepository,
    SearchService,
    SearchRepository,
    ItemSearchService,
  ],
})
export class ConsoleModule {}
