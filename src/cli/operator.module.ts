import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { ENTITIES } from '../database/data-source.js';
import { NestLogger } from '../common/logger.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { DatabaseModule } from '../database/database.module.js';
import { OPERATOR_MODULES } from './operator-modules.js';

/** The operators' services on a database that is open. */
@Module({})
export class OperatorModule {
  /** @param databaseUrl postgres:// address of a migrated database */
  static with(environment: Environment, databaseUrl: string): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule.with(databaseUrl, environment, { entities: ENTITIES }),
        ...OPERATOR_MODULES,
      ],
    };
  }
}

export interface ContextOptions {
  readonly environment: Environment;
  /** postgres:// address of a migrated database. */
  readonly databaseUrl: string;
  readonly logger: Logger;
}

/** The operators' services without their commands, for what the start of the service has to do. */
export function createContext({
  environment,
  databaseUrl,
  logger,
}: ContextOptions): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(OperatorModule.with(environment, databaseUrl), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
}
