import type { ModuleCommands } from '../../infrastructure/commands/operator-command.js';

/** The commands that share their first word. */
export interface CommandGroup {
  readonly description: string;
  /** A migration does not need it: it repairs, looks into or prepares the service. */
  readonly isMaintenance?: true;
  /** Loads the files that have these commands, in the order of the help. */
  readonly load: () => Promise<readonly { readonly COMMANDS: ModuleCommands }[]>;
}

/**
 * The groups, in the order of the help. Only the group of the requested command is loaded, because loading the others takes longer than
 * the command. A command that needs a module only sometimes loads it with Nest's LazyModuleLoader.
 */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  organisation: {
    description: 'organisations that call the API',
    load: async () => [await import('../../auth/organisations.commands.js')],
  },
  'api-key': {
    description: 'keys with which an organisation obtains tokens',
    load: async () => [await import('../../auth/api-keys.commands.js')],
  },
  supplier: {
    description: 'import suppliers: settings, access, archiving, and erasure of their accounts',
    load: async () => [
      await import('../../import-suppliers/import-suppliers.commands.js'),
      await import('../../capabilities/erasure/erase.commands.js'),
    ],
  },
  catalogue: {
    description: 'allowed values of fields',
    load: async () => [await import('../../import-suppliers/catalogues/catalogues.commands.js')],
  },
  accounts: {
    description: 'accounts to import: stage, import, list, look up, change, erase',
    load: async () => [
      await import('../../accounts/importing/import.command.js'),
      await import('../../accounts/lists/list-accounts.command.js'),
      await import('../../capabilities/totals/show-account.command.js'),
      await import('../../capabilities/request-log/history/history.command.js'),
      await import('../../accounts/periods/periods.commands.js'),
      await import('../../accounts/control-totals/set-controls.command.js'),
      await import('../../capabilities/erasure/erase.commands.js'),
    ],
  },
  migration: {
    description: 'progress and completion of a supplier’s migration to the platform',
    load: async () => [await import('../../capabilities/proof/migration/migration.commands.js')],
  },
  imports: {
    description: 'what import requests have stored, and how it is undone',
    load: async () => [await import('../../capabilities/undo/imports.commands.js')],
  },
  documents: {
    description: 'the documents that notes and statements refer to',
    load: async () => [await import('../../ingest/documents/documents.commands.js')],
  },
  console: {
    description: 'sign-in links and sessions of the console',
    load: async () => [await import('../console/signed-in/console.commands.js')],
  },
  'platform-key': {
    description: 'keys with which the platform reads what was imported',
    load: async () => [await import('../../auth/platform-keys.commands.js')],
  },
  feed: {
    description: 'readers of the feed that are behind; new epochs after data loss',
    isMaintenance: true,
    load: async () => [await import('../../capabilities/feed/feed.commands.js')],
  },
  audit: {
    description: 'who changed or saw what, and when',
    isMaintenance: true,
    load: async () => [await import('../../infrastructure/audit/audit.commands.js')],
  },
  totals: {
    description: 'totals of suppliers, compared with the rows that they count',
    isMaintenance: true,
    load: async () => [await import('../../capabilities/totals/totals.commands.js')],
  },
  database: {
    description: 'the schema and the nodes of the database, and copies and restores',
    isMaintenance: true,
    load: async () => [
      await import('../../infrastructure/database/migrate-database.command.js'),
      await import('../../capabilities/distribution/distribution.commands.js'),
      await import('../../capabilities/restored/restored.commands.js'),
    ],
  },
  demonstration: {
    description: 'the demonstration data that the first start creates',
    isMaintenance: true,
    load: async () => [await import('../../capabilities/demonstration/demonstration.commands.js')],
  },
};
