import type { Type } from '@nestjs/common';
import type { CommandRunner } from 'nest-commander';

/** The commands that begin with a word, and the modules whose services they call. */
interface CommandGroup {
  readonly commands: typeof CommandRunner;
  readonly modules: readonly Type[];
}

/**
 * The groups, in the order of the help. Each is loaded when one of its commands is asked for: what the others need takes longer than
 * the command. None of the modules has a controller or a resolver. A command that needs a module only sometimes loads it with
 * Nest's LazyModuleLoader.
 */
export const GROUPS: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  organisation: async () => ({
    commands: (await import('../auth/organisations.commands.js')).OrganisationCommands,
    modules: [(await import('../auth/organisations.module.js')).OrganisationsModule],
  }),
  'api-key': async () => ({
    commands: (await import('../auth/api-keys.commands.js')).ApiKeyCommands,
    modules: [(await import('../auth/organisations.module.js')).OrganisationsModule],
  }),
  'platform-key': async () => ({
    commands: (await import('../auth/platform-keys.commands.js')).PlatformKeyCommands,
    modules: [(await import('../auth/platform-keys.module.js')).PlatformKeysModule],
  }),
  supplier: async () => ({
    commands: (await import('./groups/supplier.commands.js')).SupplierCommands,
    modules: [
      (await import('../import-suppliers/import-suppliers.module.js')).ImportSuppliersModule,
      (await import('../erasure/erasure.module.js')).ErasureModule,
    ],
  }),
  accounts: async () => ({
    commands: (await import('./groups/accounts.commands.js')).AccountsCommands,
    modules: [
      (await import('../importing/importing.module.js')).ImportingModule,
      (await import('../account-lists/account-lists.module.js')).AccountListsModule,
      (await import('../import-suppliers/import-suppliers.module.js')).ImportSuppliersModule,
      (await import('../totals/totals.module.js')).TotalsModule,
      (await import('../history/history.module.js')).HistoryModule,
      (await import('../periods/periods.module.js')).PeriodsModule,
      (await import('../control-totals/control-totals.module.js')).ControlTotalsModule,
      (await import('../erasure/erasure.module.js')).ErasureModule,
    ],
  }),
  migration: async () => ({
    commands: (await import('../contents/migration/migration.commands.js')).MigrationCommands,
    modules: [
      (await import('../contents/migration/migration-operations.module.js')).MigrationOperationsModule,
      (await import('../totals/totals.module.js')).TotalsModule,
    ],
  }),
  imports: async () => ({
    commands: (await import('../imports/undo/imports.commands.js')).ImportsCommands,
    modules: [(await import('../imports/undo/undo.module.js')).UndoModule],
  }),
  totals: async () => ({
    commands: (await import('../totals/totals.commands.js')).TotalsCommands,
    modules: [(await import('../totals/totals.module.js')).TotalsModule],
  }),
  feed: async () => ({
    commands: (await import('../feed/feed.commands.js')).FeedCommands,
    modules: [(await import('../feed/readers.module.js')).ReadersModule],
  }),
  catalogue: async () => ({
    commands: (await import('../catalogues/catalogues.commands.js')).CatalogueCommands,
    modules: [(await import('../catalogues/catalogues.module.js')).CataloguesModule],
  }),
  documents: async () => ({
    commands: (await import('../documents/documents.commands.js')).DocumentsCommands,
    modules: [],
  }),
  audit: async () => ({
    commands: (await import('../audit/audit.commands.js')).AuditCommands,
    modules: [(await import('../audit/audit.module.js')).AuditModule],
  }),
  console: async () => ({
    commands: (await import('../console/viewers/console.commands.js')).ConsoleCommands,
    modules: [(await import('../console/viewers/sessions.module.js')).SessionsModule],
  }),
  database: async () => ({
    commands: (await import('./groups/database.commands.js')).DatabaseCommands,
    modules: [(await import('../restored/restored.module.js')).RestoredModule],
  }),
  demonstration: async () => ({
    commands: (await import('../demonstration/demonstration.commands.js')).DemonstrationCommands,
    modules: [(await import('../demonstration/demonstration.module.js')).DemonstrationModule],
  }),
};
