import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CommandDatabase, LazyUnitOfWork, OPENING_STEPS, type OpeningSteps } from './command-database.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { UnitOfWork } from './unit-of-work.js';

/** The counterpart of DatabaseModule for operator commands. The first use opens the database. */
@Global()
@Module({
  providers: [CommandDatabase, { provide: UnitOfWork, useClass: LazyUnitOfWork }, RequestsUnderWay],
  exports: [CommandDatabase, UnitOfWork, RequestsUnderWay],
})
export class CommandDatabaseModule {
  static with(steps: OpeningSteps): DynamicModule {
    return {
      module: CommandDatabaseModule,
      providers: [{ provide: OPENING_STEPS, useValue: steps }],
    };
  }
}
