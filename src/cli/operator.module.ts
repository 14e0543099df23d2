import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MigrationModule } from '../accounts/migration.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { CataloguesModule } from '../catalogues/catalogues.module.js';
import { CommonModule } from '../common/common.module.js';
import { NestLogger } from '../common/logger.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import type { AppOptions } from '../http/create-app.js';
import { DatabaseModule } from '../database/database.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { NoteDocumentsModule } from '../notes/note-documents.module.js';
import { StatementDocumentsModule } from '../statements/statement-documents.module.js';

/**
 * The rooms that operators work in. No interface is among them, for a command is over before the packages of HTTP,
 * GraphQL and OpenAPI would be loaded; a command that needs another room loads it (Nest's LazyModuleLoader).
 */
@Module({})
export class OperatorModule {
  /** @param databaseUrl postgres:// address of a migrated database */
  static with(environment: Environment, databaseUrl: string): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.with(environment),
        CommonModule,
        DatabaseModule.with(databaseUrl, environment),
        OrganisationsModule,
        CataloguesModule,
        ImportSuppliersModule,
        MigrationModule,
        NoteDocumentsModule,
        StatementDocumentsModule,
      ],
    };
  }
}

/** The rooms of the operators, for their commands and for what the start of the service has to do. */
export function createContext({
  environment,
  databaseUrl,
  logger,
}: AppOptions): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(OperatorModule.with(environment, databaseUrl), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
}
