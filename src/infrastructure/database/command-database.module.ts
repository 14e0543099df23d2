import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommandDatabase, LazyUnitOfWork, OPENING_STEPS, type OpeningSteps } from './command-database.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { UnitOfWork } from './unit-of-work.js';

/**
 * The database of an operator command, opened by its first use; DatabaseModule is that of the service.
 *
 * The repositories that modules register need a data source when they are made. Here it is one that is never connected:
 * `tx.withRepository` uses the connection of the unit of work.
 */
@Global()
@Module({
  providers: [
    CommandDatabase,
    { provide: UnitOfWork, useClass: LazyUnitOfWork },
    { provide: DataSource, useFactory: (): DataSource => new DataSource({ type: 'postgres' }) },
    RequestsUnderWay,
  ],
  exports: [CommandDatabase, UnitOfWork, DataSource, RequestsUnderWay],
})
export class CommandDatabaseModule {
  static with(steps: OpeningSteps): DynamicModule {
    return {
      module: CommandDatabaseModule,
      providers: [{ provide: OPENING_STEPS, useValue: steps }],
    };
  }
}
