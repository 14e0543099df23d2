import { Module, type DynamicModule } from '@nestjs/common';
import { TotalsCommands } from '../totals/totals.commands.js';
import { AuditCommands } from '../audit/audit.commands.js';
import { ApiKeyCommands } from '../auth/api-keys.commands.js';
import { PlatformKeyCommands } from '../auth/platform-keys.commands.js';
import { OrganisationCommands } from '../auth/organisations.commands.js';
import { CatalogueCommands } from '../catalogues/catalogues.commands.js';
import { CommandContext } from '../common/operator-command.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { ConsoleCommands } from '../console/viewers/console.commands.js';
import { MigrationCommands } from '../contents/migration/migration.commands.js';
import { CommandDatabaseModule } from '../database/command-database.module.js';
import { DemonstrationCommands } from '../demonstration/demonstration.commands.js';
import { DocumentsCommands } from '../documents/documents.commands.js';
import { FeedCommands } from '../feed/feed.commands.js';
import { ImportsCommands } from '../imports/undo/imports.commands.js';
import { AccountsCommands, DatabaseCommands, SupplierCommands } from './command-groups.js';
import { CommandContextModule } from './command-context.module.js';
import { OPERATOR_MODULES } from './operator-modules.js';
import { Program } from './program.js';

/** In the order of the help. */
const COMMANDS = [
  OrganisationCommands,
  ApiKeyCommands,
  PlatformKeyCommands,
  SupplierCommands,
  AccountsCommands,
  MigrationCommands,
  ImportsCommands,
  TotalsCommands,
  FeedCommands,
  CatalogueCommands,
  DocumentsCommands,
  AuditCommands,
  ConsoleCommands,
  DatabaseCommands,
  DemonstrationCommands,
].flatMap((group) => group.registerWithSubCommands());

/** The operator commands with the services they call, on a database that is opened when one of them needs it. */
@Module({})
export class CliModule {
  static with(environment: Environment, context: CommandContext): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(environment),
        CommandContextModule.with(context),
        // Loaded with the database, because they take longer than the help.
        CommandDatabaseModule.with(async () => (await import('../../ormconfig.js')).ENTITIES),
        ...OPERATOR_MODULES,
      ],
      providers: [Program, ...COMMANDS],
    };
  }
}
