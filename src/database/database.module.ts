import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions, type ConnectionUse } from '../../ormconfig.js';
import type { Environment } from '../config/settings.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param url postgres:// address of a migrated database */
  static with(url: string, environment: Environment, use?: ConnectionUse): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(url, environment, use), retryAttempts: 0 })],
      providers: [UnitOfWork],
      exports: [UnitOfWork],
    };
  }
}
