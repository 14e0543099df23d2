import type { Type } from '@nestjs/common';
import type { CommandRunner } from 'nest-commander';

/** The commands that begin with a word. */
export interface CommandGroup {
  readonly description: string;
  /** The commands, and the modules whose services they call. */
  readonly load: () => Promise<{
    readonly commands: readonly Type<CommandRunner>[];
    readonly modules: readonly Type[];
  }>;
}

/**
 * The groups, in the order of the help. Each is loaded when one of its commands is asked for: what the others need takes longer than
 * the command. None of the modules has a controller or a resolver. A command that needs a module only sometimes loads it with
 * Nest's LazyModuleLoader.
 */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  organisation: {
    description: 'organisations that call the API',
    load: async () => ({
      commands: (await import('../../auth/organisations.commands.js')).ORGANISATION_COMMANDS,
      modules: [(await import('../../auth/organisations.module.js')).OrganisationsModule],
    }),
  },
  'api-key': {
    description: 'keys with which an organisation obtains tokens',
    load: async () => ({
      commands: (await import('../../auth/api-keys.commands.js')).API_KEY_COMMANDS,
      modules: [(await import('../../auth/organisations.module.js')).OrganisationsModule],
    }),
  },
  'platform-key': {
    description: 'keys with which the platform reads what was imported',
    load: async () => ({
      commands: (await import('../../auth/platform-keys.commands.js')).PLATFORM_KEY_COMMANDS,
      modules: [(await import('../../auth/organisations.module.js')).OrganisationsModule],
    }),
  },
  supplier: {
    description: 'import suppliers: settings, access, archiving, and erasure of their accounts',
    load: async () => ({
      commands: [
        ...(await import('../../import-suppliers/import-suppliers.commands.js')).SUPPLIER_COMMANDS,
        (await import('../../capabilities/erasure/erase.commands.js')).EraseSupplierCommand,
      ],
      modules: [
        (await import('../../import-suppliers/import-suppliers.module.js')).ImportSuppliersModule,
        (await import('../../capabilities/erasure/erasure.module.js')).ErasureModule,
      ],
    }),
  },
  accounts: {
    description: 'accounts to import: stage, import, list, look up, change, erase',
    load: async () => ({
      commands: [
        (await import('../../accounts/staging/stage.command.js')).StageAccountsCommand,
        (await import('../../accounts/importing/import.command.js')).ImportAccountsCommand,
        (await import('../../accounts/importing/retry.command.js')).RetryAccountsCommand,
        (await import('../../accounts/lists/list-accounts.command.js')).ListAccountsCommand,
        (await import('../../capabilities/totals/show-account.command.js')).ShowAccountCommand,
        (await import('../../capabilities/request-log/history/history.command.js')).AccountHistoryCommand,
        ...(await import('../../accounts/periods/periods.commands.js')).PERIOD_COMMANDS,
        (await import('../../accounts/control-totals/set-controls.command.js')).SetControlsCommand,
        (await import('../../capabilities/erasure/erase.commands.js')).EraseAccountCommand,
      ],
      modules: [
        (await import('../../accounts/importing/importing.module.js')).ImportingModule,
        (await import('../../accounts/lists/account-lists.module.js')).AccountListsModule,
        (await import('../../import-suppliers/import-suppliers.module.js')).ImportSuppliersModule,
        (await import('../../capabilities/totals/totals.module.js')).TotalsModule,
        (await import('../../capabilities/request-log/history/history.module.js')).HistoryModule,
        (await import('../../accounts/periods/periods.module.js')).PeriodsModule,
        (await import('../../accounts/control-totals/control-totals.module.js')).ControlTotalsModule,
        (await import('../../capabilities/erasure/erasure.module.js')).ErasureModule,
      ],
    }),
  },
  migration: {
    description: 'progress and completion of a supplier’s migration to the platform',
    load: async () => ({
      commands: (await import('../../capabilities/proof/migration/migration.commands.js')).MIGRATION_COMMANDS,
      modules: [
        (await import('../../capabilities/proof/migration/migration-operations.module.js'))
          .MigrationOperationsModule,
        (await import('../../capabilities/totals/totals.module.js')).TotalsModule,
      ],
    }),
  },
  imports: {
    description: 'what import requests have stored, and how it is undone',
    load: async () => ({
      commands: (await import('../../capabilities/undo/imports.commands.js')).IMPORTS_COMMANDS,
      modules: [(await import('../../capabilities/undo/undo.module.js')).UndoModule],
    }),
  },
  totals: {
    description: 'the totals of suppliers, which are stored separately from the rows that they count',
    load: async () => ({
      commands: (await import('../../capabilities/totals/totals.commands.js')).TOTALS_COMMANDS,
      modules: [(await import('../../capabilities/totals/totals.module.js')).TotalsModule],
    }),
  },
  feed: {
    description: 'the feed that the platform reads: readers that are behind, and new epochs after data loss',
    load: async () => ({
      commands: (await import('../../capabilities/feed/feed.commands.js')).FEED_COMMANDS,
      modules: [(await import('../../capabilities/feed/readers.module.js')).ReadersModule],
    }),
  },
  catalogue: {
    description: 'allowed values of fields',
    load: async () => ({
      commands: (await import('../../import-suppliers/catalogues/catalogues.commands.js')).CATALOGUE_COMMANDS,
      modules: [(await import('../../import-suppliers/catalogues/catalogues.module.js')).CataloguesModule],
    }),
  },
  documents: {
    description: 'the documents that notes and statements refer to',
    load: async () => ({
      commands: (await import('../../ingest/documents/documents.commands.js')).DOCUMENTS_COMMANDS,
      modules: [],
    }),
  },
  audit: {
    description: 'who changed or saw what, and when',
    load: async () => ({
      commands: (await import('../../infrastructure/audit/audit.commands.js')).AUDIT_COMMANDS,
      modules: [(await import('../../infrastructure/audit/audit.module.js')).AuditModule],
    }),
  },
  console: {
    description: 'sign-in links and sessions of the console',
    load: async () => ({
      commands: (await import('../console/signed-in/console.commands.js')).CONSOLE_COMMANDS,
      modules: [(await import('../console/signed-in/sessions.module.js')).SessionsModule],
    }),
  },
  database: {
    description: 'the schema and the nodes of the database, and copies and restores',
    load: async () => ({
      commands: [
        (await import('../../infrastructure/database/migrate-database.command.js')).MigrateDatabaseCommand,
        ...(await import('../../capabilities/distribution/distribution.commands.js')).DISTRIBUTION_COMMANDS,
        ...(await import('../../capabilities/restored/restored.commands.js')).RESTORED_COMMANDS,
      ],
      modules: [
        (await import('../../capabilities/restored/restored.module.js')).RestoredModule,
        (await import('../../capabilities/distribution/distribution.module.js')).DistributionModule,
      ],
    }),
  },
  demonstration: {
    description: 'the demonstration data that the first start creates',
    load: async () => ({
      commands: (await import('../../capabilities/demonstration/demonstration.commands.js'))
        .DEMONSTRATION_COMMANDS,
      modules: [
        (await import('../../capabilities/demonstration/demonstration.module.js')).DemonstrationModule,
      ],
    }),
  },
};
