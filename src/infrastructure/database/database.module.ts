import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../config/settings.js';
import { registerMetrics } from '../metrics/metrics.registry.js';
import type { ConnectionUse } from './connection-options.js';
import { connectionMetrics } from './database-metrics.js';
import { connect } from './open-database.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param url postgres:// address of a migrated database; if it cannot be used, the start fails with a StartError */
  static with(url: string, environment: Environment, use?: ConnectionUse): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // Otherwise NestJS would try to connect again and write a log line for each try.
          useFactory: () => ({ toRetry: () => false }),
          dataSourceFactory: () => connect(url, environment, use),
        }),
      ],
      providers: [UnitOfWork, RequestsUnderWay, registerMetrics(connectionMetrics, UnitOfWork)],
      exports: [UnitOfWork, RequestsUnderWay],
    };
  }
}
