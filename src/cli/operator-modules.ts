import { AccountListsModule } from '../account-lists/account-lists.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { PlatformKeysModule } from '../auth/platform-keys.module.js';
import { CataloguesModule } from '../catalogues/catalogues.module.js';
import { CommonModule } from '../common/common.module.js';
import { SessionsModule } from '../console/viewers/sessions.module.js';
import { MigrationOperationsModule } from '../contents/migration/migration-operations.module.js';
import { ControlTotalsModule } from '../control-totals/control-totals.module.js';
import { DemonstrationModule } from '../demonstration/demonstration.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { ReadersModule } from '../feed/readers.module.js';
import { HistoryModule } from '../history/history.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ImportingModule } from '../importing/importing.module.js';
import { UndoModule } from '../imports/undo/undo.module.js';
import { PeriodsModule } from '../periods/periods.module.js';
import { TotalsModule } from '../totals/totals.module.js';

/**
 * The modules whose services operators need, all of them, for what goes through every query. A command
 * loads those of its group alone (command-groups.ts). None of them has a controller or a resolver.
 */
export const OPERATOR_MODULES = [
  CommonModule,
  AuditModule,
  OrganisationsModule,
  PlatformKeysModule,
  CataloguesModule,
  ImportSuppliersModule,
  TotalsModule,
  ReadersModule,
  ControlTotalsModule,
  ImportingModule,
  AccountListsModule,
  PeriodsModule,
  ErasureModule,
  HistoryModule,
  UndoModule,
  MigrationOperationsModule,
  SessionsModule,
  DemonstrationModule,
];
